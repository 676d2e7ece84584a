import { type DevIdentity, identityAt, identityCount } from "../keys/identities.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/** Makes the next identities of the chain. Their proofs take long, so other work runs in between. */
export async function newIdentities(chain: ChainTurn, count: number): Promise<DevIdentity[]> {
  const first = identityCount(chain.status.view)
  const identities: DevIdentity[] = []
  while (identities.length < count) {
    identities.push(identityAt(chain.options.genesis.id, first + identities.length))
    await chain.rest()
  }
  return identities
}
