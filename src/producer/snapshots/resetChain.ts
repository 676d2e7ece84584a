import { max } from "../../core/lib/math64.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import type { ForkPoint } from "../options.js"
import { beginChain } from "../turn/beginChain.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { packMempool } from "../turn/packMempool.js"
import type { Snapshots } from "./snapshots.js"
import { loadStateFile } from "./stateFile.js"

/**
 * Starts the chain again as the node's flags say: from genesis, from the last block before a fork, or from the state file of the start.
 * Tables that do not belong to the chain keep their rows.
 */
export async function resetChain(chain: ChainTurn, snapshots: Snapshots): Promise<ReplacedChain> {
  const { initialState, fork, choices } = chain.options
  chain.setBlockMode(choices?.blockMode ?? { mode: "auto" })
  if (initialState) await loadStateFile(chain, initialState, { keepsTablesBesideChain: true })
  else if (fork) await returnToForkPoint(chain, fork)
  else await returnToGenesis(chain)
  return continueReplaced(chain, snapshots, initialState === undefined && !fork)
}

/** Replaces the chain by that of a state file. Throws `producer.bad_dump`, `producer.newer_dump`, `producer.other_dump`. */
export async function loadChain(chain: ChainTurn, snapshots: Snapshots, bytes: Uint8Array): Promise<ReplacedChain> {
  await loadStateFile(chain, bytes)
  return continueReplaced(chain, snapshots, false)
}

interface ReplacedChain {
  readonly height: bigint
}

/** Continues the new chain, drops the snapshots of the one before, and makes blocks of the transactions that wait on the new one. */
async function continueReplaced(chain: ChainTurn, snapshots: Snapshots, isNew: boolean): Promise<ReplacedChain> {
  await beginChain(chain, { isNew })
  snapshots.forget()
  if (chain.blockMode.mode === "auto" && chain.isMaking) await packMempool(chain)
  return { height: chain.status.lastAccepted.height }
}

function returnToForkPoint(chain: ChainTurn, { timestamp, restore, height }: ForkPoint): Promise<void> {
  const { startTime = timestamp, isFrozen = false } = chain.options.choices ?? {}
  return chain.replaceChain(({ setClock, removing }) => {
    restore({ ...setClock(startTime, isFrozen), ...removing(height) })
    return { waiting: [] }
  })
}

function returnToGenesis(chain: ChainTurn): Promise<void> {
  const { genesis, genesisEdits, choices = {}, wall } = chain.options
  const now = max(choices.startTime ?? wholeSeconds(wall()), genesis.timestamp)
  return chain.replaceChain(({ commit, setClock, removing }) => {
    const common = chain.options.store.getMeta("genesisID") === genesis.block.id ? 0n : undefined
    const clock = { ...setClock(now, choices.isFrozen ?? false), ...removing(common) }
    commit(genesisEdits(), { replaceAll: true, meta: { ...clock, genesis: genesis.bytes(), genesisID: genesis.block.id } })
    return { waiting: [] }
  })
}
