import { openChainData } from "../chaindata/chainData.js"
import { nodeError } from "../chaindata/errors.js"
import { nodeTables } from "../chaindata/nodeTables.js"
import { chainFactsIn } from "../chaindata/storedIdentity.js"
import { printRfc3339 } from "../core/lib/go/rfc3339.js"
import type { Json } from "../core/lib/json.js"
import { networkNameOf } from "../core/networks/names.js"
import { chainTimeOf } from "../core/rules/context.js"
import { activeL1Count } from "../core/state/l1Validators.js"
import type { AnyTable } from "../core/state/table.js"
import { allTables, hashedTables, tables } from "../core/state/tables.js"
import type { IndexedView, View } from "../core/state/view.js"
import { toHexText } from "../core/types/hexText.js"
import { idText, P_CHAIN_ID } from "../core/types/id.js"
import { atomicLines, overridesOf } from "../producer/chain/overrides.js"
import { faultsIn } from "../store/maintenance/check.js"
import { stateHash } from "../store/maintenance/stateHash.js"
import type { Store } from "../store/store.js"
import { digestOf } from "./digest.js"

/** Summary of a store. */
export interface Summary {
  /** Facts by name, for people and scripts. */
  readonly facts: Readonly<Record<string, Json>>
  /** The digest as goverify prints it for the same state. */
  readonly digest: Readonly<Record<string, Json>>
  /** A hash over all rows, to compare two stores. */
  readonly hash: string
}

/** Reads every row of these tables and compares the indexes with them. Throws `node.damaged` with the first difference. */
export function checkRows(view: IndexedView, onRow: () => void, checked: readonly AnyTable[] = nodeTables): void {
  const [fault, ...more] = readable(() => faultsIn(view, checked, onRow))
  if (fault !== undefined) throw nodeError("node.damaged", { fault, more: more.length })
}

/** Throws `node.damaged` if a row cannot be read by its table's codec. */
function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("a stored value of")) throw error
    throw nodeError("node.damaged", { fault: error.message })
  }
}

export function summaryOf(store: Store, view: IndexedView): Summary {
  const { rules, genesis, ruleFlags } = openChainData(store, { now: 0n })
  const digest = digestOf(view)
  const { kind, id } = chainFactsIn(store)
  const facts = {
    kind,
    chainID: id,
    network: networkNameOf(rules.networkID),
    networkID: rules.networkID,
    genesisBlockID: idText(genesis.block.id),
    rules: ruleFlags,
    height: digest.height as string,
    timestamp: printRfc3339(chainTimeOf(view)),
    rows: Object.fromEntries(allTables.map((table) => [table.name, countOf(view.rows(table))])),
    activeL1Validators: activeL1Count(view).toString(),
    // Overrides with their heights. No block contains them.
    overrides: [...overridesOf(view)].map(({ height, override }) => ({ height: height.toString(), kind: override.kind })),
  }
  return { facts, digest, hash: stateHash(view, hashedTables) }
}

function countOf(rows: Iterable<unknown>): number {
  let count = 0
  for (const _ of rows) count++
  return count
}

/**
 * Returns the UTXOs from other chains, as lines that `atomicEdits` and goverify read: those that wait to be imported, and those that were
 * credited by overrides, imported or not, because the chain cannot be verified from genesis without them.
 */
export function atomicUtxosOf(view: View): readonly string[] {
  const lines = new Set(atomicLines(view, idText))
  for (const [key, row] of view.rows(tables.atomicUtxos)) {
    if (key.receiver === P_CHAIN_ID) lines.add(`${toHexText(row.value)} ${idText(key.sender)}`)
  }
  return [...lines]
}
