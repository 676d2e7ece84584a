import type { Json } from "../core/lib/json.js"

/** The machine's clock: milliseconds since 1970. */
export type Wall = () => number

/** How the producer waits. Handed in, so that tests need not. */
export interface Timers {
  /** Calls back once, this many milliseconds from now; returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Calls back once what has arrived by now is taken in, and lets others work in between. */
  soon(callback: () => void): void
}

/** Where the producer says what happened: an event and its data. */
export interface Log {
  debug(event: string, data?: LogData): void
  info(event: string, data?: LogData): void
  warn(event: string, data?: LogData): void
  error(event: string, data?: LogData): void
}
export type LogData = Readonly<Record<string, Json>>

/** A log that keeps quiet. */
export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
