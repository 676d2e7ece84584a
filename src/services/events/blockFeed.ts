import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import { Invalid } from "../../core/lib/invalid.js"
import { feePricesAfter } from "../../core/rules/feePrices.js"
import { idText } from "../../core/types/id.js"
import type { Feed, FeedState } from "../../jsonrpc/events/hub.js"
import type { ContextLease } from "../../jsonrpc/service.js"
import type { Context, NodePort } from "../context.js"
import { requireNoGap } from "../platform/params/history.js"
import { blockEvents, NO_EVENTS, revertEvent } from "./blockEvents.js"
import { type EventFilter, eventFilterOf } from "./eventFilter.js"

const HEARTBEAT = Buffer.from(": alive\n\n")

/** Makes the feed of accepted blocks, read from the state. With a filter it has only blocks with matching transactions. */
export function blockFeed(node: NodePort, open: () => ContextLease<Context>, filter?: EventFilter): Feed {
  return {
    contentType: "text/event-stream",
    heartbeat: HEARTBEAT,
    open() {
      const lease = open()
      return { context: stateOf(lease.context, filter), release: () => lease.release() }
    },
    filtered(query) {
      const read = eventFilterOf(query, node)
      if (typeof read === "string") return read
      return (read && gapFor(read, open)) ?? blockFeed(node, open, read)
    },
    onChange: (listener) =>
      node.onAccepted((event) =>
        listener(
          event.kind === "revert" ? { height: event.height, event: revertEvent(event.height, idText(event.id)) } : undefined,
        ),
      ),
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

function stateOf(context: Context, filter: EventFilter | undefined): FeedState {
  const made = (height: bigint) => {
    const { view, rules, height: last } = context
    const block = blockAt(view, height)
    return block ? blockEvents(view, block, { prices: feePricesAfter(view, rules, height, last), filter }) : NO_EVENTS
  }
  return {
    get height() {
      return context.height
    },
    // Many clients receive the newest block at once, so only its events are cached, and only without a filter.
    eventsAt: (height) =>
      eventsOf(height === context.height && !filter ? context.cache.forState("events", () => made(height)) : made(height)),
    revertEvent: () => revertEvent(context.height, idText(context.lastAcceptedID)),
  }
}

const eventsOf = (events: Uint8Array) => (events === NO_EVENTS ? undefined : events)
