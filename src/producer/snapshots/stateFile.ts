import type { Genesis } from "../../core/genesis/genesis.js"
import { utf8 } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { AnyTable } from "../../core/state/table.js"
import type { Tx } from "../../core/txs/tx.js"
import { idText } from "../../core/types/id.js"
import { indexTables } from "../../store/indexes.js"
import { checkTime } from "../clock/clock.js"
import { clockMeta } from "../clock/keptClock.js"
import { producerError } from "../errors.js"
import type { ProducerOptions } from "../options.js"
import type { Producer } from "../producer.js"
import type { DumpHead } from "./dump.js"
import { DumpReader, type TableByName } from "./dumpReader.js"
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
  const reader = await DumpReader.open(bytes)
  reader.close()
  return textOf(reader.head.upgrades)
}

/**
 * Puts a dumped chain in the place of this one; with `keepsLasting` all but what is not the chain's. Throws `producer.bad_dump`,
 * `newer_dump`, `other_dump`, `time_too_far`: then nothing has changed. In a turn.
 */
export async function loadState(producer: Producer, bytes: Uint8Array, { keepsLasting = false } = {}): Promise<void> {
  const reader = await DumpReader.open(bytes)
  try {
    const genesis = reader.genesis()
    checkFits(producer, reader.head, genesis)
    checkTime(reader.head.now)
    await loadFrom(reader, producer, { genesis, keepsLasting })
  } catch (error) {
    if (!(error instanceof Invalid)) producer.options.onFault?.(error)
    throw error
  } finally {
    reader.close()
  }
}

/** What is known of a dump before its rows are read. */
interface Loading {
  readonly genesis: Genesis
  readonly keepsLasting: boolean
}

async function loadFrom(reader: DumpReader, producer: Producer, { genesis, keepsLasting }: Loading): Promise<void> {
  const { options, clock, head } = producer
  const readModel = options.store.getMeta("readModel") ?? ""
  const isOld = textOf(reader.head.readModel) !== readModel
  const keeps = keepsLasting ? (options.lasting ?? []) : []
  let waiting: readonly Tx[] = []
  async function* parts() {
    for await (const part of reader.rows(tableByName(options, { isOld, keeps }))) {
      if (head.isInterrupted) throw producerError("producer.stopped")
      yield part
    }
    waiting = await reader.waiting()
  }
  head.flush()
  const meta = () => {
    const { now, isFrozen, genesis: genesisBytes } = reader.head
    clock.set(now, isFrozen)
    // Until they are made anew, nobody may take the rows of another version for ours.
    return {
      ...clockMeta(clock),
      genesis: genesisBytes,
      genesisID: genesis.block.id,
      ...(isOld ? { readModel: undefined } : {}),
    }
  }
  await options.store.load(parts(), { keeps, meta })
  if (isOld) {
    options.rebuild?.(genesis)
    options.store.putMeta({ readModel })
  }
  producer.reopened(waiting)
}

/** The tables that are read from a dump. One of another version is read without its read model, and with tables that are not known. */
function tableByName(options: ProducerOptions, { isOld, keeps }: { isOld: boolean; keeps: readonly AnyTable[] }): TableByName {
  const read = isOld ? stateTables(options) : dumpedTables(options)
  const byName = new Map<string, AnyTable | "skipped">(read.map((table) => [table.name, table]))
  for (const { name } of keeps) byName.set(name, "skipped")
  return (name) => byName.get(name) ?? (isOld ? "skipped" : undefined)
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

/** A chain of another network, or one that grew by other rules, cannot go on here. When its genesis was does not matter. */
function checkFits({ options }: Producer, dump: DumpHead, theirs: Genesis): void {
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
