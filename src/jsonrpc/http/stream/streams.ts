import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { closeFrame } from "../../../core/lib/closeFrame.js"
import { type Feed, placeIn, type Sink } from "../../events/feed.js"
import type { EventHub } from "../../events/hub.js"
import type { StreamStart } from "../../events/stream.js"
import type { HttpOptions } from "../options.js"
import type { HeaderList } from "../request/cors.js"
import type { OpenExchange, UpgradeExchange } from "../request/exchange.js"
import { errorText, type HttpResponse } from "../response/send.js"
import type { BodyRoute } from "../route/bodyRoute.js"
import { connectTunnel } from "./tunnel.js"
import { NO_WEB_SOCKET, WebSockets } from "./webSockets.js"

const HEADERS: HeaderList = ["Cache-Control", "no-cache", "X-Accel-Buffering", "no"]

/** The content type of streams that a WebSocket can carry. */
const EVENT_STREAM = "text/event-stream"

const TOO_MANY_STREAMS = errorText(503, "too many clients listen for events")

/**
 * Opens event streams. Each client may have a limited number. When all are taken, a new stream replaces the oldest stream of the client
 * that has the most. Its reader loses no events, because it resumes with Last-Event-ID.
 */
export class Streams {
  readonly #options: Pick<HttpOptions, "maxStreams" | "limits">
  /** Functions that end the open streams, by client, the oldest first. */
  readonly #open = new Map<string, Set<() => void>>()
  readonly #webSockets = new WebSockets()
  /** Functions that end the open WebSockets to other servers. */
  readonly #tunnels = new Set<() => void>()
  #isClosed = false
  #size = 0

  constructor(options: Pick<HttpOptions, "maxStreams" | "limits">) {
    this.#options = options
  }

  /** Turns a response into a stream that starts after Last-Event-ID or `?after=`, at `?from=`, or with the next block. */
  open(hub: EventHub, { request, response, headers, target, meter, connection }: OpenExchange): HttpResponse | undefined {
    const feed = feedOf(hub, request, target.query)
    if (typeof feed === "string") return errorText(400, feed)
    if (!this.#isBelowLimit(meter.client)) return TOO_MANY_STREAMS
    response.writeHead(200, ["Content-Type", hub.contentType, ...HEADERS, ...headers] as string[])
    if (request.method === "HEAD") {
      response.end()
      return undefined
    }
    response.flushHeaders()
    const sink: Sink = {
      write: (bytes) => response.write(bytes),
      onDrain: (listener) => response.on("drain", listener),
      destroy: () => request.socket.destroy(),
      meter,
    }
    const end = this.#add(meter.client, sink, hub.add(sink, startOf(request, target.query), feed))
    response.once("close", end)
    // A response that waits behind an earlier one has no socket yet, and does not close with the connection.
    connection?.onEnd.add(end)
    if (connection) connection.isStream = true
    if (request.socket.destroyed) end()
    return undefined
  }

  /** Turns a request for a WebSocket into such a stream, with the same limits and parameters. */
  openWebSocket(hub: EventHub, exchange: UpgradeExchange): HttpResponse | undefined {
    const { request, target, meter } = exchange
    if (hub.contentType !== EVENT_STREAM) return NO_WEB_SOCKET
    const feed = feedOf(hub, request, target.query)
    if (typeof feed === "string") return errorText(400, feed)
    if (!this.#isBelowLimit(meter.client)) return TOO_MANY_STREAMS
    this.#webSockets.accept(exchange, (sink, onClose) => {
      onClose(this.#add(meter.client, sink, hub.add(sink, startOf(request, target.query), feed)))
    })
    return undefined
  }

  /** Connects a request for a WebSocket to a WebSocket of another server. It counts as a stream. */
  openTunnel(route: BodyRoute, exchange: UpgradeExchange, answer: (refusal: HttpResponse) => void): HttpResponse | undefined {
    const { meter, request } = exchange
    if (!route.connect) return NO_WEB_SOCKET
    if (!this.#isBelowLimit(meter.client)) return TOO_MANY_STREAMS
    let destroy = (): void => void request.socket.destroy()
    // It counts from now on, because the other server may take long to answer.
    const end = this.#add(meter.client, { destroy: () => destroy() }, () => void this.#tunnels.delete(end))
    this.#tunnels.add(end)
    request.socket.once("close", end)
    connectTunnel(route, exchange).then((refusal) => {
      if (!refusal) {
        destroy = () => sayGoodbye(request.socket, this.#isClosed ? "the node is stopping" : "too many clients listen for events")
        return
      }
      destroy = () => {}
      end()
      answer(refusal)
    }, end)
    return undefined
  }

  /** Ends the WebSockets to other servers, because the server stops. It does not wait for their clients. */
  close(): void {
    this.#isClosed = true
    for (const end of [...this.#tunnels]) end()
  }

  #isBelowLimit(client: string): boolean {
    const { maxStreams, limits } = this.#options
    const own = this.#open.get(client)?.size ?? 0
    if (own >= (limits?.streams ?? maxStreams)) return false
    if (this.#size >= maxStreams) this.#dropOne(own)
    return this.#size < maxStreams
  }

  /** Ends the oldest stream of the client that has the most, if that is more than the new client would have with one more. */
  #dropOne(own: number): void {
    let [most, victims] = [own + 1, new Set<() => void>()]
    for (const streams of this.#open.values()) if (streams.size > most) [most, victims] = [streams.size, streams]
    const [end] = victims
    end?.()
  }

  /** Registers a stream, and returns a function that ends it. */
  #add(client: string, sink: Pick<Sink, "destroy">, leave: () => void): () => void {
    const own = this.#open.get(client) ?? new Set()
    const end = (): void => {
      if (!own.delete(end)) return
      this.#size--
      if (own.size === 0) this.#open.delete(client)
      leave()
      sink.destroy()
    }
    this.#open.set(client, own.add(end))
    this.#size++
    return end
  }
}

/** The code of a WebSocket's end that says that its server goes away, and the time that a client has to read it, milliseconds. */
const GOING_AWAY = 1001
const LAST_MILLISECONDS = 500

/** Ends a WebSocket with the reason, also if its client reads nothing. */
function sayGoodbye(socket: Socket, reason: string): void {
  if (socket.destroyed) return
  socket.write(closeFrame(GOING_AWAY, reason))
  socket.destroySoon()
  setTimeout(() => socket.destroy(), LAST_MILLISECONDS).unref()
}

const PLACE = "takes the ID of an event, such as 12-2pjM..., or a height in digits"

/** Returns the feed that a request for a stream selects, or a sentence about what of it is unknown or cannot be read. */
function feedOf({ feed }: EventHub, request: IncomingMessage, query: string): Feed | string {
  const lastSeen = lastEventID(request)
  if (lastSeen && !placeIn(lastSeen)) return `the header Last-Event-ID of the event stream ${PLACE}`
  const params = new URLSearchParams(query)
  if (params.has("from") && params.has("after")) return 'the event stream takes "from" or "after", not both'
  if (!params.getAll("from").every((text) => /^\d{1,20}$/.test(text)))
    return 'the parameter "from" of the event stream takes a height in digits'
  if (!params.getAll("after").every(placeIn)) return `the parameter "after" of the event stream ${PLACE}`
  params.delete("from")
  params.delete("after")
  const [other] = params.keys()
  if (other === undefined) return feed
  return feed.filtered?.(params) ?? `the event stream has no parameter "${other.slice(0, 64)}"; it takes "from" and "after"`
}

function startOf(request: IncomingMessage, query: string): StreamStart | undefined {
  const params = new URLSearchParams(query)
  const from = params.get("from")
  const lastSeen = placeIn(lastEventID(request) || params.get("after") || "")
  if (lastSeen) return { after: lastSeen }
  return from === null ? undefined : { from: BigInt(from) }
}

/** Returns the last event of a client that comes back; an empty text is none, as in the standard of server-sent events. */
const lastEventID = ({ headers }: IncomingMessage): string => String(headers["last-event-id"] ?? "")
