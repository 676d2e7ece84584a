import type { Genesis } from "../../core/genesis/genesis.js"
import { utf8 } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { parseIdentity } from "../../core/networks/chainIdentity.js"
import { commonHeightOf } from "../../core/state/removedBlocks.js"
import { type AnyTable, isPrimary } from "../../core/state/table.js"
import type { IndexedView } from "../../core/state/view.js"
import type { Tx } from "../../core/txs/tx.js"
import { idText } from "../../core/types/id.js"
import type { MetaChanges } from "../../store/meta.js"
import { overridesOf } from "../chain/overrides.js"
import { checkTime } from "../clock/clock.js"
import { producerError } from "../errors.js"
import type { PrivateChainOptions } from "../options.js"
import { hostedTables } from "../tables.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { checkLoaded } from "./checkLoaded.js"
import type { DumpHead } from "./dump.js"
import { DumpReader, type TableByName } from "./dumpReader.js"
import { writeDump } from "./writeDump.js"

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/**
 * Writes the whole chain, its clock and its waiting transactions as the bytes of a state file. Throws `producer.c_chain_took_part` if AVAX went
 * between the chain and a C-Chain: the file has the P-Chain only, and a C-Chain that begins again beside it would have that AVAX a second time.
 */
export async function writeStateFile(chain: ChainTurn): Promise<Uint8Array> {
  for (const { override } of overridesOf(chain.written()))
    if (override.kind === "sharedMemory") throw producerError("producer.c_chain_took_part")
  const { store, rules, genesis } = chain.options
  // Other work runs between the parts, and the keystore may change meanwhile.
  const view = store.view()
  try {
    return await writeDump({
      networkID: rules.networkID,
      genesis: store.getMeta("genesis") ?? genesis.bytes(),
      rules: utf8(store.getMeta("rules") ?? ""),
      upgrades: utf8(store.getMeta("upgrades") ?? ""),
      readModel: utf8(store.getMeta("readModel") ?? ""),
      now: chain.now(),
      isFrozen: chain.isFrozen,
      id: idOf(store.getMeta("identity")),
      view,
      tables: dumpedTables(chain.options),
      rows: store.statistics().rows,
      waiting: [...chain.status.pool].map(({ bytes }) => bytes),
    })
  } finally {
    view.release()
  }
}

const idOf = (identity: string | undefined): string => (identity === undefined ? "" : parseIdentity(identity).id)

/** The facts in a state file that a new chain starts with. */
export interface DumpedChain {
  /** The upgrade schedule, in the form of an upgrade file. */
  readonly upgradeText: string
  /** The flags of its rules. */
  readonly ruleFlags: Readonly<Record<string, unknown>>
  readonly id: string
}

/** Reads the facts about the chain of a state file. Throws `producer.bad_dump` and `newer_dump`. */
export async function readDumpedChain(bytes: Uint8Array): Promise<DumpedChain> {
  const reader = await DumpReader.open(bytes)
  reader.close()
  const { upgrades, rules, id } = reader.head
  return { upgradeText: textOf(upgrades), ruleFlags: flagsIn(textOf(rules)), id }
}

/** Throws `producer.bad_dump`. */
function flagsIn(rules: string): Readonly<Record<string, unknown>> {
  try {
    const flags = parseJson(rules)
    if (typeof flags === "object" && flags !== null && !Array.isArray(flags)) return flags as { readonly [flag: string]: Json }
  } catch {
    // The text is none.
  }
  throw producerError("producer.bad_dump", { part: "rules" })
}

/**
 * Replaces the chain by that of a state file. With `keepsTablesBesideChain`, tables that do not belong to the chain keep their rows. Throws
 * `producer.bad_dump`, `newer_dump`, `other_dump`, `time_too_far`; then nothing has changed.
 */
export async function loadStateFile(chain: ChainTurn, bytes: Uint8Array, { keepsTablesBesideChain = false } = {}): Promise<void> {
  const reader = await DumpReader.open(bytes)
  try {
    const genesis = reader.genesis()
    checkFits(chain, reader.head, genesis)
    checkTime(reader.head.now)
    await loadFrom(reader, chain, { genesis, keepsTablesBesideChain })
  } catch (error) {
    if (!(error instanceof Invalid)) chain.options.onFault?.(error)
    throw error
  } finally {
    reader.close()
  }
}

/** The options of a load, and the genesis of the state file. */
interface LoadContext {
  readonly genesis: Genesis
  readonly keepsTablesBesideChain: boolean
}

async function loadFrom(reader: DumpReader, chain: ChainTurn, { genesis, keepsTablesBesideChain }: LoadContext): Promise<void> {
  const { options } = chain
  // Only this store has the genesis of the start, which is read when it is needed, and `dev.reset` returns to it.
  options.genesis.bytes()
  const readModel = options.store.getMeta("readModel") ?? ""
  const isOld = textOf(reader.head.readModel) !== readModel
  // The records of hosted chains stay, for those that the new chain has. Their rows are of the chain before.
  const keeps = [hostedTables.chains, ...(keepsTablesBesideChain ? (options.tablesBesideChain ?? []) : [])]
  let waiting: readonly Tx[] = []
  async function* parts() {
    for await (const part of reader.rows(tableByName(options, { isOld, keeps }))) {
      chain.requireRunning()
      yield part
    }
    waiting = await reader.waiting()
  }
  await chain.replaceChain(async ({ setClock, removing }) => {
    const { now, isFrozen, genesis: genesisBytes } = reader.head
    let removed: MetaChanges = {}
    const meta = () => ({
      ...setClock(now, isFrozen),
      ...removed,
      genesis: genesisBytes,
      genesisID: genesis.block.id,
      // The read model counts as missing until it is rebuilt.
      ...(isOld ? { readModel: undefined } : {}),
    })
    const check = (loaded: IndexedView) => {
      removed = removing(commonHeightOf(options.store.latest, loaded))
      return checkLoaded(loaded, options, { genesis, now, hasReadModel: !isOld, pace: chain.pace })
    }
    await options.store.load(parts(), { keeps, check, meta })
    if (isOld) {
      options.rebuild?.(genesis)
      options.store.putMeta({ readModel })
    }
    options.bringUp?.(genesis)
    return { waiting }
  })
}

/** Returns the tables that are read from a state file. If the file has another read model, its tables and unknown ones are skipped. */
function tableByName(
  options: PrivateChainOptions,
  { isOld, keeps }: { isOld: boolean; keeps: readonly AnyTable[] },
): TableByName {
  const read = isOld ? stateTables(options) : dumpedTables(options)
  const byName = new Map<string, AnyTable | "skipped">(read.map((table) => [table.name, table]))
  for (const { name } of keeps) byName.set(name, "skipped")
  return (name) => byName.get(name) ?? (isOld ? "skipped" : undefined)
}

/** Returns the tables of a state file without the read model, which is rebuilt if it has another version. */
function stateTables(options: PrivateChainOptions): readonly AnyTable[] {
  const { readModelTables = [] } = options
  return dumpedTables(options).filter((table) => !readModelTables.includes(table))
}

/** Returns all tables except those of hosted chains, and indexes, which are derived from the other tables. */
function dumpedTables({ tables, tablesBesideChain = [] }: PrivateChainOptions): readonly AnyTable[] {
  return [...tables, ...tablesBesideChain].filter((table) => isPrimary(table) && !ofHostedChains.has(table))
}

const ofHostedChains: ReadonlySet<AnyTable> = new Set(Object.values(hostedTables))

/** Refuses a chain of another network or with other rules. The time of its genesis may differ. */
function checkFits({ options }: ChainTurn, dump: DumpHead, theirs: Genesis): void {
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
