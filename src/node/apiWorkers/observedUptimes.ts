import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import type { NodePort } from "../../services/context.js"
import type { MainStatus } from "./messages.js"

/** Returns the uptimes of the primary network's validators as the main process observes them. */
export function observedUptimes(view: View, { uptimeOf }: Pick<NodePort, "uptimeOf">): NonNullable<MainStatus["uptimes"]> {
  const uptimes = new Map<NodeID, { readonly connected: boolean; readonly uptime: number }>()
  for (const [{ nodeID }] of view.rows(tables.members, { under: { subnetID: PRIMARY_NETWORK_ID } })) {
    const uptime = uptimeOf(nodeID)
    if (uptime) uptimes.set(nodeID, uptime)
  }
  return uptimes
}
