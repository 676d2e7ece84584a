import { currentSet } from "../../core/rules/validatorSet.js"
import { Diff } from "../../core/state/diff.js"
import { EMPTY_NODE_ID, type ID, idText, type NodeID, nodeIDText } from "../../core/types/id.js"
import { producerError } from "../errors.js"
import { type DevIdentity, identityAt, identityEdits, nextIdentities } from "../keys/identities.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/** A validator with the BLS key that the node holds for it. */
export type ValidatorWithKey = Pick<DevIdentity, "nodeID" | "publicKey">

/**
 * Gives validators of a subnet BLS keys that the node has, by overrides, so that the node can sign Warp messages for them. It takes all
 * members of the validator set, or the named ones. Throws `producer.no_validators` and `producer.unknown_member`.
 */
export function takeOverKeys(chain: ChainTurn, subnetID: ID, named: readonly NodeID[] | undefined): ValidatorWithKey[] {
  const state = chain.written()
  const members = currentSet(state, subnetID)
  // The inactive validators of an L1 count together under the empty node ID, and cannot sign.
  members.delete(EMPTY_NODE_ID)
  const unknown = named?.find((nodeID) => !members.has(nodeID))
  if (unknown !== undefined) {
    throw producerError("producer.unknown_member", { subnetID: idText(subnetID), nodeID: nodeIDText(unknown) })
  }
  const nodeIDs = [...new Set(named ?? members.keys())]
  if (nodeIDs.length === 0) throw producerError("producer.no_validators", { subnetID: idText(subnetID) })
  const { id } = chain.options.genesis
  const next = nextIdentities(state, id)
  const identities = nodeIDs.map((nodeID) => ({ ...identityAt(id, next.next().value), nodeID }))
  chain.commit(identityEdits(new Diff(state), identities))
  chain.applyOverrides(
    identities.map(({ nodeID, publicKey }) => ({ kind: "validatorKey", subnetID, nodeID, publicKey }) as const),
  )
  return identities.map(({ nodeID, publicKey }) => ({ nodeID, publicKey }))
}
