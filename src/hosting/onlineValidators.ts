import { tables } from "../core/state/tables.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import type { ChainHostOptions, HostedChain } from "./hostedChain.js"

/**
 * Tells the VM of an L1 which of its validators are online. They exist as keys only, so each is, unless `dev.setUptime` said otherwise. VMs count
 * the uptime that they sign from this. The node itself is always online.
 */
export function tellOnline(
  { record: { subnetID }, plugin }: HostedChain,
  { privateChain, identity }: Pick<ChainHostOptions, "privateChain" | "identity">,
): void {
  if (subnetID === PRIMARY_NETWORK_ID) return
  const { uptimes } = privateChain.status.overrides
  const online = new Set<NodeID>()
  for (const [{ nodeID }] of privateChain.options.store.latest.rows(tables.members, { under: { subnetID } })) {
    if (nodeID !== identity.nodeID && uptimes.get(nodeID) !== 0) online.add(nodeID)
  }
  plugin.setOnline(online)
}
