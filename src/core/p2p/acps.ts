import { currentACPs } from "../networks/acps.js"
import { p2pError } from "./errors.js"

/** ACPs that a node supports and objects to. */
export interface AcpVotes {
  readonly supported: readonly number[]
  readonly objected: readonly number[]
}

/** Filters the announced proposals of a peer by the current ones. Throws `p2p.contradicting_acps`. */
export function checkAcps({ supported, objected }: AcpVotes): AcpVotes {
  const known = (acps: readonly number[]) => currentACPs.filter((acp) => acps.includes(acp))
  const votes = { supported: known(supported), objected: known(objected) }
  const both = votes.supported.find((acp) => votes.objected.includes(acp))
  if (both !== undefined) throw p2pError("p2p.contradicting_acps", { acp: both })
  return votes
}
