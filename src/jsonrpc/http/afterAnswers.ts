import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** The response that is being sent over a socket. Node's types do not declare it. */
interface AnsweringSocket {
  readonly _httpMessage?: ServerResponse | null
}

function endWithError(this: Socket): void {
  this.destroy()
}

/**
 * Calls back when the earlier requests of a connection have been answered, which is at once for most connections. It is needed for requests
 * that ask for an upgrade: Node hands over their socket even if earlier responses wait to be sent over it, and a socket takes one response
 * at a time. Does not call back if the connection ends.
 */
export function afterAnswers(socket: Socket, callback: () => void): void {
  // Node stops listening for errors of a connection that requests an upgrade, and an unhandled error ends the process.
  socket.on("error", endWithError)
  const next = () => {
    if (socket.destroyed) return
    const { _httpMessage: message } = socket as Socket & AnsweringSocket
    if (message) message.once("close", next)
    else {
      callback()
      socket.off("error", endWithError)
    }
  }
  next()
}
