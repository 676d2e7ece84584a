import { existsSync, rmSync } from "node:fs"
import { resolve } from "node:path"
import { type ChainChoice, chainDir } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import { openStore } from "../../chaindata/openStore.js"
import { newChainID } from "../../chaindata/storedIdentity.js"
import { identityText } from "../../core/networks/chainIdentity.js"
import { networkNameOf } from "../../core/networks/names.js"
import { newDirectoryRemover } from "../../files/newDirectoryRemover.js"
import { reportPChainOnly } from "../../node/l1/l1Record.js"
import type { NodeOptions } from "../../node/options.js"
import type { ForkPoint } from "../../producer/options.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import type { MetaChanges } from "../../store/meta.js"
import type { Store } from "../../store/store.js"
import { baseAt } from "./baseAt.js"
import { copyChain } from "./copyChain.js"
import {
  baseOfFork,
  checkForkHeight,
  checkSameFork,
  type ForkBase,
  type ForkRecord,
  forkRecordIn,
  forkRecordText,
  inheritedMeta,
  openForkBase,
  ownTables,
  withOverlay,
} from "./forkBase.js"
import { forkDir, ownBaseDir } from "./forkDirectory.js"

export interface ForkOptions {
  /** Its data directory, or the URL of a node from which it is copied; by default that of the fork in the data directory. */
  readonly from: string | undefined
  /** The height of the last block before the fork; the chain's last block by default. */
  readonly height?: bigint | undefined
}

/** The options of a private chain that opening a fork depends on. */
export interface ForkRequest extends Pick<NodeOptions, "dataDir" | "allowsSharedVolume" | "log" | "wall"> {
  readonly fork: ForkOptions
  readonly choice: Pick<ChainChoice, "networkID" | "resets">
}

export interface OpenedFork {
  readonly store: Store
  /** The last block before the fork, and whether this start created the fork. */
  readonly point: ForkPoint & { readonly isNew: boolean }
}

const isUrl = (from: string): boolean => /^https?:\/\//.test(from)

/** Opens the rows of a fork over the chain below it. Throws `store.*`, `node.*` and `sync.*` if it cannot. */
export async function openFork(request: ForkRequest): Promise<OpenedFork> {
  const { dataDir, fork, choice } = request
  const removeNew = newForkRemover(dataDir)
  const own = openOwn(request)
  const record = choice.resets ? undefined : forkRecordIn(own)
  const open = async () => {
    const from = fromOf(request, record)
    if (record) checkSameFork(record, from, fork.height)
    return { from, ...(record ? await baseOfFork(dataDir, record) : await newBase(request, from)) }
  }
  try {
    return await withOverlay(own, open, (store, base) => {
      checkNetwork(base, request)
      const { from, height, blockID, timestamp } = base
      if (!record) store.returnToBase(newForkMeta(from, base))
      const restore = (meta: MetaChanges) => store.returnToBase(meta)
      return { store, point: { from, height, blockID, timestamp, restore, isNew: !record } }
    })
  } catch (error) {
    removeNew()
    throw error
  }
}

/** Returns the meta values of a new fork, which is another chain than the one below it. */
const newForkMeta = (from: string, base: ForkBase): MetaChanges => ({
  ...inheritedMeta(base.store),
  identity: identityText({ kind: "fork", id: newChainID() }),
  clockOffset: undefined,
  producer: undefined,
  fork: forkRecordText(from, base),
})

/** Returns a function that removes the directory of a fork that could not be made, unless it has a part of the chain that was copied. */
function newForkRemover(dataDir: string | undefined): () => void {
  if (dataDir === undefined) return () => {}
  const remove = newDirectoryRemover(existsSync(dataDir) ? forkDir(dataDir) : dataDir)
  return () => {
    if (!existsSync(ownBaseDir(dataDir))) remove()
  }
}

function openOwn({ dataDir, allowsSharedVolume, log }: ForkRequest): Store {
  if (dataDir === undefined) return new MemoryStore(ownTables)
  if (existsSync(chainDir(dataDir))) throw nodeError("node.not_a_fork", { dataDir })
  return openStore(forkDir(dataDir), { ...ownTables, log, allowsSharedVolume })
}

/** Returns the directory or URL of the chain to fork. Throws `node.fork_needs_directory`. */
function fromOf({ fork, dataDir }: ForkRequest, record: ForkRecord | undefined): string {
  const from = fork.from ?? record?.from
  if (from === undefined) throw nodeError("node.no_chain", { dir: dataDir })
  if (!isUrl(from)) return resolve(from)
  if (dataDir === undefined) throw nodeError("node.fork_needs_directory", { url: from })
  return from.replace(/\/+$/, "")
}

/** Makes the chain below a new fork: the one in the directory, or one that ends at the height if the chain in the directory is longer. */
async function newBase(request: ForkRequest, from: string): Promise<ForkBase> {
  const { dataDir, fork, log, wall } = request
  const ownDir = dataDir === undefined ? undefined : ownBaseDir(dataDir)
  if (ownDir !== undefined && isUrl(from)) {
    await copyChain({ url: from, height: fork.height, dir: ownDir, log, wall })
    return openForkBase(ownDir)
  }
  const original = await openForkBase(from)
  reportPChainOnly(from, log)
  let base = original
  try {
    const height = fork.height ?? original.height
    checkNetwork(original, request)
    checkForkHeight(original, height)
    if (height < original.height) base = await baseAt(original, height, ownDir, log)
    else if (ownDir !== undefined) rmSync(ownDir, { recursive: true, force: true })
  } catch (error) {
    await original.store.close()
    throw error
  }
  if (base !== original) await original.store.close()
  return base
}

function checkNetwork({ networkID }: ForkBase, { choice: { networkID: asked } }: ForkRequest): void {
  if (asked === undefined || asked === networkID) return
  throw nodeError("node.other_network", { expected: networkNameOf(asked), got: networkNameOf(networkID) })
}
