import { encode } from "../../core/codec/decode.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Edits, View } from "../../core/state/view.js"
import type { Address } from "../../core/types/address.js"
import { toHexText } from "../../core/types/hexText.js"
import { type ID, idOf, type NodeID, P_CHAIN_ID } from "../../core/types/id.js"
import { unlocked } from "../../core/types/output.js"
import { topLevelUtxo, type Utxo, utxoID } from "../../core/types/utxo.js"
import { type Deed, devTables, type Override } from "../tables.js"

/** All that was done by hand, in order. */
export function* overridesOf(view: View): Iterable<Override> {
  for (const [, override] of view.rows(devTables.overrides)) yield override
}

/** What a deed changes in the chain's state; some only change how later transactions or rewards are judged. */
export function applyDeed(diff: Diff, deed: Deed): void {
  if (deed.kind === "utxo") {
    diff.put(tables.utxos, utxoID(deed.utxo.txID, deed.utxo.outputIndex), deed.utxo)
  } else if (deed.kind === "atomicUtxo") {
    const { utxo, sourceChain } = deed
    const key = { receiver: P_CHAIN_ID, sender: sourceChain, utxoID: utxoID(utxo.txID, utxo.outputIndex) }
    diff.put(tables.atomicUtxos, key, { value: encode(topLevelUtxo, utxo), traits: unlocked(utxo.output).addresses })
  }
}

/** The rows that record deeds after the last accepted block and carry them out; `count`: how many were done before. */
export function editsOf(view: View, deeds: readonly Deed[], count: number): Edits {
  const diff = new Diff(view)
  const height = view.get(tables.lastAccepted, null)?.height ?? 0n
  let position = BigInt(count)
  for (const deed of deeds) {
    diff.insert(devTables.overrides, position++, { height, deed })
    applyDeed(diff, deed)
  }
  return diff.edits
}

/** A transaction ID for a UTXO that no transaction made: like the others of its chain, and the same whenever a run is repeated. */
export function sourceIDFor(view: View, count: number): ID {
  const last = view.get(tables.lastAccepted, null)
  return idOf(new TextEncoder().encode(`serac override ${count} on ${last?.id}`))
}

/** How the chain is bent right now. */
export interface Bent {
  /** How much was done by hand. */
  count: number
  readonly impersonated: Set<Address>
  /** 0 to 100. */
  readonly uptimes: Map<NodeID, number>
}

/** What is left of impersonations and uptimes after all that was done, up to a height where one is given. */
export function bentBy(view: View, height?: bigint): Bent {
  const bent: Bent = { count: 0, impersonated: new Set(), uptimes: new Map() }
  for (const override of overridesOf(view)) {
    if (height !== undefined && override.height > height) break
    bend(bent, override.deed)
  }
  return bent
}

/** Takes one more deed into account. */
export function bend(bent: Bent, deed: Deed): void {
  const { impersonated, uptimes } = bent
  bent.count++
  if (deed.kind === "impersonate") for (const each of deed.addresses) impersonated.add(each)
  if (deed.kind === "stopImpersonating") for (const each of deed.addresses) impersonated.delete(each)
  if (deed.kind !== "uptime") return
  const [millionths] = deed.millionths
  if (millionths === undefined) uptimes.delete(deed.nodeID)
  else uptimes.set(deed.nodeID, millionths / 1_000_000)
}

/** The credits from other chains, a line each, in the form that `goverify -atomic` reads. */
export function atomicLines(view: View, aliasOf: (chainID: ID) => string): string[] {
  const lines: string[] = []
  for (const { deed } of overridesOf(view)) {
    if (deed.kind === "atomicUtxo") lines.push(`${utxoText(deed.utxo)} ${aliasOf(deed.sourceChain)}`)
  }
  return lines
}

/** A UTXO as the API prints it: hex with its checksum. */
export const utxoText = (utxo: Utxo): string => toHexText(encode(topLevelUtxo, utxo))
