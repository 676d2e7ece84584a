import { existsSync, rmSync } from "node:fs"
import { resolve } from "node:path"
import { Chain } from "../../core/chain/chain.js"
import { OuterChain } from "../../core/consensus/proposer/outerChain.js"
import { wrapperTables } from "../../core/consensus/proposer/tables.js"
import { identityText } from "../../core/networks/chainIdentity.js"
import { networkNameOf } from "../../core/networks/names.js"
import { project } from "../../core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import { type Edits, emptyView } from "../../core/state/view.js"
import { nodeError } from "../../datadir/errors.js"
import { nodeTables, tablesBesideChain } from "../../datadir/nodeTables.js"
import { openStore } from "../../datadir/openStore.js"
import { chainDir, forkDir, ownBaseDir } from "../../datadir/places.js"
import { reexecute } from "../../datadir/reexecute.js"
import type { RequestedPrivateChain } from "../../datadir/requestedChain.js"
import { genesisEdits, storedChain } from "../../datadir/storedChain.js"
import { newChainID } from "../../datadir/storedIdentity.js"
import { newDirectoryRemover } from "../../files/newDirectoryRemover.js"
import { reportPChainOnly } from "../../hosting/chainRecord.js"
import type { NodeOptions } from "../../node/options.js"
import type { ForkPoint } from "../../producer/options.js"
import { devTables } from "../../producer/tables.js"
import { allRows } from "../../store/maintenance/copyRows.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import type { MetaChanges } from "../../store/meta.js"
import type { Store } from "../../store/store.js"
import { progressLog } from "../catchUpReport.js"
import { copyChain } from "./copyChain.js"
import {
  baseOfFork,
  checkForkHeight,
  checkSameFork,
  type ForkBase,
  type ForkRecord,
  forkBaseOf,
  forkRecordIn,
  forkRecordText,
  inheritedMeta,
  openForkBase,
  ownTables,
  withOverlay,
} from "./forkBase.js"

export interface ForkOptions {
  /** Its data directory, or the URL of a node from which it is copied; by default that of the fork in the data directory. */
  readonly from: string | undefined
  /** The height of the last block before the fork; the chain's last block by default. */
  readonly height?: bigint | undefined
}

/** The options of a private chain that opening a fork depends on. */
export interface ForkRequest extends Pick<NodeOptions, "dataDir" | "allowsSharedVolume" | "log" | "wall"> {
  readonly fork: ForkOptions
  readonly choice: Pick<RequestedPrivateChain, "networkID" | "resets">
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
  reportPChainOnly(original.store, from, log)
  let base = original
  try {
    const height = fork.height ?? original.height
    checkNetwork(original, request)
    checkForkHeight(original, height)
    if (height < original.height) base = await baseAt(original, height, ownDir, request)
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

/**
 * Makes the chain as it was at an earlier height. A store cannot be reverted, so the blocks are executed again from genesis, with the read
 * model. An interrupted attempt in `dir`, the data directory of the new chain, continues where it stopped. Without one the chain is in memory.
 */
async function baseAt(
  original: ForkBase,
  height: bigint,
  dir: string | undefined,
  { log, wall }: Pick<ForkRequest, "log" | "wall">,
): Promise<ForkBase> {
  const target =
    dir === undefined ? new MemoryStore({ tables: nodeTables, tablesBesideChain }) : openTarget(dir, original, height)
  try {
    const { genesis, rules } = storedChain(original.store)
    if (target.latest.get(tables.lastAccepted, null) === undefined) {
      const meta = { ...inheritedMeta(original.store), readModel: READ_MODEL_VERSION }
      // Both are written in one commit, because an attempt that finds a genesis continues from it.
      target.commit(new Map([...genesisEdits({ genesis, rules }), ...besideBlocks(original, height)]), { meta })
    }
    const outer = new OuterChain(new Chain({ rules, state: target, trustSignatures: true, project }))
    const logProgress = progressLog({ log, now: () => performance.now() })
    const onBlock = (reached: bigint) =>
      logProgress("executing the blocks up to the fork", { height: reached, target: height }, { reached, height })
    await reexecute(original.store.latest, { outer, store: target, until: height, now: wall, onBlock })
  } catch (error) {
    await target.close()
    throw error
  }
  if (dir === undefined) return forkBaseOf(target, "")
  await target.close()
  return openForkBase(dir)
}

/** Opens the store of an interrupted attempt. A store of another chain, or beyond the height, is replaced. */
function openTarget(dir: string, original: ForkBase, height: bigint): Store {
  const store = openStore(chainDir(dir), { isLazy: true })
  const last = store.latest.get(tables.lastAccepted, null)
  if (!last || (last.height <= height && original.store.latest.get(tables.blockIDs, last.height) === last.id)) return store
  void store.close()
  rmSync(dir, { recursive: true, force: true })
  return openStore(chainDir(dir), { isLazy: true })
}

/** Returns the rows that blocks do not determine: UTXOs that wait to be imported, identities, and overrides and Warp heights up to the height. */
function besideBlocks({ store }: ForkBase, height: bigint): Edits {
  const diff = new Diff(emptyView)
  for (const [key, row] of store.latest.rows(devTables.overrides))
    if (row.height <= height) diff.put(devTables.overrides, key, row)
  for (const [key, row] of store.latest.rows(wrapperTables.warpHeights))
    if (key <= height) diff.put(wrapperTables.warpHeights, key, row)
  return new Map([...allRows(store.latest, [tables.atomicUtxos, devTables.identities]), ...diff.edits])
}
