import { decode } from "../core/codec/decode.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { fromHexText } from "../core/types/hexText.js"
import { topLevelUtxo, type Utxo } from "../core/types/utxo.js"
import type { Call } from "./client.js"

/** The number of UTXOs in a page, the largest that nodes give. */
const PAGE = 1024

/** Reads all UTXOs of addresses, page by page; those that they can import with `sourceChain`. One that moves meanwhile is listed once. */
export async function utxosAt(call: Call, addresses: readonly string[], sourceChain = ""): Promise<readonly Utxo[]> {
  const found = new Set<string>()
  const params = { addresses, limit: PAGE, encoding: "hex", ...(sourceChain === "" ? {} : { sourceChain }) } as const
  let after = {}
  for (;;) {
    const { utxos, endIndex } = await call("platform.getUTXOs", { ...params, ...after })
    const before = found.size
    for (const each of utxos) found.add(each)
    if (utxos.length < PAGE || found.size === before) return [...found].map(utxoOf)
    after = { startIndex: endIndex }
  }
}

export const utxoOf = (text: string): Utxo => decode(topLevelUtxo, fromHexText(text))

/** Returns the status of the private chain that a node runs; `undefined` if it runs none. */
const devStatus = (call: Call) => call("dev.status", {}).catch(() => undefined)

export const isPrivate = async (call: Call): Promise<boolean> => (await devStatus(call)) !== undefined

/** Returns the time of a node: that of a private chain's clock, otherwise the later of the chain's time and this machine's (Unix seconds). */
export async function clockOf(call: Call, now: bigint): Promise<bigint> {
  const { timestamp } = await call("platform.getTimestamp", {})
  const chain = wholeSeconds(Date.parse(timestamp))
  const status = await devStatus(call)
  if (status) return BigInt(Date.parse(status.clock) / 1000)
  return now > chain ? now : chain
}
