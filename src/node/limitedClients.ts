import type { Log } from "../core/lib/log.js"

/** Milliseconds in which one client has one line. */
const PERIOD = 60_000

/** The maximum number of clients that are named in a period. Requests of further ones are counted together. */
const MAX_CLIENTS = 100

/** Logs when a client first meets its limit, and at the end of each minute how many of its requests were refused since. */
export function limitedClients(log: Log, after: (milliseconds: number, callback: () => void) => void) {
  /** The number of requests that were refused since the last line, by client. */
  const refused = new Map<string, number>()
  let others = 0
  let isWaiting = false

  /** Writes the counts, and begins a new period. */
  const flush = () => {
    for (const [client, requests] of refused) if (requests > 0) log.warn("client over its limit", { client, requests })
    if (others > 0) log.warn("other clients over their limits", { requests: others })
    refused.clear()
    others = 0
  }

  /** Counts a request of a client that was refused because of its limit. */
  const add = (client: string) => {
    const count = refused.get(client)
    if (count !== undefined) refused.set(client, count + 1)
    else if (refused.size >= MAX_CLIENTS) others++
    else {
      refused.set(client, 0)
      log.warn("client over its limit", { client, requests: 1 })
    }
    if (isWaiting) return
    isWaiting = true
    after(PERIOD, () => {
      isWaiting = false
      flush()
    })
  }
  return { add, flush }
}
