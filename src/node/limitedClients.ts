import type { Log } from "../core/lib/log.js"

/** Milliseconds in which one client has one line. */
const PERIOD = 60_000

/** The maximum number of clients that are named in a period. Requests of further ones are counted together. */
const MAX_CLIENTS = 100

/** Logs when a client first meets its limit, and at the end of each minute how many of its requests were refused since. */
export class LimitedClients {
  readonly #log: Log
  readonly #after: (milliseconds: number, callback: () => void) => void
  /** The number of requests that were refused since the last line, by client. */
  readonly #refused = new Map<string, number>()
  #others = 0
  #isWaiting = false

  constructor(log: Log, after: (milliseconds: number, callback: () => void) => void) {
    this.#log = log
    this.#after = after
  }

  /** Counts a request of a client that was refused because of its limit. */
  add(client: string): void {
    const count = this.#refused.get(client)
    if (count !== undefined) this.#refused.set(client, count + 1)
    else if (this.#refused.size >= MAX_CLIENTS) this.#others++
    else {
      this.#refused.set(client, 0)
      this.#log.warn("client over its limit", { client, requests: 1 })
    }
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#after(PERIOD, () => {
      this.#isWaiting = false
      this.flush()
    })
  }

  /** Writes the counts, and begins a new period. */
  flush(): void {
    for (const [client, requests] of this.#refused)
      if (requests > 0) this.#log.warn("client over its limit", { client, requests })
    if (this.#others > 0) this.#log.warn("other clients over their limits", { requests: this.#others })
    this.#refused.clear()
    this.#others = 0
  }
}
