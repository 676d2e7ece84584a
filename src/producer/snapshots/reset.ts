import { max } from "../../core/lib/math64.js"
import { clockMeta, startClock } from "../clock/keptClock.js"
import type { Producer } from "../producer.js"
import { loadState } from "./stateFile.js"

/**
 * Begins anew, as if the node had just been started with its flags: from genesis, or from the state that it was started with. What is not
 * the chain's stays. In a turn.
 */
export async function reset(producer: Producer, initialState: Uint8Array | undefined): Promise<void> {
  producer.schedule.mode = producer.choices.blockMode ?? { mode: "auto" }
  if (initialState) await loadState(producer, initialState, { keepsLasting: true })
  else toGenesis(producer)
  await producer.begin()
}

function toGenesis(producer: Producer): void {
  const { head, clock, options, choices, state } = producer
  const { bytes: genesis, block, timestamp } = options.genesis
  head.flush()
  startClock(clock, choices)
  clock.set(max(clock.now(), timestamp), clock.isFrozen)
  state.commit(options.genesisEdits(), { afresh: true, meta: { ...clockMeta(clock), genesis, genesisID: block.id } })
  producer.reopened([])
}
