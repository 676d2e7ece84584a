import { type DevIdentity, identityAt, nextIdentities } from "../keys/identities.js"
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
