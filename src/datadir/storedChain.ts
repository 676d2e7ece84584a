import { applyGenesis } from "../core/genesis/apply.js"
import { genesisFor } from "../core/genesis/forNetwork.js"
import type { Genesis } from "../core/genesis/genesis.js"
import { Invalid } from "../core/lib/invalid.js"
import { printJson } from "../core/lib/json.js"
import { type Log, silentLog } from "../core/lib/log.js"
import { parseJson } from "../core/lib/parseJson.js"
import { identityText } from "../core/networks/chainIdentity.js"
import { paramsFor } from "../core/networks/index.js"
import { isProduction, networkNameOf } from "../core/networks/names.js"
import type { Params } from "../core/networks/params.js"
import { applyStoredRuleFlags, storedRuleValue } from "../core/networks/ruleFlags.js"
import { projectGenesis } from "../core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import type { Rules } from "../core/rules/context.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import type { Edits } from "../core/state/view.js"
import { emptyView } from "../core/state/view.js"
import { idText } from "../core/types/id.js"
import { crypto } from "../platform/backends.js"
import type { Store } from "../store/store.js"
import { nodeError } from "./errors.js"
import { genesisFactsText, isOfGenesisFile, storedGenesis } from "./genesis/storedGenesis.js"
import { type NewChain, newCopy } from "./newChain.js"
import { type RequestedChain, type RequestedCopy, requestedUpgrades, textsOf } from "./requestedChain.js"
import { upgradesOfChain, upgradesText } from "./upgradesOfChain.js"

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

interface Opening {
  /** Makes the chain that is written if the store has none. */
  make(): NewChain
  /** True if a new chain replaces the one in the store. */
  readonly resets?: boolean | undefined
  /** True if the caller adds the history for explorers itself (`historyParts`) to a new chain whose proofs are not verified yet. */
  readonly addsHistoryLater?: boolean
  readonly log?: Log
}

/** Opens the chain of a store and compares it with the requested one, or creates a new one. Throws `node.other_*`. */
export function openStoredChain(store: Store, request: RequestedCopy, opening: Opening): StoredChain {
  const isKept = store.latest.get(tables.lastAccepted, null) !== undefined
  if (!isKept || opening.resets) return writtenChain(store, opening, isKept)
  try {
    return rememberedChain(store, request)
  } catch (error) {
    // This genesis has an invalid proof and was written before its proofs were verified, so another one replaces it.
    const isAbandoned = store.getMeta("unprovenGenesis") !== undefined
    if (isAbandoned && error instanceof Invalid && error.code === "node.other_genesis") return writtenChain(store, opening, true)
    throw error
  }
}

/** Opens the copy of a chain in a store, or makes a new one. */
export const openCopy = (store: Store, request: RequestedCopy): StoredChain =>
  openStoredChain(store, request, { make: () => newCopy(request) })

/**
 * Returns the chain that a store names in its meta values, whether or not its rows are there. Throws `node.no_chain` if it names none, because
 * the first start was ended before it had written its genesis.
 */
export function storedChain(store: Store, networkID?: number): StoredChain {
  if (store.getMeta("networkID") === undefined) throw nodeError("node.no_chain")
  return rememberedChain(store, { networkID, now: 0n })
}

/** Returns the first rows of a chain, including those of the read model. */
export function genesisEdits({ genesis, rules }: Pick<NewChain, "genesis" | "rules">, withExplorer = true): Edits {
  const diff = new Diff(emptyView)
  applyGenesis(diff, genesis, rules)
  projectGenesis(diff, genesis, withExplorer)
  return diff.edits
}

/** The minimum number of UTXOs of a genesis whose writing is logged. It takes a tenth of a second for so many. */
const MANY_UTXOS = 2_000

function writtenChain(store: Store, { make, addsHistoryLater, log = silentLog }: Opening, replaces: boolean): StoredChain {
  if (replaces) requirePrivate(store)
  const made = make()
  const { identity, genesis, genesisText, rules, ruleFlags } = made
  const isProven = made.isProven || store.getMeta("provenGenesis") === genesis.id
  const [validators, utxos] = [genesis.body().validators.length, genesis.body().utxos.length]
  if (utxos >= MANY_UTXOS) log.info("computing the first rows of the chain", { validators, utxos })
  const edits = genesisEdits(made, isProven || !addsHistoryLater)
  if (utxos >= MANY_UTXOS) log.info("writing the genesis", { rows: [...edits.values()].reduce((sum, { size }) => sum + size, 0) })
  store.commit(edits, {
    meta: {
      readModel: READ_MODEL_VERSION,
      networkID: rules.networkID,
      identity: identityText(identity),
      genesis: genesis.bytes(),
      genesisID: genesis.block.id,
      genesisFacts: genesisFactsText(genesis, genesisText),
      unprovenGenesis: isProven ? undefined : genesis.id,
      rules: printJson(ruleFlags),
      upgrades: upgradesText(rules.upgrades),
      // The clock of the previous chain does not apply to the new one.
      clockOffset: undefined,
      producer: undefined,
    },
    replaceAll: replaces,
  })
  if (utxos >= MANY_UTXOS) log.info("the genesis is written")
  return { genesis, rules, ruleFlags, isNew: true, isProven }
}

/** A chain of Mainnet or Fuji takes long to fetch, so it is never replaced. */
function requirePrivate(store: Store): void {
  const networkID = requireMeta(store, "networkID")
  if (isProduction(networkID)) throw nodeError("node.production", { network: networkNameOf(networkID) })
}

function rememberedChain(store: Store, request: RequestedCopy): StoredChain {
  const networkID = requireMeta(store, "networkID")
  const ruleFlags = parseJson(requireMeta(store, "rules")) as Record<string, string>
  const upgrades = upgradesOfChain(store, networkID)
  const params = requireSameRules({ networkID, ruleFlags, upgrades }, request)
  const genesis = storedGenesis(store)
  if (request.genesisText === undefined || !isOfGenesisFile(store, request.genesisText)) {
    checkGenesis(genesis, networkID, request, params.staking.maxStakeDuration)
  }
  const isProven = store.getMeta("unprovenGenesis") === undefined
  const rules = { crypto, networkID, avaxAssetID: genesis.avaxAssetID, params, upgrades }
  return { genesis, rules, ruleFlags, isNew: false, isProven }
}

/**
 * Returns the parameters of a chain. Throws `node.other_network`, `node.other_rule` or `node.other_upgrades` if the request names another
 * network or other rules than the chain was made with.
 */
export function requireSameRules(
  { networkID, ruleFlags, upgrades }: Pick<Rules, "networkID" | "upgrades"> & Pick<StoredChain, "ruleFlags">,
  request: RequestedChain,
): Params {
  if (request.networkID !== undefined && request.networkID !== networkID) {
    throw nodeError("node.other_network", { expected: networkNameOf(networkID), got: networkNameOf(request.networkID) })
  }
  const params = applyStoredRuleFlags(paramsFor(networkID), ruleFlags)
  for (const [flag, value] of Object.entries(textsOf(request.ruleFlags ?? {}))) {
    if (printJson(applyStoredRuleFlags(params, { [flag]: value })) === printJson(params)) continue
    throw nodeError("node.other_rule", { flag, got: value, expected: ruleFlags[flag] ?? storedRuleValue(params, flag) })
  }
  const given = requestedUpgrades(networkID, request)
  if (given && upgradesText(given) !== upgradesText(upgrades)) throw nodeError("node.other_upgrades")
  return params
}

function checkGenesis(genesis: Genesis, networkID: number, request: RequestedCopy, maxStakeDuration: bigint): void {
  const { genesisText: configText, genesisBlockID, now } = request
  const requested = configText === undefined ? undefined : genesisFor({ crypto, networkID, configText, now, maxStakeDuration })
  const expected = requested?.block.id ?? genesisBlockID ?? genesis.block.id
  if (expected !== genesis.block.id) {
    throw nodeError("node.other_genesis", { expected: idText(genesis.block.id), got: idText(expected) })
  }
}

function requireMeta<N extends "networkID" | "rules">(store: Store, name: N) {
  const value = store.getMeta(name)
  if (value === undefined) throw new Error(`the store has a chain but no ${name}`)
  return value as NonNullable<ReturnType<typeof store.getMeta<N>>>
}
