import type { IncomingMessage, ServerResponse } from "node:http"
import type { EventHub, Sink } from "../events/hub.js"
import type { HeaderList } from "./cors.js"
import type { OpenExchange } from "./exchange.js"
import type { HttpOptions } from "./options.js"
import { errorText, type HttpResponse } from "./send.js"

const HEADERS: HeaderList = ["Cache-Control", "no-cache", "X-Accel-Buffering", "no"]

const TOO_MANY_STREAMS = errorText(503, "too many clients listen for events")

/**
 * Opens streams of events. Each client may have so many; when all are taken, a newcomer takes the place of the oldest stream of the client
 * that has the most. Its reader loses nothing: it comes back with Last-Event-ID.
 */
export class Streams {
  readonly #options: Pick<HttpOptions, "maxStreams" | "limits">
  /** Functions that end the open streams, by client, the oldest first. */
  readonly #open = new Map<string, Set<() => void>>()
  #size = 0

  constructor(options: Pick<HttpOptions, "maxStreams" | "limits">) {
    this.#options = options
  }

  /** Makes of an answer a stream: from the height after Last-Event-ID (or from `?from=`), or from the next block on. */
  open(hub: EventHub, { request, response, headers, target, meter }: OpenExchange): HttpResponse | undefined {
    const wrong = wrongParameter(target.query)
    if (wrong !== undefined) return errorText(400, wrong)
    if (!this.#hasRoom(meter.client)) return TOO_MANY_STREAMS
    response.writeHead(200, ["Content-Type", hub.contentType, ...HEADERS, ...headers] as string[])
    if (request.method === "HEAD") {
      response.end()
      return undefined
    }
    response.flushHeaders()
    const sink: Sink = {
      write: (bytes) => response.write(bytes),
      onDrain: (listener) => response.on("drain", listener),
      destroy: () => response.destroy(),
      meter,
    }
    this.#add(meter.client, response, hub.add(sink, lastSeen(request, target.query)))
    return undefined
  }

  #hasRoom(client: string): boolean {
    const { maxStreams, limits } = this.#options
    const own = this.#open.get(client)?.size ?? 0
    if (own >= (limits?.streams ?? maxStreams)) return false
    if (this.#size >= maxStreams) this.#dropOne(own)
    return this.#size < maxStreams
  }

  /** Ends the oldest stream of the client that has the most, if that is more than the newcomer's client would have with one more. */
  #dropOne(own: number): void {
    let [most, victims] = [own + 1, new Set<() => void>()]
    for (const streams of this.#open.values()) if (streams.size > most) [most, victims] = [streams.size, streams]
    const [end] = victims
    end?.()
  }

  #add(client: string, response: ServerResponse, leave: () => void): void {
    const own = this.#open.get(client) ?? new Set()
    const end = (): void => {
      if (!own.delete(end)) return
      this.#size--
      if (own.size === 0) this.#open.delete(client)
      leave()
      response.destroy()
    }
    this.#open.set(client, own.add(end))
    this.#size++
    response.once("close", end)
  }
}

/** Says which parameter of the query is unknown or has no height; `undefined` where all are right. */
function wrongParameter(query: string): string | undefined {
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== "from") return `the event stream has no parameter "${name.slice(0, 64)}"; it takes "from"`
    if (!/^\d{1,20}$/.test(value)) return 'the parameter "from" of the event stream takes a height in digits'
  }
  return undefined
}

function lastSeen(request: IncomingMessage, query: string): bigint | undefined {
  const header = request.headers["last-event-id"]
  if (typeof header === "string" && /^\d{1,20}$/.test(header)) return BigInt(header)
  const from = new URLSearchParams(query).get("from")
  return from !== null && /^\d{1,20}$/.test(from) ? BigInt(from) - 1n : undefined
}
