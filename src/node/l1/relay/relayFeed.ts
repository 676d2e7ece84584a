import { utf8 } from "../../../core/lib/bytes.js"
import { Emitter } from "../../../core/lib/emitter.js"
import { type Json, printJson } from "../../../core/lib/json.js"
import type { Feed } from "../../../jsonrpc/events/feed.js"
import { relayedMessage } from "../../../producer/methods/relayedMessage.js"
import type { Relayer } from "./relayer.js"

/** The maximum number of events that are kept for streams. */
const MAX_EVENTS = 1000

/** Makes the feed of relayed messages: an event `relay` for each that was delivered, or could not be. Their heights are numbers from 1 on. */
export function relayFeed(relayer: Relayer): Feed {
  const events = new Map<bigint, Uint8Array>()
  const changes = new Emitter<undefined>()
  let last = 0n
  relayer.onSettled((message) => {
    const data = printJson(relayedMessage.toJson(message, { hrp: "" }) as Json)
    events.set(++last, utf8(`id: ${last}\nevent: relay\ndata: ${data}\n\n`))
    events.delete(last - BigInt(MAX_EVENTS))
    changes.emit(undefined)
  })
  return {
    contentType: "text/event-stream",
    heartbeat: utf8(": alive\n\n"),
    open: () => ({
      context: { height: last, eventsAt: (height) => events.get(height), revertEvent: () => new Uint8Array(0) },
      release: () => {},
    }),
    onChange: (listener) => changes.listen(listener),
  }
}
