import type { Genesis } from "../../core/genesis/genesis.js"
import { utf8 } from "../../core/lib/bytes.js"
import type { AnyTable } from "../../core/state/table.js"
import type { Edit, Edits } from "../../core/state/view.js"
import { idText } from "../../core/types/id.js"
import { indexTables } from "../../store/indexes.js"
import { checkTime } from "../clock/clock.js"
import { clockMeta } from "../clock/keptClock.js"
import { producerError } from "../errors.js"
import type { ProducerOptions } from "../options.js"
import type { Producer } from "../producer.js"
import { type Dump, editsFrom, genesisOf, readDump, waitingOn } from "./dump.js"
import { writeDump } from "./writeDump.js"

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The whole chain with its clock and all that waits, as bytes. In a turn. */
export async function dumpState({ head, options, clock }: Producer): Promise<Uint8Array> {
  head.flush()
  const { store, rules, genesis } = options
  // Others have their turn while it is written: the keystore may change meanwhile.
  const view = store.view()
  try {
    return await writeDump({
      networkID: rules.networkID,
      genesis: store.getMeta("genesis") ?? genesis.bytes,
      rules: utf8(store.getMeta("rules") ?? ""),
      upgrades: utf8(store.getMeta("upgrades") ?? ""),
      readModel: utf8(store.getMeta("readModel") ?? ""),
      now: clock.now(),
      isFrozen: clock.isFrozen,
      view,
      tables: dumpedTables(options),
      rows: store.statistics().rows,
      waiting: [...head.pool].map(({ bytes }) => bytes),
    })
  } finally {
    view.release()
  }
}

/** The upgrade schedule of a dumped chain, as an upgrade file spells it. Throws `producer.bad_dump` and `newer_dump`. */
export async function upgradesTextOf(bytes: Uint8Array): Promise<string> {
  return textOf((await readDump(bytes)).upgrades)
}

/**
 * Puts a dumped chain in the place of this one; with `keepsLasting` all but what is not the chain's. Throws `producer.bad_dump`,
 * `newer_dump`, `other_dump`, `time_too_far`: then nothing has changed. In a turn.
 */
export async function loadState(producer: Producer, bytes: Uint8Array, { keepsLasting = false } = {}): Promise<void> {
  const dump = await readDump(bytes)
  const genesis = genesisOf(dump)
  checkFits(producer, dump, genesis)
  checkTime(dump.now)
  const { options, clock, head } = producer
  const readModel = options.store.getMeta("readModel") ?? ""
  const isOld = textOf(dump.readModel) !== readModel
  const rows = editsFrom(dump, isOld ? stateTables(options) : dumpedTables(options), isOld)
  const edits = keepsLasting ? withoutLasting(rows, options) : replacing(rows, options)
  const waiting = waitingOn(dump)
  head.flush()
  clock.set(dump.now, dump.isFrozen)
  // Until they are made anew, nobody may take the rows of another version for ours.
  const meta = { ...clockMeta(clock), genesis: dump.genesis, genesisID: genesis.block.id }
  producer.state.commit(edits, { afresh: true, meta: isOld ? { ...meta, readModel: undefined } : meta })
  if (isOld) {
    options.rebuild?.(genesis)
    options.store.putMeta({ readModel })
  }
  producer.reopened(waiting)
}

/** Those among them that are not made from the others: a dump of another version is read without its read model. */
function stateTables(options: ProducerOptions): readonly AnyTable[] {
  const { readModelTables = [] } = options
  return dumpedTables(options).filter((table) => !readModelTables.includes(table))
}

/** All but indexes, which are made anew with the rows. */
function dumpedTables({ tables, lasting = [] }: ProducerOptions): readonly AnyTable[] {
  const all = [...tables, ...lasting]
  const indexes = indexTables(all)
  return all.filter((table) => !indexes.has(table))
}

/** The rows of lasting tables are not cleared by a fresh start: those that the dump lacks are taken out by name. */
function replacing(edits: Edits, { lasting = [], store }: ProducerOptions): Edits {
  const all = new Map(edits)
  for (const table of lasting) {
    const rows = new Map<string, Edit>()
    for (const [key] of store.latest.rows(table)) rows.set(table.key.toText(key), { value: undefined, isNew: false })
    for (const [key, edit] of edits.get(table) ?? []) rows.set(key, edit)
    all.set(table, rows)
  }
  return all
}

function withoutLasting(edits: Edits, { lasting = [] }: ProducerOptions): Edits {
  return new Map([...edits].filter(([table]) => !lasting.includes(table)))
}

/** A chain of another network, or one that grew by other rules, cannot go on here. When its genesis was does not matter. */
function checkFits({ options }: Producer, dump: Dump, theirs: Genesis): void {
  const { rules, store, genesis } = options
  const refuse = (what: string, expected: unknown, got: unknown) => producerError("producer.other_dump", { what, expected, got })
  if (dump.networkID !== rules.networkID) throw refuse("network", rules.networkID, dump.networkID)
  const own = { rules: store.getMeta("rules") ?? "", upgrades: store.getMeta("upgrades") ?? "" }
  if (textOf(dump.rules) !== own.rules) throw refuse("rules", own.rules, textOf(dump.rules))
  if (textOf(dump.upgrades) !== own.upgrades) throw refuse("upgrades", own.upgrades, textOf(dump.upgrades))
  for (const name of ["avaxAssetID", "xChainID", "cChainID"] as const) {
    if (theirs[name] !== genesis[name]) throw refuse(name, idText(genesis[name]), idText(theirs[name]))
  }
}
