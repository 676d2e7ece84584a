import type { IncomingMessage, ServerResponse } from "node:http"
import type { EventHub } from "../events/hub.js"
import type { HeaderList } from "./cors.js"

const HEADERS: HeaderList = ["Content-Type", "text/event-stream", "Cache-Control", "no-cache", "X-Accel-Buffering", "no"]

/** Makes of an answer a stream of events: from the height after Last-Event-ID (or from `?from=`), or from the next block on. */
export function openStream(
  hub: EventHub,
  request: IncomingMessage,
  response: ServerResponse,
  common: HeaderList,
  query: string,
): void {
  response.writeHead(200, [...HEADERS, ...common] as string[])
  if (request.method === "HEAD") {
    response.end()
    return
  }
  response.flushHeaders()
  const sink = {
    write: (bytes: Uint8Array) => response.write(bytes),
    onDrain: (listener: () => void) => response.on("drain", listener),
    destroy: () => response.destroy(),
  }
  response.on("close", hub.add(sink, lastSeen(request, query)))
}

function lastSeen(request: IncomingMessage, query: string): bigint | undefined {
  const header = request.headers["last-event-id"]
  if (typeof header === "string" && /^\d{1,20}$/.test(header)) return BigInt(header)
  const from = new URLSearchParams(query).get("from")
  return from !== null && /^\d{1,20}$/.test(from) ? BigInt(from) - 1n : undefined
}
