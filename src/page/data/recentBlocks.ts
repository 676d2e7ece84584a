/** A block as the event stream announces it. */
export interface BlockEvent {
  readonly height: number
  readonly id: string
  readonly kind: string
  /** Unix seconds; blocks before Banff have none. */
  readonly time: number | undefined
  /** The transactions that it decided. A proposal is decided by the block after it. */
  readonly txs: readonly TxEvent[]
  /** The number of transactions that it contains. */
  readonly count: number
  /** The prices after the block, in nAVAX for a unit of gas and for a second of an L1 validator; `undefined` if the node does not know them. */
  readonly gasPrice: bigint | undefined
  readonly validatorPrice: bigint | undefined
}

/** A decided transaction. */
export interface TxEvent {
  readonly txID: string
  readonly kind: string
  readonly status: string
  readonly height: number
  /** What it does, in a few words. */
  readonly effect: string
  readonly time: number | undefined
}

/** An event of the stream: its name, and its data as text. */
export interface SentEvent {
  readonly name: string
  readonly data: string
}

/** The chain as far as the events of a stream tell it. */
export interface RecentBlocks {
  /** The newest first. */
  readonly blocks: readonly BlockEvent[]
  /** Transactions whose block is still to come. */
  readonly txs: readonly TxEvent[]
  /** The height of the last block; `undefined` before the first event. */
  readonly height: number | undefined
}

export const NO_BLOCKS: RecentBlocks = { blocks: [], txs: [], height: undefined }

/** Number of blocks that are kept, and number that are requested at the start. */
export const KEPT = 60

/** Returns what is known after some more events, in their order. */
export function withEvents(known: RecentBlocks, events: readonly SentEvent[]): RecentBlocks {
  return events.reduce(withEvent, known)
}

function withEvent({ blocks, txs, ...known }: RecentBlocks, { name, data }: SentEvent): RecentBlocks {
  const { height: at, timestamp, ...rest } = JSON.parse(data)
  const [height, time] = [Number(at), timestamp === undefined ? undefined : Date.parse(timestamp) / 1000]
  if (name === "tx") {
    const { txID, kind, status, effect } = rest
    return { ...known, blocks, txs: [...txs, { txID, kind, status, effect, height, time }] }
  }
  if (name === "revert") {
    // Where the chain begins anew, the first block is another one, too.
    const left = blocks.filter((block) => block.height < height || (block.height === height && block.id === rest.id))
    return { blocks: left, txs: [], height }
  }
  const { id, kind, txs: contained, gasPrice, validatorPrice } = rest
  const prices = { gasPrice: priceOf(gasPrice), validatorPrice: priceOf(validatorPrice) }
  const block = { id, kind, time, txs, count: contained.length, height, ...prices }
  return { blocks: [block, ...blocks].slice(0, KEPT), txs: [], height }
}

const priceOf = (price: number | undefined): bigint | undefined => (price === undefined ? undefined : BigInt(price))
