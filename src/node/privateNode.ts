import { LOCAL_START_TIME } from "../core/genesis/local.js"
import { isProduction, LOCAL_ID, networkNameOf } from "../core/networks/names.js"
import { ACCOUNTS_PATH } from "../producer/keys/accounts.js"
import { DEFAULT_MNEMONIC } from "../producer/keys/mnemonic.js"
import { checkChoices } from "../producer/options.js"
import { MemoryStore } from "../store/memoryStore.js"
import { type Account, accountsOn } from "./accounts.js"
import { chainDir, defaultDataDir } from "./chainData.js"
import { nodeError } from "./errors.js"
import { failure } from "./failure.js"
import { newChainRules } from "./newChainRules.js"
import { type Node, startNode } from "./node.js"
import type { NodeOptions } from "./nodeOptions.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"

/** Options of a node with a private chain. */
export interface PrivateNodeOptions extends Omit<NodeOptions, "store" | "mode" | "onFault"> {
  readonly isEphemeral: boolean
  /** See `OpenStore`. */
  readonly allowsSharedVolume?: boolean
}

/** State of a private chain's clock. */
export interface ChainClock {
  /** Unix seconds. */
  readonly now: bigint
  /** Seconds ahead of the machine's clock. */
  readonly offset: bigint
  readonly isFrozen: boolean
}

/** A private chain that runs. */
export interface PrivateNode extends Node {
  /** Data directory; `undefined` if nothing is stored. */
  readonly dataDir: string | undefined
  /** Rejects when a fault of ours leaves the chain unable to go on. */
  readonly failed: Promise<never>
  /** Returns the state of the chain's clock. */
  clock(): ChainClock
  /** The phrase that the keys of the accounts come from, and their path below it. */
  readonly phrase: { readonly mnemonic: string; readonly path: string }
  /** The keys that everybody has, with what they own now. */
  accounts(): readonly Account[]
  /** Lets work that takes long end at its next pause: the chain is about to stop. */
  interrupt(): void
  dumpState(): Promise<Uint8Array>
}

/** Starts a private chain, in memory or on the disk. */
export async function startPrivateNode(options: PrivateNodeOptions): Promise<PrivateNode> {
  const networkID = options.choice.networkID ?? LOCAL_ID
  if (isProduction(networkID)) throw nodeError("node.production", { network: networkNameOf(networkID) })
  // A genesis file that starts later than the clock is refused when it is read.
  await checkChoices(options.producer ?? {}, options.choice.genesisText === undefined ? LOCAL_START_TIME : 0n)
  const choice = { ifNew: await newChainRules(options), ...options.choice }
  const dataDir = options.isEphemeral ? undefined : (options.dataDir ?? defaultDataDir(networkID))
  const { failed, fail } = failure()
  const store =
    dataDir === undefined
      ? new MemoryStore({ tables: nodeTables, tablesBesideChain })
      : // LMDB takes as long to load as all the rest; a chain in memory does without.
        (await import("./openStore.js")).openStore(chainDir(dataDir), {
          log: options.log,
          allowsSharedVolume: options.allowsSharedVolume,
        })
  const node = await startNode({ ...options, choice, dataDir, store, mode: "dev", onFault: fail })
  if ((options.producer?.accounts?.count ?? 0) > 0) await begun(node)
  return {
    ...node,
    dataDir,
    failed,
    clock: () => clockOf(node),
    phrase: { mnemonic: options.producer?.accounts?.mnemonic ?? DEFAULT_MNEMONIC, path: ACCOUNTS_PATH },
    accounts: () => accountsOn(node, options.producer?.accounts),
    interrupt: () => node.privateChain?.interrupt(),
    dumpState: async () => (await node.dev?.dumpState()) ?? new Uint8Array(0),
  }
}

/** Waits until the chain has begun, and accounts have their funds. Stops the node where it cannot begin. */
async function begun(node: Node): Promise<void> {
  try {
    await node.begun
  } catch (error) {
    await node.stop()
    throw error
  }
}

function clockOf({ now, privateChain }: Node): ChainClock {
  return { now: now(), offset: privateChain?.clock.offset ?? 0n, isFrozen: privateChain?.clock.isFrozen ?? false }
}
