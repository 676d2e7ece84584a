import { valueOrThrow } from "../lib/invalid.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, idText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import type { OutputOwners } from "../types/owners.js"
import type { Verifiable } from "../types/verifiable.js"
import { authorise } from "./authorise.js"
import type { TxContext } from "./context.js"
import { rulesError } from "./errors.js"

/** Returns the owner of a subnet. Throws `rules.unknown_subnet`, or `rules.not_a_subnet` for the ID of another accepted transaction. */
function requireSubnetOwner({ diff, blockContext }: TxContext, subnetID: ID): OutputOwners {
  const owner = diff.get(tables.subnetOwners, subnetID)
  if (owner) return owner
  if (blockContext.lastAccepted.get(tables.txs, subnetID)) throw rulesError("rules.not_a_subnet", { subnetID: idText(subnetID) })
  throw rulesError("rules.unknown_subnet", { subnetID: idText(subnetID) })
}

/** Checks that the subnet's owner authorised the transaction, and returns the remaining credentials, which belong to the inputs. */
export function authoriseForSubnet(context: TxContext, subnetID: ID, auth: Verifiable): readonly Verifiable[] {
  return authorise(context, requireSubnetOwner(context, subnetID), auth)
}

/** Does the same, and checks that the subnet is neither transformed nor converted. */
export function authoriseForPermissionedSubnet(context: TxContext, subnetID: ID, auth: Verifiable): readonly Verifiable[] {
  const rest = authoriseForSubnet(context, subnetID, auth)
  const isImmutable = context.diff.get(tables.transformations, subnetID) ?? context.diff.get(tables.conversions, subnetID)
  if (isImmutable) throw rulesError("rules.subnet_immutable", { subnetID: idText(subnetID) })
  return rest
}

/** Returns the subnet that validates a chain of the last accepted state. Throws `rules.unknown_chain` and `rules.not_a_chain`. */
export function requireSubnetOfChain(lastAccepted: View, chainID: ID): ID {
  if (chainID === P_CHAIN_ID) return PRIMARY_NETWORK_ID
  const chain = lastAccepted.get(tables.chains, chainID)
  if (chain) return chain.subnetID
  if (lastAccepted.get(tables.txs, chainID)) throw rulesError("rules.not_a_chain", { chainID: idText(chainID) })
  throw rulesError("rules.unknown_chain", { chainID: idText(chainID) }).dependingOn("height")
}

/** Checks that a chain is another chain of the primary network, with which UTXOs can be exchanged. */
export function requirePeerChain(lastAccepted: View, chainID: ID): void {
  if (chainID === P_CHAIN_ID) throw rulesError("rules.same_chain")
  const subnetID = valueOrThrow(
    () => requireSubnetOfChain(lastAccepted, chainID),
    ({ avalanchegoMessage: reason, dependsOn }) =>
      rulesError("rules.peer_chain_unknown", { chainID: idText(chainID), reason }).dependingOn(dependsOn),
  )
  if (subnetID !== PRIMARY_NETWORK_ID) {
    throw rulesError("rules.other_subnet", { expected: idText(PRIMARY_NETWORK_ID), got: idText(subnetID) })
  }
}
