import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import { Invalid } from "../../core/lib/invalid.js"
import { feePricesAfter } from "../../core/rules/feePrices.js"
import type { View } from "../../core/state/view.js"
import { type ID, idText } from "../../core/types/id.js"
import type { Entry, Feed, FeedState } from "../../jsonrpc/events/feed.js"
import type { ContextLease } from "../../jsonrpc/service.js"
import type { Context, NodePort } from "../context.js"
import { requireNoGap } from "../platform/params/history.js"
import { blockEvents, NO_EVENTS, revertEvent } from "./blockEvents.js"
import { commonWith, inOwnContext } from "./commonPlace.js"
import { type EventFilter, eventFilterOf } from "./eventFilter.js"
import { l1EventsOf } from "./l1Events.js"

const HEARTBEAT = Buffer.from(": alive\n\n")

/** Makes the feed of accepted blocks, read from the state. With a filter it has only blocks with matching transactions. */
export function blockFeed(node: NodePort, open: () => ContextLease<Context>, filter?: EventFilter): Feed {
  return {
    contentType: "text/event-stream",
    heartbeat: HEARTBEAT,
    open() {
      const lease = open()
      return { context: stateOf(lease.context, open, filter), release: () => lease.release() }
    },
    filtered(query) {
      const read = eventFilterOf(query, node)
      if (typeof read === "string") return read
      return (read && gapFor(read, open)) ?? blockFeed(node, open, read)
    },
    onChange: (listener) => node.onAccepted(({ kind }) => listener(kind === "revert")),
  }
}

/** Returns a sentence if the filter needs the history and it has a gap, because such a stream would end without a reason. */
function gapFor({ addresses }: EventFilter, open: () => ContextLease<Context>): string | undefined {
  if (addresses.length === 0) return undefined
  const lease = open()
  try {
    requireNoGap(lease.context)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return `${error.code}: ${error.message}`
    throw error
  } finally {
    lease.release()
  }
}

function stateOf(context: Context, open: () => ContextLease<Context>, filter: EventFilter | undefined): FeedState {
  const entryAt = (at: Context, view: View, height: bigint): Entry | undefined => {
    const made = (): Entry | undefined => {
      const block = blockAt(view, height)
      if (!block) return undefined
      const l1s = l1EventsOf(view, at.rules, watchedIn(at.node, filter), block)
      const prices = feePricesAfter(view, at.rules, height, at.height)
      const bytes = blockEvents(view, block, { prices, filter, l1s, hrp: at.node.hrp, avaxAssetID: at.rules.avaxAssetID })
      return { id: idText(block.id), parentID: idText(block.parentID), bytes: bytes === NO_EVENTS ? undefined : bytes }
    }
    // Many clients receive the newest block at once, so only its events are cached, and only without a filter.
    const key = height === at.height && !filter ? `events ${at.changes.state}` : undefined
    const known = key === undefined ? undefined : at.memo.known<Entry>(key)
    const entry = known ?? made()
    if (key !== undefined && !known && entry) at.memo.keep(key, entry, entry.bytes?.length ?? 0)
    return entry
  }
  return {
    get height() {
      return context.height
    },
    entryAt: (height) => entryAt(context, context.view, height),
    ...fetchingEntries(context, open, entryAt),
    commonWith: commonWith(context, open),
    revertEvent,
  }
}

/** Returns the watched L1s of a stream: all of them without a filter, and those that it names if it is about subnets alone. */
function watchedIn({ watchedL1s = [] }: NodePort, filter: EventFilter | undefined): readonly ID[] {
  if (!filter) return watchedL1s
  if (filter.kinds.size > 0 || filter.addresses.length > 0 || filter.nodes.length > 0) return []
  return watchedL1s.filter((each) => filter.subnets.includes(each))
}

/** Returns the function that fetches entries on a read server, in a context of its own; nothing on a node, which has all rows. */
export function fetchingEntries(
  { view }: Pick<Context, "view">,
  open: () => ContextLease<Context>,
  entryAt: (context: Context, view: View, height: bigint) => Entry | undefined,
): Pick<FeedState, "fetchEntries"> {
  if (!view.past) return {}
  return {
    async fetchEntries(heights, charge) {
      const entries = await inOwnContext(open, charge, (context, past) =>
        past.each(heights, (each, height) => entryAt(context, each, height)),
      )
      return new Map(heights.map((height, i) => [height, entries[i]]))
    },
  }
}
