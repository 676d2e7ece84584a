import type { Socket } from "node:net"

/** The method that Node calls with every read and write of a socket. Node's types do not declare it. */
interface ActiveSocket {
  _unrefTimer(): void
}

/**
 * Calls back with every read and write of a socket. Node's HTTP parser reads from the socket itself, without an event, so this is the only
 * way to count reads. Does nothing where Node has no such method.
 */
export function onActivity(socket: Socket, callback: () => void): void {
  const active = socket as Socket & Partial<ActiveSocket>
  const refresh = active._unrefTimer
  if (!refresh) return
  active._unrefTimer = () => {
    refresh.call(socket)
    callback()
  }
}
