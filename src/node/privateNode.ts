import { existsSync } from "node:fs"
import { join } from "node:path"
import { nodeClient } from "../client/client.js"
import { LOCAL_START_TIME } from "../core/genesis/local.js"
import { isProduction, LOCAL_ID, networkNameOf } from "../core/networks/names.js"
import { type OverrideCounts, overrideCounts } from "../producer/chain/overrideCounts.js"
import { ACCOUNTS_PATH } from "../producer/keys/accounts.js"
import { DEFAULT_MNEMONIC } from "../producer/keys/mnemonic.js"
import { checkChoices, type ForkPoint } from "../producer/options.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import type { Store } from "../store/store.js"
import { type Account, accountsOn } from "./accounts.js"
import { chainDir, defaultDataDir, defaultForkDir } from "./chainData.js"
import { nodeError } from "./errors.js"
import { failure } from "./failure.js"
import type { ForkOptions } from "./fork/openFork.js"
import { newChainRules } from "./newChainRules.js"
import { type Node, startNode } from "./node.js"
import type { NodeOptions } from "./nodeOptions.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"

/** Options of a node with a private chain. */
export interface PrivateNodeOptions extends Omit<NodeOptions, "store" | "mode" | "onFault" | "fork"> {
  readonly isEphemeral: boolean
  /** The chain to fork; by default the chain is not a fork. */
  readonly fork?: ForkOptions | undefined
  /** L1s to create at the start, unless the chain has one of the same name: parameters of `dev.createL1`. */
  readonly l1s?: readonly StartedL1[] | undefined
  /** Allows a store on a shared volume, see `OpenStore`. */
  readonly allowsSharedVolume?: boolean
}

/** An L1 that a node creates when it starts. */
export interface StartedL1 {
  readonly name: string
  readonly vm: string
  /** The genesis as hex with `0x`. */
  readonly genesis?: string
}

/** State of a private chain's clock. */
export interface ChainClock {
  /** The time in Unix seconds. */
  readonly now: bigint
  /** Seconds ahead of the machine's clock. */
  readonly offset: bigint
  readonly isFrozen: boolean
}

/** A running private chain. */
export interface PrivateNode extends Node {
  /** Data directory; `undefined` if nothing is stored. */
  readonly dataDir: string | undefined
  /** Rejects when a fault in Serac stops the chain. */
  readonly failed: Promise<never>
  /** Returns the state of the chain's clock. */
  clock(): ChainClock
  /** The phrase of the accounts' keys, and their path below it. */
  readonly phrase: { readonly mnemonic: string; readonly path: string }
  /** Returns the publicly known keys with their present balances. */
  accounts(): readonly Account[]
  /** Ends long work at its next pause, because the chain is about to stop. */
  interrupt(): void
  dumpState(): Promise<Uint8Array>
  /** The last block before the fork, and whether this start created the fork; `undefined` if the chain is not a fork. */
  readonly fork: (ForkPoint & { readonly isNew: boolean }) | undefined
  /** Counts the overrides in force. */
  overrides(): OverrideCounts
}

/** Starts a private chain, in memory or on the disk: a chain of its own, or a fork of another chain. */
export async function startPrivateNode(options: PrivateNodeOptions): Promise<PrivateNode> {
  const fork = options.fork ?? (await keptFork(options))
  return fork ? startFork({ ...options, fork }) : startOwnChain(options)
}

/** A fork in the data directory continues even if it is not named again. */
async function keptFork({ dataDir, isEphemeral }: PrivateNodeOptions): Promise<ForkOptions | undefined> {
  if (dataDir === undefined || isEphemeral || !existsSync(join(dataDir, "fork"))) return undefined
  const { holdsFork } = await import("./fork/forkDirectory.js")
  return holdsFork(dataDir) ? { from: undefined } : undefined
}

async function startOwnChain(options: PrivateNodeOptions): Promise<PrivateNode> {
  const networkID = options.choice.networkID ?? LOCAL_ID
  if (isProduction(networkID)) throw nodeError("node.production", { network: networkNameOf(networkID) })
  // A genesis file that starts later than the clock is refused when it is read.
  await checkChoices(options.producer ?? {}, options.choice.genesisText === undefined ? LOCAL_START_TIME : 0n)
  const choice = { ifNew: await newChainRules(options), ...options.choice }
  const dataDir = options.isEphemeral ? undefined : (options.dataDir ?? defaultDataDir(networkID))
  const store =
    dataDir === undefined
      ? new MemoryStore({ tables: nodeTables, tablesBesideChain })
      : // LMDB takes as long to load as all the rest; a chain in memory does without.
        (await import("./openStore.js")).openStore(chainDir(dataDir), {
          log: options.log,
          allowsSharedVolume: options.allowsSharedVolume,
        })
  return startOn({ ...options, choice, dataDir }, store)
}

/** Starts a fork. Its accounts are funded only if an option asks for accounts, and its validators leave at the end of their periods. */
async function startFork(options: PrivateNodeOptions & { readonly fork: ForkOptions }): Promise<PrivateNode> {
  // LMDB is loaded on use, because it takes as long as the rest of the start.
  const { openFork } = await import("./fork/openFork.js")
  await checkChoices(options.producer ?? {}, 0n)
  const { fork, choice: given, isEphemeral, allowsSharedVolume, log, wall } = options
  const { networkID, resets = false } = given
  const dataDir = isEphemeral ? undefined : (options.dataDir ?? defaultForkDir())
  const { store, point, isNew } = await openFork({ fork, dataDir, networkID, resets, allowsSharedVolume, log, wall })
  const startTime = options.producer?.startTime ?? point.timestamp
  const producer = { ...options.producer, startTime, renewsValidators: false }
  const choice = { ...given, resets: false }
  // Worker processes cannot open the rows of a fork.
  return startOn({ ...options, producer, choice, dataDir }, store, { ...point, isNew })
}

async function startOn(options: PrivateNodeOptions, store: Store, fork?: PrivateNode["fork"]): Promise<PrivateNode> {
  const { dataDir } = options
  const { failed, fail } = failure()
  const node = await startNode({ ...options, store, fork, mode: "dev", onFault: fail })
  const { l1s = [] } = options
  if ((options.producer?.accounts?.count ?? 0) > 0 || l1s.length > 0) await begun(node)
  await createL1s(node, l1s)
  return {
    ...node,
    dataDir,
    failed,
    fork,
    overrides: () => overrideCounts(store.latest),
    clock: () => clockOf(node),
    phrase: { mnemonic: options.producer?.accounts?.mnemonic ?? DEFAULT_MNEMONIC, path: ACCOUNTS_PATH },
    accounts: () => accountsOn(node, options.producer?.accounts),
    interrupt: () => node.privateChain?.interrupt(),
    dumpState: async () => (await node.dev?.dumpState()) ?? new Uint8Array(0),
  }
}

/** Waits until the chain has begun and accounts have their funds. Stops the node if it cannot begin. */
async function begun(node: Node): Promise<void> {
  try {
    await node.begun
  } catch (error) {
    await node.stop()
    throw error
  }
}

/** Creates the L1s that the chain does not have. Stops the node if one cannot be created. */
async function createL1s({ api, stop }: Node, l1s: readonly StartedL1[]): Promise<void> {
  if (l1s.length === 0) return
  const rpc = nodeClient(async (path, body) => {
    const reply = await api.handle(path, Buffer.from(body))
    return reply ? Buffer.concat(reply.body).toString("utf8") : ""
  })
  try {
    const kept = new Set((await rpc("dev.listL1s")).l1s.map(({ name }) => name))
    for (const each of l1s) if (!kept.has(each.name)) await rpc("dev.createL1", { ...each })
  } catch (error) {
    await stop()
    throw error
  }
}

function clockOf({ now, privateChain }: Node): ChainClock {
  return { now: now(), offset: privateChain?.clock.offset ?? 0n, isFrozen: privateChain?.clock.isFrozen ?? false }
}
