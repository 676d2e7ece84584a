import { existsSync } from "node:fs"
import { isProduction, LOCAL_ID } from "../../core/networks/names.js"
import { tables } from "../../core/state/tables.js"
import { newDirectoryRemover } from "../../files/newDirectoryRemover.js"
import type { Store } from "../../store/store.js"
import { syncError } from "../../sync/errors.js"
import type { SourceChain } from "../../sync/follow/blockSource.js"
import { type FoundNode, openSource } from "../../sync/follow/openSource.js"
import { type ChainChoice, chainDir, defaultDataDir } from "../chainData.js"
import { failure } from "../failure.js"
import { requireNoFork } from "../fork/forkDirectory.js"
import { type Node, startNode } from "../node.js"
import type { NodeOptions } from "../nodeOptions.js"
import { openStore } from "../openStore.js"
import { loadPublishedGenesis } from "../published/publishedGenesis.js"
import type { SourceOptions } from "./followedChain.js"

/** Options of following a chain. */
export interface FollowerNodeOptions extends Omit<NodeOptions, "store" | "mode" | "producer" | "onFault" | "follows" | "follow"> {
  readonly follow: SourceOptions
  /** Allows a store on a shared volume, see `OpenStore`. */
  readonly allowsSharedVolume?: boolean
}

/** A copy of a chain that follows other nodes. */
export interface FollowerNode extends Node {
  readonly dataDir: string
  /** Rejects when a fault in Serac stops the copy. */
  readonly failed: Promise<never>
}

/**
 * Maintains a verified copy of a chain from the APIs of other nodes, and serves it. A new copy reads the network from these nodes. Throws
 * `sync.no_answer` if none answers, and `sync.other_network` if they belong to another network than the requested one.
 */
export async function startFollowing(options: FollowerNodeOptions): Promise<FollowerNode> {
  const { log, allowsSharedVolume, follow } = options
  const networkID = options.choice.networkID ?? (options.dataDir === undefined ? await networkOf(follow) : undefined)
  const dataDir = options.dataDir ?? defaultDataDir(networkID ?? LOCAL_ID)
  requireNoFork(dataDir)
  const dir = chainDir(dataDir)
  // A new copy reads the network first, and removes its files if it cannot start, so that a refusal leaves nothing on the disk.
  const isNew = !existsSync(dir)
  // The data directory also has the node's keys.
  const removeNew = newDirectoryRemover(existsSync(dataDir) ? dir : dataDir)
  const requested = { ...options.choice, networkID }
  const chosen = isNew ? await newChoice(requested, follow) : undefined
  const store = openStore(dir, { log, allowsSharedVolume })
  const { failed, fail } = failure()
  const choice =
    chosen ??
    (await choiceFor(store, requested, follow).catch(async (error) => {
      await store.close()
      throw error
    }))
  try {
    const node = await startNode({ ...options, choice, dataDir, store, mode: "follow", follow, onFault: fail })
    return { ...node, dataDir, failed }
  } catch (error) {
    removeNew()
    throw error
  }
}

async function networkOf(follow: SourceOptions): Promise<number> {
  return (await firstSource(follow)).networkID
}

/** A node that answers, and the facts about its chain if it is Serac. */
interface FirstSource extends FoundNode {
  readonly chain: SourceChain | undefined
}

/** Returns the node at the first address that answers. Throws the failure of the first one if none does. */
async function firstSource({ urls, http }: SourceOptions): Promise<FirstSource> {
  const { signal } = new AbortController()
  const open = async (url: string): Promise<FirstSource> => {
    const found = await openSource(url, http, signal)
    return { ...found, chain: await found.source.chain?.(signal) }
  }
  const opened = await Promise.allSettled(urls.map(open))
  const found = opened.find((each) => each.status === "fulfilled")
  if (found) return found.value
  throw (opened[0] as PromiseRejectedResult).reason
}

/** Returns the choice of a chain. An existing copy has its chain in the store. */
async function choiceFor(store: Store, choice: ChainChoice, follow: SourceOptions): Promise<ChainChoice> {
  return store.latest.get(tables.lastAccepted, null) === undefined ? newChoice(choice, follow) : choice
}

/** Returns the choice of a new copy: the network, rules and genesis of the followed node, and the ID of its chain. */
async function newChoice(choice: ChainChoice, follow: SourceOptions): Promise<ChainChoice> {
  const { source, networkID, upgradeText, chain } = await firstSource(follow)
  if (choice.networkID !== undefined && choice.networkID !== networkID) {
    throw syncError("sync.other_network", { url: source.url, expected: choice.networkID, got: networkID })
  }
  const genesisBlockID = await source.blockIDAt(0n, new AbortController().signal)
  const isAsked = choice.upgradeText !== undefined || choice.upgrades !== undefined
  const upgrades = isAsked || isProduction(networkID) ? {} : { upgradeText }
  return {
    ...choice,
    ...upgrades,
    networkID,
    genesisBlockID,
    publishedGenesis: await loadPublishedGenesis(networkID),
    copiedGenesis: choice.genesisText === undefined ? chain?.genesis : undefined,
    ruleFlags: { ...chain?.facts.rules, ...choice.ruleFlags },
    origin: { kind: "followed", ...(chain ? { id: chain.facts.id } : {}) },
  }
}
