import { outerBlockAt } from "../core/consensus/proposer/wrapperStore.js"
import type { ChainKind } from "../core/networks/chainIdentity.js"
import { isProduction } from "../core/networks/names.js"
import { tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { devTables } from "../producer/tables.js"
import type { Store } from "../store/store.js"
import { uptimes } from "./joined/peerUptimes.js"

/**
 * Returns the kind of a chain whose store was made before stores recorded it, from what the store holds; `undefined` if that does not show
 * it, or shows two kinds.
 */
export function kindOfOlderStore(store: Store): ChainKind | undefined {
  const { latest } = store
  if (store.getMeta("fork") !== undefined) return "fork"
  const { overrides, identities, wrapper } = devTables
  const ownRows = [latest.first(overrides), latest.first(identities), latest.first(wrapper)]
  const isOwn = [...ownRows, store.getMeta("clockOffset"), store.getMeta("producer")].some((each) => each !== undefined)
  const isOfNetwork = latest.first(uptimes) !== undefined || isSigned(latest)
  if (isOwn !== isOfNetwork) return isOwn ? "private" : "joined"
  return !isOwn && isProduction(store.getMeta("networkID") ?? 0) ? "joined" : undefined
}

/** Returns whether a validator has signed the last block. Options have no signature, so the proposal before counts. */
function isSigned(view: View): boolean {
  const { height } = view.get(tables.lastAccepted, null) ?? { height: 0n }
  for (const at of [height, height - 1n]) {
    const wrapper = at > 0n ? outerBlockAt(view, at)?.wrapper : undefined
    if (wrapper && wrapper.kind !== "ProposerVMOption") return wrapper.certificate.length > 0
  }
  return false
}
