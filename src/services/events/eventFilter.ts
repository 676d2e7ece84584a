import { Invalid } from "../../core/lib/invalid.js"
import { nodeSubject, subjectsOf } from "../../core/readmodel/explorer/subjects.js"
import { ownerKeysFor } from "../../core/readmodel/ownerGroups.js"
import { readTables } from "../../core/readmodel/tables.js"
import type { View } from "../../core/state/view.js"
import { txTypes } from "../../core/txs/index.js"
import type { Tx } from "../../core/txs/tx.js"
import type { Address } from "../../core/types/address.js"
import { type ID, parseID, parseNodeID } from "../../core/types/id.js"
import type { NodePort } from "../context.js"
import { readAddress } from "../platform/params/addresses.js"
import { requireNoGap } from "../platform/params/history.js"

/** Selects the transactions of an event stream: those that match all of these lists. An empty list matches every transaction. */
export interface EventFilter {
  readonly kinds: ReadonlySet<string>
  readonly addresses: readonly Address[]
  readonly subnets: readonly ID[]
  /** Nodes as subjects of transactions. */
  readonly nodes: readonly ID[]
}

/** The maximum number of values in one parameter. */
const MAX_VALUES = 64

const kinds: ReadonlySet<string> = new Set(txTypes.map(({ kind }) => kind))

/**
 * Reads the filters of a stream from its query: `kinds`, `addresses` (or `address`), `subnets` and `nodes`, each with values separated by commas. Returns
 * a sentence if one cannot be read, and `undefined` if there are none.
 */
export function eventFilterOf(query: URLSearchParams, node: NodePort): EventFilter | string | undefined {
  const readers: Readonly<Record<string, (text: string) => string>> = {
    kinds: (text) => text,
    addresses: (text) => readAddress(text, { node }),
    subnets: parseID,
    nodes: (text) => nodeSubject(parseNodeID(text)),
  }
  const read: Record<string, string[]> = {}
  for (const [given, values] of query) {
    const name = given === "address" ? "addresses" : given
    const reader = readers[name]
    if (!reader)
      return `the event stream has no parameter "${name.slice(0, 64)}"; it takes from, after, ${Object.keys(readers).join(", ")}`
    const texts = values.split(",")
    if (texts.length > MAX_VALUES) return `the parameter "${name}" of the event stream takes at most ${MAX_VALUES} values`
    const unknown = name === "kinds" ? texts.find((text) => !kinds.has(text)) : undefined
    if (unknown !== undefined) return `no transaction is of the kind "${unknown.slice(0, 64)}"`
    try {
      read[name] = [...(read[name] ?? []), ...texts.map(reader)]
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      return `the parameter "${name}" of the event stream cannot be read: ${error.message}`
    }
  }
  const listOf = <T extends string>(name: string) => (read[name] ?? []) as T[]
  if (Object.keys(read).length === 0) return undefined
  return { kinds: new Set(listOf("kinds")), addresses: listOf("addresses"), subnets: listOf("subnets"), nodes: listOf("nodes") }
}

/**
 * Returns the transactions that a block of this height decided and that match the filter. Throws `platform.history_incomplete` if the addresses
 * of its transactions are not known.
 */
export function matchingTxs(view: View, height: bigint, txs: readonly Tx[], filter: EventFilter): readonly Tx[] {
  if (filter.addresses.length > 0) requireNoGap({ view, height })
  const involved = filter.addresses.length === 0 ? undefined : txsInvolving(view, height, filter.addresses)
  return txs.filter((tx) => {
    if (filter.kinds.size > 0 && !filter.kinds.has(tx.unsignedTx.kind)) return false
    if (involved && !involved.has(tx.id)) return false
    if (filter.subnets.length === 0 && filter.nodes.length === 0) return true
    const subjects = subjectsOf(tx, view)
    const isAbout = (ids: readonly ID[]) => ids.length === 0 || ids.some((id) => subjects.has(id))
    return isAbout(filter.subnets) && isAbout(filter.nodes)
  })
}

/** Returns the transactions at a height that touch these addresses. */
function txsInvolving(view: View, height: bigint, addresses: readonly Address[]): ReadonlySet<ID> {
  const found = new Set<ID>()
  for (const address of addresses) {
    for (const owner of ownerKeysFor(view, address)) {
      for (const [, { txID }] of view.rows(readTables.txsByAddress, { under: { owner, height } })) found.add(txID)
    }
  }
  return found
}
