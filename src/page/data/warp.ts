import { Cached } from "./cached.js"
import { decode, isObject, type JsonObject } from "./decoded.js"
import type { EvmChain, EvmTx } from "./l1s.js"
import { readableObject } from "./readable.js"
import { call, type DevResultOf, dev } from "./rpc.js"

/** An ICM message between L1s. */
export type RelayedMessage = DevResultOf<"listMessages">["messages"][number]

/** A Warp message that an L1 sent, or that a transaction brought to it. */
export interface WarpMessage {
  readonly id: string
  readonly isSent: boolean
  readonly height: bigint
  readonly tx: string
  readonly sourceChainID: string
  /** The contract that sent it; empty if it is of the P-Chain. */
  readonly contract: string
  /** The members of a message between an L1 and the P-Chain; empty for others. */
  readonly members: JsonObject
  /** The number of signatures of a message that was brought. */
  readonly signatures: number
  /** What the relayer knows of it. */
  readonly relayed: RelayedMessage | undefined
}

const WARP = "0x0200000000000000000000000000000000000005"
const SENT = "0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d"

/** The number of blocks in which messages are looked for, and of messages that are shown. */
const [BLOCKS, SHOWN] = [2000n, 20]

/** Returns the latest Warp messages that an EVM chain sent and received, the newest first. `path` is that of its RPC. */
export async function askWarp(path: string, chainID: string, { blocks }: EvmChain): Promise<readonly WarpMessage[]> {
  const { messages } = await dev("listMessages")
  const relayed = new Map(messages.map((each) => [each.messageID, each]))
  const [sent, brought] = await Promise.all([sentBy(path, blocks), broughtTo(path, chainID, blocks, messages)])
  const all = await Promise.all([
    ...sent.map(({ hex, ...place }) => messageIn(hex, true, place)),
    ...brought.map((tx) => messageIn(signedMessageIn(tx), false, { height: BigInt(tx.blockNumber), tx: tx.hash })),
  ])
  return all
    .flatMap((each) => (each ? [{ ...each, relayed: relayed.get(each.id) }] : []))
    .sort((a, b) => Number(b.height - a.height))
}

async function sentBy(path: string, blocks: EvmChain["blocks"]) {
  const tip = BigInt(blocks[0]?.number ?? 0)
  const fromBlock = `0x${(tip > BLOCKS ? tip - BLOCKS : 0n).toString(16)}`
  const logs = await call<readonly { blockNumber: string; transactionHash: string; data: string }[]>(path, "eth_getLogs", [
    { fromBlock, toBlock: "latest", address: WARP, topics: [SENT] },
  ])
  return logs.slice(-SHOWN).map(({ blockNumber, transactionHash, data }) => {
    const size = Number.parseInt(data.slice(66, 130), 16)
    return { hex: data.slice(130, 130 + size * 2), height: BigInt(blockNumber), tx: transactionHash }
  })
}

/** Returns the transactions that brought a message: those of the latest blocks, and those of the relayer. */
async function broughtTo(path: string, chainID: string, blocks: EvmChain["blocks"], relayed: readonly RelayedMessage[]) {
  const latest = blocks.flatMap(({ transactions }) => transactions.filter((tx) => signedMessageIn(tx) !== ""))
  const hashes = relayed.flatMap(({ destinationChainID, deliveryTx }) =>
    destinationChainID === chainID && deliveryTx !== undefined ? [deliveryTx] : [],
  )
  const known = new Set(latest.map(({ hash }) => hash))
  const others = hashes.slice(-SHOWN).filter((hash) => !known.has(hash))
  const found = await Promise.all(others.map((hash) => call<EvmTx | null>(path, "eth_getTransactionByHash", [hash])))
  return [...latest, ...found.filter((tx) => tx !== null)]
}

/** Returns the signed message in the access list of a transaction as hex; empty if there is none. */
function signedMessageIn({ accessList = [] }: EvmTx): string {
  const keys = accessList.find(({ address }) => address.toLowerCase() === WARP)?.storageKeys ?? []
  // A byte 0xff and zeros follow the message.
  return keys
    .map((key) => key.slice(2))
    .join("")
    .replace(/ff(00)*$/, "")
}

const decoded = new Cached<Omit<WarpMessage, "relayed" | "height" | "tx">>(1024)

/** Decodes a message with the help of the node. Returns `undefined` if it is none, or if the node does not answer. */
async function messageIn(hex: string, isSent: boolean, place: Pick<WarpMessage, "height" | "tx">) {
  const message = await decoded.of(`${isSent} ${hex}`, () => readMessage(hex, isSent)).catch(() => undefined)
  return message && { ...message, ...place }
}

async function readMessage(hex: string, isSent: boolean) {
  const answer = await decode(`0x${hex}`, isSent ? "UnsignedMessage" : "SignedMessage")
  const { id } = answer
  const value = await readableObject(answer.value)
  const content = isObject(value.payload) ? value.payload : {}
  const signature = isObject(value.signature) ? value.signature : {}
  return {
    id: id ?? "",
    isSent,
    sourceChainID: String(value.sourceChainID),
    contract: String(content.sourceAddress ?? "").replace(/^0x$/, ""),
    members: isObject(content.payload) ? content.payload : {},
    signatures: bitsIn(String(signature.signers ?? "")),
  }
}

/** Returns the number of bits in hex with `0x`. */
const bitsIn = (hex: string): number =>
  hex
    .slice(2)
    .replace(/./g, (digit) => Number.parseInt(digit, 16).toString(2))
    .replaceAll("0", "").length
