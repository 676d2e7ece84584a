import { LOCAL_START_TIME } from "../../core/genesis/local.js"
import { valueOrUndefined } from "../../core/lib/invalid.js"
import { type FlagValue, readFlagValue } from "../../core/networks/flagValue.js"
import { local } from "../../core/networks/local.js"
import { isProduction, LOCAL_ID, networkNameOf } from "../../core/networks/names.js"
import { parseUpgradeFile } from "../../core/networks/upgradeFile.js"
import { privateChainUpgrades } from "../../core/networks/upgrades.js"
import { nodeError } from "../../datadir/errors.js"
import type { DefaultRules } from "../../datadir/newChain.js"
import { holdsFork } from "../../datadir/places.js"
import type { RequestedChain } from "../../datadir/requestedChain.js"
import type { ChainHost } from "../../hosting/chainHost.js"
import { createL1s, type StartedL1 } from "../../hosting/openHosting.js"
import { type Node, startNode } from "../../node/node.js"
import { type OverrideCounts, overrideCounts } from "../../producer/chain/overrideCounts.js"
import { ACCOUNTS_PATH } from "../../producer/keys/accounts.js"
import { DEFAULT_MNEMONIC } from "../../producer/keys/mnemonic.js"
import { checkChoices } from "../../producer/options.js"
import { readDumpedChain, writeStateFile } from "../../producer/snapshots/stateFile.js"
import type { Store } from "../../store/store.js"
import type { ForkOptions, OpenedFork } from "../fork/openFork.js"
import { openNodeStore } from "../openChain.js"
import { type Account, accountsOn } from "./accounts.js"
import { type PrivateNodeChain, type PrivateNodeChainOptions, privateNodeChain } from "./privateNodeChain.js"

export interface PrivateNodeOptions extends PrivateNodeChainOptions {
  /** The chain to fork; by default the chain is not a fork. */
  readonly fork?: ForkOptions | undefined
  /** L1s to create at the start, unless the chain has one of the same name. */
  readonly l1s?: readonly StartedL1[] | undefined
}

export interface PrivateNode extends Node<PrivateNodeChain>, Pick<PrivateNodeChain, "privateChain"> {
  /** The chains that the node hosts; `undefined` if it hosts none. */
  readonly l1s: ChainHost | undefined
  /** The phrase of the accounts' keys, and their path below it. */
  readonly phrase: { readonly mnemonic: string; readonly path: string }
  /** Returns the publicly known keys with their present balances. */
  accounts(): readonly Account[]
  dumpState(): Promise<Uint8Array>
  /** The last block before the fork, and whether this start created the fork; `undefined` if the chain is not a fork. */
  readonly fork: OpenedFork["point"] | undefined
  /** Counts the overrides in force. */
  overrides(): OverrideCounts
}

/** Starts a private chain, in memory or on the disk: a chain of its own, or a fork of another chain. */
export async function startPrivateNode(options: PrivateNodeOptions): Promise<PrivateNode> {
  const { dataDir } = options
  // A fork in the data directory continues even if it is not named again.
  const isKeptFork = dataDir !== undefined && holdsFork(dataDir)
  const fork = options.fork ?? (isKeptFork ? { from: undefined } : undefined)
  const node = await (fork ? startFork(options, fork) : startOwnChain(options))
  const { l1s = [], producer } = options
  try {
    if ((producer?.accounts?.count ?? 0) > 0 || l1s.length > 0) await node.begun
    if (l1s.length > 0 && node.l1s) await createL1s(node.l1s, node.api, l1s)
    // The node answers already.
    await node.l1s?.started
    return node
  } catch (error) {
    await node.stop()
    throw error
  }
}

async function startOwnChain(options: PrivateNodeOptions): Promise<PrivateNode> {
  const networkID = options.choice.networkID ?? LOCAL_ID
  if (isProduction(networkID)) throw nodeError("node.production", { network: networkNameOf(networkID) })
  // A genesis file that starts later than the clock is refused when it is read.
  await checkChoices(options.producer ?? {}, options.choice.genesisText === undefined ? LOCAL_START_TIME : 0n)
  const defaultRules = await newChainRules(options)
  return startPrivateChain(await openNodeStore(options.dataDir, options), { ...options, defaultRules })
}

/** Starts a fork. Its accounts are funded only if an option asks for accounts, and its validators leave at the end of their periods. */
async function startFork(options: PrivateNodeOptions, fork: ForkOptions): Promise<PrivateNode> {
  // LMDB is loaded on use, because it takes as long as the rest of the start.
  const { openFork } = await import("../fork/openFork.js")
  await checkChoices(options.producer ?? {}, 0n)
  const { store, point } = await openFork({ ...options, fork })
  const startTime = options.producer?.startTime ?? point.timestamp
  const producer = { ...options.producer, startTime, renewsValidators: false }
  return startPrivateChain(store, { ...options, producer, choice: { ...options.choice, resets: false } }, point)
}

export async function startPrivateChain(
  store: Store,
  options: PrivateNodeChainOptions,
  fork?: PrivateNode["fork"],
): Promise<PrivateNode> {
  const node = await startNode(store, { ...options, fork }, privateNodeChain)
  const { privateChain, hosting } = node.chain
  const { accounts } = options.producer ?? {}
  return {
    ...node,
    privateChain,
    l1s: hosting?.host,
    fork,
    overrides: () => overrideCounts(store.latest),
    phrase: { mnemonic: accounts?.mnemonic ?? DEFAULT_MNEMONIC, path: ACCOUNTS_PATH },
    accounts: () => accountsOn(node, accounts),
    dumpState: () => privateChain.turn(writeStateFile),
  }
}

const MIN = "min-stake-duration"
const HELICON_MIN = "helicon-min-stake-duration"

/** Returns the rules of a new private chain: those of Mainnet today, or those of the dumped state from which it starts, with its ID. */
export async function newChainRules(options: {
  readonly choice: Pick<RequestedChain, "ruleFlags">
  readonly loadState?: Uint8Array | undefined
}): Promise<DefaultRules> {
  const { loadState, choice } = options
  if (loadState !== undefined) {
    const { upgradeText, ruleFlags, id } = await readDumpedChain(loadState)
    const implied = Object.hasOwn(ruleFlags, HELICON_MIN) ? shorterMinimum(choice.ruleFlags ?? {}) : {}
    return { upgrades: parseUpgradeFile(upgradeText), ruleFlags: implied, id }
  }
  return { upgrades: privateChainUpgrades, ruleFlags: shorterMinimum(choice.ruleFlags ?? {}) }
}

/** Since Helicon validators have a minimum of their own. A given minimum below its default applies to them too, unless theirs is given. */
function shorterMinimum(given: Readonly<Record<string, FlagValue>>): Readonly<Record<string, FlagValue>> {
  const requested = given[MIN]
  if (requested === undefined || given[HELICON_MIN] !== undefined || !isBelowHelicon(requested)) return {}
  return { [HELICON_MIN]: requested }
}

/** Returns whether a text is a duration below Helicon's minimum. Other texts are refused when flags are read. */
function isBelowHelicon(requested: FlagValue): boolean {
  const nanoseconds = valueOrUndefined(() => readFlagValue("duration", requested))
  return nanoseconds !== undefined && nanoseconds > 0 && nanoseconds < local.params.staking.heliconMinStakeNanoseconds
}
