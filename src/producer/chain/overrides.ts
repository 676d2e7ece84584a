import { encode } from "../../core/codec/decode.js"
import { Diff } from "../../core/state/diff.js"
import { heightOf, tables } from "../../core/state/tables.js"
import { replaceValidatorKey } from "../../core/state/validatorKeys.js"
import type { PrimaryEdits, View } from "../../core/state/view.js"
import type { Address } from "../../core/types/address.js"
import { toHexText } from "../../core/types/hexText.js"
import { type ID, idOf, type NodeID, P_CHAIN_ID } from "../../core/types/id.js"
import { innerOutput } from "../../core/types/output.js"
import { topLevelUtxo, type Utxo, utxoID } from "../../core/types/utxo.js"
import { bls } from "../../platform/backends.js"
import { devTables, type Override, type OverrideRow } from "../tables.js"

/** Returns the overrides of a private chain, in the order in which they were applied. */
export function* overridesOf(view: View): Iterable<OverrideRow> {
  for (const [, row] of view.rows(devTables.overrides)) yield row
}

/** Writes an override's UTXO or BLS key into the chain's state. The other kinds change only how later transactions and rewards are verified. */
export function applyOverride(diff: Diff, override: Override): void {
  if (override.kind === "utxo") {
    const { utxo } = override
    const id = utxoID(utxo.txID, utxo.outputIndex)
    diff.put(tables.utxos, id, utxo)
    diff.put(tables.untracedOutputs, id, { height: heightOf(diff), utxo })
  } else if (override.kind === "atomicUtxo") {
    const { utxo, sourceChain } = override
    const key = { receiver: P_CHAIN_ID, sender: sourceChain, utxoID: utxoID(utxo.txID, utxo.outputIndex) }
    diff.put(tables.atomicUtxos, key, atomicRow(utxo))
  } else if (override.kind === "sharedMemory") {
    const { chainID, peer, removes, puts } = override
    for (const each of removes) diff.delete(tables.atomicUtxos, { receiver: chainID, sender: peer, utxoID: each })
    for (const utxo of puts) {
      const key = { receiver: peer, sender: chainID, utxoID: utxoID(utxo.txID, utxo.outputIndex) }
      diff.put(tables.atomicUtxos, key, atomicRow(utxo))
    }
  } else if (override.kind === "validatorKey") {
    replaceValidatorKey(diff, override, override.publicKey, bls())
  }
}

const atomicRow = (utxo: Utxo) => ({ value: encode(topLevelUtxo, utxo), traits: innerOutput(utxo.output).addresses })

/** Adds the read model's rows of an override. */
export type ProjectOverride = (changes: Diff, override: Override) => void

/** Returns the rows that record and apply overrides after the last accepted block. `count` is the number of earlier overrides. */
export function overrideEdits(
  view: View,
  overrides: readonly Override[],
  count: number,
  projectOverride?: ProjectOverride,
): PrimaryEdits {
  const diff = new Diff(view)
  const height = heightOf(view)
  let position = BigInt(count)
  for (const override of overrides) {
    diff.insert(devTables.overrides, position++, { height, override })
    applyOverride(diff, override)
    projectOverride?.(diff, override)
  }
  return diff.edits
}

/** Makes the transaction ID of UTXOs that no transaction produced. It is the same in every run with the same blocks. */
export function sourceIDFor(view: View, count: number): ID {
  const last = view.get(tables.lastAccepted, null)
  return idOf(new TextEncoder().encode(`serac override ${count} on ${last?.id}`))
}

/** The overrides that are in force. */
export interface Overrides {
  /** The number of overrides so far, of every kind. */
  count: number
  readonly impersonated: Set<Address>
  /** Uptimes in percent, 0 to 100. */
  readonly uptimes: Map<NodeID, number>
}

/** Computes the overrides in force from their rows, up to a height if one is given. */
export function currentOverrides(view: View, height?: bigint): Overrides {
  const overrides: Overrides = { count: 0, impersonated: new Set(), uptimes: new Map() }
  for (const row of overridesOf(view)) {
    if (height !== undefined && row.height > height) break
    addOverride(overrides, row.override)
  }
  return overrides
}

/** Adds an override to those in force. */
export function addOverride(overrides: Overrides, override: Override): void {
  const { impersonated, uptimes } = overrides
  overrides.count++
  if (override.kind === "impersonate") for (const each of override.addresses) impersonated.add(each)
  if (override.kind === "stopImpersonating") for (const each of override.addresses) impersonated.delete(each)
  if (override.kind !== "uptime") return
  const { millionths } = override
  if (millionths === undefined) uptimes.delete(override.nodeID)
  else uptimes.set(override.nodeID, millionths / 1_000_000)
}

/** Prints the UTXOs credited from other chains, one line each, as `goverify -atomic` reads them. */
export function atomicLines(view: View, aliasOf: (chainID: ID) => string): string[] {
  const lines: string[] = []
  for (const { override } of overridesOf(view)) {
    if (override.kind === "sharedMemory" && override.peer === P_CHAIN_ID)
      for (const utxo of override.puts) lines.push(`${utxoText(utxo)} ${aliasOf(override.chainID)}`)
    if (override.kind === "atomicUtxo") lines.push(`${utxoText(override.utxo)} ${aliasOf(override.sourceChain)}`)
  }
  return lines
}

/** Prints a UTXO as the API does: hex with its checksum. */
const utxoText = (utxo: Utxo): string => toHexText(encode(topLevelUtxo, utxo))
