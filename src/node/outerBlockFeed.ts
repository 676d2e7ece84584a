import { outerBytesAt } from "../core/consensus/proposer/wrapperStore.js"
import type { Feed } from "../jsonrpc/events/hub.js"
import type { ContextLease } from "../jsonrpc/service.js"
import type { Context, NodePort } from "../services/context.js"
import { ALIVE_FRAME, BLOCK_STREAM_TYPE, blockFrame, revertFrame } from "../sync/follow/blockFrames.js"

/** Makes the feed of the bytes of accepted blocks, in their wrappers if the store has them, for copies of the chain. */
export function outerBlockFeed(node: NodePort, open: () => ContextLease<Context>): Feed {
  return {
    contentType: BLOCK_STREAM_TYPE,
    heartbeat: ALIVE_FRAME,
    open() {
      const lease = open()
      const { view, height } = lease.context
      const eventsAt = (at: bigint) => {
        const bytes = outerBytesAt(view, at)
        return bytes && blockFrame(bytes)
      }
      return { context: { height, eventsAt, revertEvent: () => revertFrame(height) }, release: () => lease.release() }
    },
    onChange: (listener) =>
      node.onAccepted((event) =>
        listener(event.kind === "revert" ? { height: event.height, event: revertFrame(event.height) } : undefined),
      ),
  }
}
