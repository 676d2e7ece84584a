import { max } from "../../core/lib/math64.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import type { ForkPoint } from "../options.js"
import { beginChain } from "../turn/beginChain.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { loadStateFile } from "./stateFile.js"

/**
 * Starts the chain again as the node's flags say: from genesis, from the last block before a fork, or from the state file of the start.
 * Tables that do not belong to the chain keep their rows.
 */
export async function resetChain(chain: ChainTurn, initialState: Uint8Array | undefined): Promise<void> {
  chain.setBlockMode(chain.options.choices?.blockMode ?? { mode: "auto" })
  if (initialState) await loadStateFile(chain, initialState, { keepsTablesBesideChain: true })
  else if (chain.options.fork) await returnToForkPoint(chain, chain.options.fork)
  else await returnToGenesis(chain)
  await beginChain(chain, { isNew: initialState === undefined && !chain.options.fork })
}

function returnToForkPoint(chain: ChainTurn, { timestamp, restore }: ForkPoint): Promise<void> {
  const { startTime = timestamp, isFrozen = false } = chain.options.choices ?? {}
  return chain.replaceChain(({ setClock }) => {
    restore(setClock(startTime, isFrozen))
    return { waiting: [] }
  })
}

function returnToGenesis(chain: ChainTurn): Promise<void> {
  const { genesis, genesisEdits, choices = {}, wall } = chain.options
  const now = max(choices.startTime ?? wholeSeconds(wall()), genesis.timestamp)
  return chain.replaceChain(({ state, setClock }) => {
    const clock = setClock(now, choices.isFrozen ?? false)
    state.commit(genesisEdits(), { replaceAll: true, meta: { ...clock, genesis: genesis.bytes, genesisID: genesis.block.id } })
    return { waiting: [] }
  })
}
