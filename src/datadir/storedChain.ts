import { homedir } from "node:os"
import { join } from "node:path"
import { applyGenesis } from "../core/genesis/apply.js"
import { genesisFor, localStartTimeFor } from "../core/genesis/forNetwork.js"
import { decodeGenesis, type Genesis } from "../core/genesis/genesis.js"
import { Invalid } from "../core/lib/invalid.js"
import { printJson } from "../core/lib/json.js"
import { type Log, silentLog } from "../core/lib/log.js"
import { parseJson } from "../core/lib/parseJson.js"
import { type ChainIdentity, identityText, networkChainID } from "../core/networks/chainIdentity.js"
import type { FlagValue } from "../core/networks/flagValue.js"
import { paramsFor, upgradesFor } from "../core/networks/index.js"
import { isProduction, LOCAL_ID, networkNameOf } from "../core/networks/names.js"
import type { Params } from "../core/networks/params.js"
import { applyRuleFlags, applyStoredRuleFlags, checkFeesLast, storedRuleValue } from "../core/networks/ruleFlags.js"
import { parseUpgradeFile } from "../core/networks/upgradeFile.js"
import type { Upgrades } from "../core/networks/upgrades.js"
import { projectGenesis } from "../core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import type { Rules } from "../core/rules/context.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { Edits } from "../core/state/view.js"
import { emptyView } from "../core/state/view.js"
import { type ID, idText } from "../core/types/id.js"
import { crypto } from "../platform/backends.js"
import type { Store } from "../store/store.js"
import { nodeError } from "./errors.js"
import { genesisFactsText, isOfGenesisFile, storedGenesis } from "./genesis/storedGenesis.js"
import { upgradesOfChain, upgradesText } from "./upgradesOfChain.js"

/** The choice of a chain. Missing settings are taken from the store, or from the defaults. */
export interface RequestedChain {
  readonly networkID?: number | undefined
  /** The text of a genesis file. */
  readonly genesisText?: string | undefined
  /** The genesis bytes of Mainnet or Fuji (`loadPublishedGenesis`), for a chain that is not in the store yet. */
  readonly publishedGenesis?: Uint8Array | undefined
  /** The genesis bytes of the chain that is copied, in place of a built-in genesis. */
  readonly copiedGenesis?: Uint8Array | undefined
  /** The text of an upgrade file. */
  readonly upgradeText?: string | undefined
  /** A schedule in another form (`--upgrade NAME`). */
  readonly upgrades?: Upgrades | undefined
  /** The rules of a new chain if no schedule is given; by default the network's own rules. */
  readonly ifNew?: NewChainRules | undefined
  /** The flags that set rules, as they were given. */
  readonly ruleFlags?: Readonly<Record<string, FlagValue>>
  /** The required ID of the genesis block of a built-in genesis, whatever its start time. */
  readonly genesisBlockID?: ID | undefined
  /** The kind of a new chain, and its ID if that is not the one of its network; a copy of its network's chain by default. */
  readonly origin?: (Pick<ChainIdentity, "kind"> & Partial<ChainIdentity>) | undefined
  /** Replaces the private chain in the store by a new one (`--reset`). */
  readonly resets?: boolean | undefined
  /** True if the caller adds the history for explorers itself (`historyParts`) to a new chain whose proofs are not verified yet. */
  readonly addsHistoryLater?: boolean | undefined
  /** The clock, Unix seconds. */
  readonly now: bigint
}

/** The rules of a new chain if no others are requested. */
export interface NewChainRules {
  readonly upgrades: Upgrades
  /** Flags that set rules, in addition to the given ones. */
  readonly ruleFlags: Readonly<Record<string, FlagValue>>
  /** The ID of the chain that is continued; a new one by default. */
  readonly id?: string | undefined
}

/** A chain's constants: its genesis and its rules. */
export interface StoredChain {
  readonly genesis: Genesis
  readonly rules: Rules
  /** The flags that set rules, as they were given when the chain was created. */
  readonly ruleFlags: Readonly<Record<string, string>>
  /** True if this start created the chain. */
  readonly isNew: boolean
  /** False as long as the proofs of possession of its genesis have not been verified. No block may be accepted before. */
  readonly isProven: boolean
}

/** Returns the default data directory of a network. Throws `node.no_home` if the environment names no home directory. */
export function defaultDataDir(networkID: number): string {
  const home = homedir()
  if (home === "") throw nodeError("node.no_home")
  return join(home, ".serac", networkNameOf(networkID))
}

/** Returns the default data directory of forks. Throws `node.no_home`. */
export const defaultForkDir = (): string => join(defaultDataDir(LOCAL_ID), "..", "fork")

/** Returns the directory of the chain in a data directory. */
export const chainDir = (dataDir: string): string => join(dataDir, "chain")

/** Opens the chain of a store and compares it with the requested one, or creates a new one. Throws `node.other_*`. */
export function openStoredChain(store: Store, choice: RequestedChain, log: Log = silentLog): StoredChain {
  const isKept = store.latest.get(tables.lastAccepted, null) !== undefined
  if (!isKept || choice.resets) return newChain(store, choice, isKept, log)
  try {
    return rememberedChain(store, choice)
  } catch (error) {
    // This genesis has an invalid proof and was written before its proofs were verified, so another one replaces it.
    const isAbandoned = store.getMeta("unprovenGenesis") !== undefined
    if (isAbandoned && error instanceof Invalid && error.code === "node.other_genesis") return newChain(store, choice, true, log)
    throw error
  }
}

/**
 * Returns the chain that a store names in its meta values, whether or not its rows are there. Throws `node.no_chain` if it names none, because
 * the first start was ended before it had written its genesis.
 */
export function storedChain(store: Store, networkID?: number): StoredChain {
  if (store.getMeta("networkID") === undefined) throw nodeError("node.no_chain")
  return rememberedChain(store, { networkID, now: 0n })
}

/** Returns the first rows of a chain, including those of the read model. */
export function genesisEdits({ genesis, rules }: NewChain, withExplorer = true): Edits {
  const diff = new Diff(emptyView)
  applyGenesis(diff, genesis, rules)
  projectGenesis(diff, genesis, withExplorer)
  return diff.edits
}

/** A chain with no block but its genesis. */
type NewChain = Pick<StoredChain, "genesis" | "rules">

/** The minimum number of UTXOs of a genesis whose writing is logged. It takes a tenth of a second for so many. */
const MANY_UTXOS = 2_000

function newChain(store: Store, choice: RequestedChain, replaces: boolean, log: Log): StoredChain {
  if (replaces) requirePrivate(store)
  const networkID = choice.networkID ?? LOCAL_ID
  const requested = upgradesOf(networkID, choice)
  const ifNew = requested === undefined ? choice.ifNew : undefined
  const upgrades = requested ?? ifNew?.upgrades ?? upgradesFor(networkID)
  const ruleFlags = textsOf({ ...ifNew?.ruleFlags, ...choice.ruleFlags })
  const params = applyRuleFlags(paramsFor(networkID), ruleFlags)
  const { genesisText } = choice
  const copied = copiedGenesis(networkID, choice)
  const genesis =
    copied ??
    genesisFor({
      crypto,
      networkID,
      configText: genesisText,
      publishedBytes: choice.publishedGenesis,
      now: choice.now,
      startTime: startTimeOf(networkID, choice),
      maxStakeDuration: params.staking.maxStakeDuration,
    })
  const rules = { crypto, networkID, avaxAssetID: genesis.avaxAssetID, params, upgrades }
  if (choice.origin?.kind === "private") checkFeesLast(params, genesis.timestamp)
  // A test has verified the proofs of the built-in genesis.
  const isProven = (genesisText === undefined && !copied) || store.getMeta("provenGenesis") === genesis.id
  const { kind, id = networkChainID(networkID, genesis.block.id) } = choice.origin ?? { kind: "followed" }
  const [validators, utxos] = [genesis.validators.length, genesis.utxos.length]
  if (utxos >= MANY_UTXOS) log.info("computing the first rows of the chain", { validators, utxos })
  const edits = genesisEdits({ genesis, rules }, isProven || !choice.addsHistoryLater)
  if (utxos >= MANY_UTXOS) log.info("writing the genesis", { rows: [...edits.values()].reduce((sum, { size }) => sum + size, 0) })
  store.commit(edits, {
    meta: {
      readModel: READ_MODEL_VERSION,
      networkID,
      identity: identityText({ kind, id }),
      genesis: genesis.bytes,
      genesisID: genesis.block.id,
      genesisFacts: genesisFactsText(genesis, genesisText),
      unprovenGenesis: isProven ? undefined : genesis.id,
      rules: printJson(ruleFlags),
      upgrades: upgradesText(upgrades),
      // The clock of the previous chain does not apply to the new one.
      clockOffset: undefined,
      producer: undefined,
    },
    replaceAll: replaces,
  })
  if (utxos >= MANY_UTXOS) log.info("the genesis is written")
  return { genesis, rules, ruleFlags, isNew: true, isProven }
}

/** Returns the genesis that is copied from another node or an export. Throws `node.other_genesis` if it is not the required one. */
function copiedGenesis(networkID: number, { copiedGenesis: bytes, genesisBlockID }: RequestedChain): Genesis | undefined {
  if (!bytes || isProduction(networkID)) return undefined
  const genesis = decodeGenesis(bytes)
  if (genesis.networkID !== networkID) throw nodeError("node.other_network", { expected: networkID, got: genesis.networkID })
  const id = genesis.block.id
  if (genesisBlockID !== undefined && id !== genesisBlockID) {
    throw nodeError("node.other_genesis", { expected: idText(genesisBlockID), got: idText(id) })
  }
  return genesis
}

/** A chain of Mainnet or Fuji takes long to fetch, so it is never replaced. */
function requirePrivate(store: Store): void {
  const networkID = requireMeta(store, "networkID")
  if (isProduction(networkID)) throw nodeError("node.production", { network: networkNameOf(networkID) })
}

function rememberedChain(store: Store, choice: RequestedChain): StoredChain {
  const networkID = requireMeta(store, "networkID")
  const ruleFlags = parseJson(requireMeta(store, "rules")) as Record<string, string>
  const upgrades = upgradesOfChain(store, networkID)
  const params = requireSameRules({ networkID, ruleFlags, upgrades }, choice)
  const genesis = storedGenesis(store)
  if (choice.genesisText === undefined || !isOfGenesisFile(store, choice.genesisText)) {
    checkGenesis(genesis, networkID, choice, params.staking.maxStakeDuration)
  }
  const isProven = store.getMeta("unprovenGenesis") === undefined
  const rules = { crypto, networkID, avaxAssetID: genesis.avaxAssetID, params, upgrades }
  return { genesis, rules, ruleFlags, isNew: false, isProven }
}

/**
 * Returns the parameters of a chain. Throws `node.other_network`, `node.other_rule` or `node.other_upgrades` if the choice names another
 * network or other rules than the chain was made with.
 */
export function requireSameRules(
  { networkID, ruleFlags, upgrades }: Pick<Rules, "networkID" | "upgrades"> & Pick<StoredChain, "ruleFlags">,
  choice: RequestedChain,
): Params {
  if (choice.networkID !== undefined && choice.networkID !== networkID) {
    throw nodeError("node.other_network", { expected: networkNameOf(networkID), got: networkNameOf(choice.networkID) })
  }
  const params = applyStoredRuleFlags(paramsFor(networkID), ruleFlags)
  for (const [flag, value] of Object.entries(textsOf(choice.ruleFlags ?? {}))) {
    if (printJson(applyStoredRuleFlags(params, { [flag]: value })) === printJson(params)) continue
    throw nodeError("node.other_rule", { flag, got: value, expected: ruleFlags[flag] ?? storedRuleValue(params, flag) })
  }
  const given = upgradesOf(networkID, choice)
  if (given && upgradesText(given) !== upgradesText(upgrades)) throw nodeError("node.other_upgrades")
  return params
}

function checkGenesis(genesis: Genesis, networkID: number, choice: RequestedChain, maxStakeDuration: bigint): void {
  const { genesisText: configText, genesisBlockID, now } = choice
  const requested = configText === undefined ? undefined : genesisFor({ crypto, networkID, configText, now, maxStakeDuration })
  const expected = requested?.block.id ?? genesisBlockID ?? genesis.block.id
  if (expected !== genesis.block.id) {
    throw nodeError("node.other_genesis", { expected: idText(genesis.block.id), got: idText(expected) })
  }
}

/** Returns the requested schedule. Unlike AvalancheGo, Serac also accepts one on the local network, so that old chains can be replayed. */
function upgradesOf(networkID: number, { upgradeText, upgrades }: RequestedChain): Upgrades | undefined {
  if (upgradeText === undefined && upgrades === undefined) return undefined
  if (isProduction(networkID)) throw nodeError("node.upgrades_fixed", { network: networkNameOf(networkID) })
  return upgradeText === undefined ? upgrades : parseUpgradeFile(upgradeText)
}

/** Returns the start time of a built-in genesis whose block is required; `undefined` for AvalancheGo's. Throws `node.not_genesis`. */
function startTimeOf(networkID: number, { genesisBlockID, genesisText }: RequestedChain): bigint | undefined {
  if (genesisBlockID === undefined || genesisText !== undefined || isProduction(networkID)) return undefined
  const found = localStartTimeFor(genesisBlockID, networkID)
  if (found === undefined) throw nodeError("node.not_genesis", { parentID: idText(genesisBlockID) })
  return found
}

/** Converts flags to text, so that they can be stored and compared. */
function textsOf(flags: Readonly<Record<string, FlagValue>>): Record<string, string> {
  const entries = Object.entries(flags).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

function requireMeta<N extends "networkID" | "rules">(store: Store, name: N) {
  const value = store.getMeta(name)
  if (value === undefined) throw new Error(`the store has a chain but no ${name}`)
  return value as NonNullable<ReturnType<typeof store.getMeta<N>>>
}
