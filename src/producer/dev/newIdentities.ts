import { Invalid } from "../../core/lib/invalid.js"
import { Diff } from "../../core/state/diff.js"
import { type DevIdentity, identityAt, identityEdits, nextIdentities, removalEdits } from "../keys/identities.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/** Makes the next identities of the chain. Their proofs take long, so other work runs in between. */
export async function newIdentities(chain: ChainTurn, count: number): Promise<DevIdentity[]> {
  const { id } = chain.options.genesis
  const identities: DevIdentity[] = []
  for (const index of nextIdentities(chain.status.view, id)) {
    if (identities.length === count) break
    identities.push(identityAt(id, index))
    if (chain.pace.isDue) await chain.pace.pause()
  }
  return identities
}

/**
 * Runs a task that makes validators of new identities. Their keys are stored before the first block of the task, so that no validator is
 * written for which nobody can sign. After a refusal the keys of those that are no validators are removed again.
 */
export async function withKeysOf<T>(chain: ChainTurn, identities: readonly DevIdentity[], task: () => Promise<T>): Promise<T> {
  chain.commit(identityEdits(new Diff(chain.written()), identities))
  try {
    return await task()
  } catch (error) {
    if (error instanceof Invalid) chain.commit(removalEdits(chain.written(), identities))
    throw error
  }
}

/** Makes the keys of a fictional node, which can be registered as a validator. They are stored, so that it can sign. */
export function newIdentity(chain: ChainTurn): DevIdentity {
  const state = chain.written()
  const { id } = chain.options.genesis
  const identity = identityAt(id, nextIdentities(state, id).next().value)
  chain.commit(identityEdits(new Diff(state), [identity]))
  return identity
}
