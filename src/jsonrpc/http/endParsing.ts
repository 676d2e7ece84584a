import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** The parser with which Node reads the requests of a connection. Node's types do not declare it. */
interface RequestParser {
  /** Called with each request. Returns 1 if its body is skipped, or 2 if nothing more of the connection is a request. */
  onIncoming?: ((request: IncomingMessage, isKeptAlive: boolean) => number) | null
}

/** Error that ends a parser where the rest of a connection is not HTTP. */
const NO_MORE_REQUESTS = 2

/**
 * Ends the parsing of a connection when the connection ends. Otherwise Node would make a request and a response from everything that it has
 * read, up to 1,200 in 64 KiB, and then an error for each of them, which takes 40 ms.
 */
export function endParsingWith(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: RequestParser | null }
  const onIncoming = parser?.onIncoming
  if (!parser || !onIncoming) return
  parser.onIncoming = (request, isKeptAlive) => (socket.destroyed ? NO_MORE_REQUESTS : onIncoming(request, isKeptAlive))
}
