/** The flow-control window of a connection and of each call, bytes. With Node's default of 64 KiB large messages are slow. */
export const WINDOW = 4 << 20

/** The maximum number of calls of one connection at a time. A client waits with further ones. */
const MAX_CALLS = 1024

/** The memory that Node grants a connection, megabytes. With its default of 10 a large message ends its call. */
const MAX_MEMORY = 1024

/** Options of HTTP/2 connections on both sides. */
export const sessionOptions = {
  maxSessionMemory: MAX_MEMORY,
  settings: { initialWindowSize: WINDOW, maxConcurrentStreams: MAX_CALLS, enablePush: false },
}
