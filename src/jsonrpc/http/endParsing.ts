import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** The parser that Node reads the requests of a connection with. Its types do not name it. */
interface RequestParser {
  /** Called with each request; returns whether its body is skipped, or 2 where nothing more of the connection is a request. */
  onIncoming?: ((request: IncomingMessage, isKeptAlive: boolean) => number) | null
}

/** Error that ends a parser where the rest of a connection is not HTTP. */
const NO_MORE_REQUESTS = 2

/**
 * Ends the parsing of a connection with the connection. Node would otherwise make a request and a response of everything that it has read, up to
 * 1,200 in 64 KiB, and an error for each of them afterwards, which takes 40 ms.
 */
export function endParsingWith(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: RequestParser | null }
  const onIncoming = parser?.onIncoming
  if (!parser || !onIncoming) return
  parser.onIncoming = (request, isKeptAlive) => (socket.destroyed ? NO_MORE_REQUESTS : onIncoming(request, isKeptAlive))
}
