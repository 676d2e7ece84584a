import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { chainDir } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import { openStore } from "../../chaindata/openStore.js"
import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import { chainTimeOf } from "../../core/rules/context.js"
import { tables } from "../../core/state/tables.js"
import type { ID } from "../../core/types/id.js"
import { isOpenForWriting } from "../../store/lmdb/lock.js"
import type { Store } from "../../store/store.js"

/** The chain below a fork. */
export interface ForkBase {
  readonly store: Store
  readonly networkID: number
  readonly height: bigint
  readonly blockID: ID
  /** The chain's time, Unix seconds. */
  readonly timestamp: bigint
}

/**
 * Opens the chain in a data directory for reading. Throws `store.*` if there is none, `node.no_chain` if it is empty, and `node.fork_busy`
 * if a process writes to it.
 */
export async function openForkBase(dataDir: string): Promise<ForkBase> {
  const dir = resolve(dataDir)
  const place = existsSync(join(dir, "data.mdb")) ? dir : chainDir(dir)
  const store = openStore(place, { readOnly: true })
  try {
    if (isOpenForWriting(place)) throw nodeError("node.fork_busy", { dir })
    return forkBaseOf(store, dir)
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Returns the chain of a store as the base of a fork. Throws `node.no_chain`. */
export function forkBaseOf(store: Store, dir: string): ForkBase {
  const last = store.latest.get(tables.lastAccepted, null)
  const networkID = store.getMeta("networkID")
  if (!last || networkID === undefined) throw nodeError("node.no_chain", { dir })
  return { store, networkID, height: last.height, blockID: last.id, timestamp: chainTimeOf(store.latest) }
}

/** Throws `node.future_height` if the chain has no block of a height, and `node.fork_at_proposal` if the block is a proposal. */
export function checkForkHeight({ store, height }: ForkBase, asked: bigint): void {
  if (asked > height) throw nodeError("node.future_height", { asked, height })
  if (asked > 0n && blockAt(store.latest, asked)?.kind.endsWith("ProposalBlock")) {
    throw nodeError("node.fork_at_proposal", { height: asked })
  }
}
