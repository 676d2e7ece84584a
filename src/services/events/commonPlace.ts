import { Invalid } from "../../core/lib/invalid.js"
import { neverPausing } from "../../core/lib/pace.js"
import { type BlockPlace, hasBlock, type Parting, partingFrom } from "../../core/state/removedBlocks.js"
import { tables } from "../../core/state/tables.js"
import type { PastReader, View } from "../../core/state/view.js"
import { type ID, idText, parseID } from "../../core/types/id.js"
import type { Charge, CommonPlace, FeedState, Place } from "../../jsonrpc/events/feed.js"
import type { ContextLease } from "../../jsonrpc/service.js"
import type { Context } from "../context.js"

/** The maximum number of removed blocks whose IDs are listed in an event. */
const MAX_LISTED = 1000

/** Returns the function that finds the last block that a chain has in common with a client. */
export function commonWith(context: Context, open: () => ContextLease<Context>): NonNullable<FeedState["commonWith"]> {
  return (last, charge) => {
    const { height, view } = context
    if (last.height === height && last.id === undefined) return { height, id: idText(context.lastAcceptedID) }
    if (!view.past) return placeIn(context, view, last) ?? aheadOrNew(context, last)
    return inOwnContext(open, charge, async (now, past) => {
      const [found] = await past.each([last], (each) => placeIn(now, each, last))
      return found ?? (await aheadOrNew(now, last))
    })
  }
}

/** Works in a context of its own, which is open until the work has ended. */
export async function inOwnContext<T>(
  open: () => ContextLease<Context>,
  charge: Charge,
  work: (context: Context, past: PastReader) => Promise<T>,
): Promise<T> {
  const lease = open()
  try {
    return await work(lease.context, lease.context.past({ ...neverPausing, charge }))
  } finally {
    lease.release()
  }
}

/** Returns the last block in common; `undefined` if the client has a block that this chain does not have and did not have lately. */
function placeIn({ height, node }: Context, view: View, last: Place): CommonPlace | undefined {
  const shown = (at: bigint, id = view.get(tables.blockIDs, at)) => ({ height: at, id: id && idText(id) })
  // A client that names a height alone is believed as far as the chain has it.
  if (last.id === undefined) return shown(last.height < height ? last.height : height)
  const id = idIn(last.id)
  if (id === undefined) return undefined
  const has = (place: BlockPlace) => place.height <= height && hasBlock(view)(place)
  const parting = partingFrom({ height: last.height, id }, has, node.removedBlocks?.() ?? [])
  return parting && { ...shown(parting.common.height, parting.common.id), ...listed(parting) }
}

function listed({ removed }: Parting): { readonly removed?: readonly string[] } {
  return removed && removed.length <= MAX_LISTED ? { removed: removed.map(idText) } : {}
}

/** A client whose block is not known either is ahead of this node, or has another chain, which begins anew for it. */
function aheadOrNew({ node, height, view }: Context, last: Place): "ahead" | CommonPlace | Promise<"ahead" | CommonPlace> {
  const genesisID = view.get(tables.blockIDs, 0n)
  const anew = { height: 0n, id: genesisID && idText(genesisID) }
  if (last.height <= height) return anew
  const mayCome = node.mayCome?.(last.height, last.id ?? "") ?? true
  if (typeof mayCome === "boolean") return mayCome ? "ahead" : anew
  return mayCome.then((may) => (may ? "ahead" : anew))
}

function idIn(text: string): ID | undefined {
  try {
    return parseID(text)
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}
