import { currentACPs } from "../networks/acps.js"
import { p2pError } from "./errors.js"

/** ACPs that a node supports and objects to. */
export interface AcpVotes {
  readonly supported: readonly number[]
  readonly objected: readonly number[]
}

/** Keeps the current proposals of what a peer says. Throws `p2p.contradicting_acps`. */
export function checkAcps({ supported, objected }: AcpVotes): AcpVotes {
  const kept = (acps: readonly number[]) => currentACPs.filter((acp) => acps.includes(acp))
  const votes = { supported: kept(supported), objected: kept(objected) }
  const both = votes.supported.find((acp) => votes.objected.includes(acp))
  if (both !== undefined) throw p2pError("p2p.contradicting_acps", { acp: both })
  return votes
}
