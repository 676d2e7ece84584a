import { Diff } from "../../core/state/diff.js"
import { type DevIdentity, identityAt, identityEdits, nextIdentities } from "../keys/identities.js"
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

/** Makes the keys of a fictional node, which can be registered as a validator. They are stored, so that it can sign. */
export function newIdentity(chain: ChainTurn): DevIdentity {
  const state = chain.written()
  const { id } = chain.options.genesis
  const identity = identityAt(id, nextIdentities(state, id).next().value)
  chain.commit(identityEdits(new Diff(state), [identity]))
  return identity
}
