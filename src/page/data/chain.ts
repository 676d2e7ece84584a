import { platform } from "./rpc.js"
import { Shared } from "./shared.js"

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

/** Whether the node answers: `starting` until the first answer. */
export const connection = new Shared<"starting" | "live" | "lost">("starting")

/** The height of the last accepted block; `undefined` until the node has answered. */
export const height = new Shared<number | undefined>(undefined)

/** The latest blocks, the newest first. */
export const blocks = new Shared<readonly BlockEvent[]>([])

/** A number that grows with every change of the chain and every reconnection. Views that follow the chain then query again. */
export const version = new Shared(0)

/** Number of blocks that are kept, and number that are requested at the start. */
const KEPT = 60

/** Milliseconds between two attempts to reach a node that does not answer. */
const RETRY = 1000

/** Milliseconds in which several changes count as one, so that a chain with many blocks per second is queried once in this time. */
const SETTLE = 250

/** Follows the chain from now on, and again after the node was away. */
export async function followChain(): Promise<void> {
  try {
    const now = Number((await platform("getHeight")).height)
    if (height.value !== undefined && now < height.value) blocks.value = blocks.value.filter((block) => block.height <= now)
    height.value = now
    connection.value = "live"
    changed()
    listen(now)
  } catch {
    lost()
  }
}

function lost(): void {
  connection.value = "lost"
  setTimeout(followChain, RETRY)
}

function listen(now: number): void {
  const stream = new EventSource(`/ext/bc/P/events?from=${Math.max(0, now - KEPT + 1)}`)
  blocks.value = []
  let txs: TxEvent[] = []
  let waiting: BlockEvent[] = []
  stream.addEventListener("tx", ({ data }) => {
    const { txID, kind, status, height: at, effect, timestamp } = JSON.parse(data)
    txs.push({ txID, kind, status, effect, height: Number(at), time: timeOf(timestamp) })
  })
  stream.addEventListener("block", ({ data }) => {
    const { id, kind, timestamp, height: at, gasPrice, validatorPrice, txs: contained } = JSON.parse(data)
    if (waiting.length === 0) setTimeout(take, 0)
    const prices = { gasPrice: priceOf(gasPrice), validatorPrice: priceOf(validatorPrice) }
    waiting.push({ id, kind, time: timeOf(timestamp), txs, count: contained.length, height: Number(at), ...prices })
    txs = []
  })
  const take = (): void => {
    const taken = waiting
    waiting = []
    const newest = taken.at(-1) as BlockEvent
    const isNew = newest.height > (height.value ?? 0)
    blocks.value = [...taken.reverse(), ...blocks.value].slice(0, KEPT)
    height.value = newest.height
    if (isNew) changed()
  }
  stream.addEventListener("revert", ({ data }) => {
    const to = Number(JSON.parse(data).height)
    blocks.value = blocks.value.filter((block) => block.height <= to)
    height.value = to
    txs = []
    changed()
  })
  // A browser would reconnect by itself and stay silent about it; this way every reconnection starts from the node's own height.
  stream.onerror = () => {
    stream.close()
    lost()
  }
}

const timeOf = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp) / 1000

const priceOf = (price: number | undefined): bigint | undefined => (price === undefined ? undefined : BigInt(price))

let isChangeDue = false

function changed(): void {
  if (isChangeDue) return
  isChangeDue = true
  setTimeout(
    () => {
      isChangeDue = false
      version.value++
    },
    Math.min(SETTLE, version.value * SETTLE),
  )
}
