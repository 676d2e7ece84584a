import { feePricesAfter } from "../../core/rules/feePrices.js"
import { idText } from "../../core/types/id.js"
import type { Feed, FeedState } from "../../jsonrpc/events/hub.js"
import type { ContextLease } from "../../jsonrpc/service.js"
import type { Context, NodePort } from "../context.js"
import { blockAt, blockEvents, revertEvent } from "./blockEvents.js"

const HEARTBEAT = Buffer.from(": alive\n\n")

/** The feed of accepted blocks, read from the state. */
export function blockFeed(node: NodePort, open: () => ContextLease<Context>): Feed {
  return {
    contentType: "text/event-stream",
    heartbeat: HEARTBEAT,
    open() {
      const lease = open()
      return { context: stateOf(lease.context), release: () => lease.release() }
    },
    onChange: (listener) =>
      node.onAccepted((event) =>
        listener(
          event.kind === "revert" ? { height: event.height, event: revertEvent(event.height, idText(event.id)) } : undefined,
        ),
      ),
  }
}

function stateOf(context: Context): FeedState {
  const made = (height: bigint) => {
    const { view, rules, height: last } = context
    const block = blockAt(view, height)
    return block ? blockEvents(view, block, feePricesAfter(view, rules, height, last)) : NO_EVENTS
  }
  return {
    get height() {
      return context.height
    },
    // Many clients are sent the newest block at once, so only its events are kept.
    eventsAt: (height) =>
      eventsOf(height === context.height ? context.cache.forState("events", () => made(height)) : made(height)),
    revertEvent: () => revertEvent(context.height, idText(context.lastAcceptedID)),
  }
}

const NO_EVENTS = new Uint8Array(0)

const eventsOf = (events: Uint8Array) => (events === NO_EVENTS ? undefined : events)
