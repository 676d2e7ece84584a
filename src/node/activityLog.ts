import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import { type Block, txsOf } from "../core/blocks/block.js"
import { Invalid } from "../core/lib/invalid.js"
import { LineBudget } from "../core/lib/lineBudget.js"
import type { Log, LogData } from "../core/lib/log.js"
import { burnedAvax } from "../core/txs/amounts.js"
import { type DescribeOptions, describeTx } from "../core/txs/describeTx.js"
import type { Tx } from "../core/txs/tx.js"
import { idText } from "../core/types/id.js"
import type { CallReport } from "../jsonrpc/call/endpoint.js"

/** Number of log lines per second about blocks and transactions; further ones are only counted. */
const BLOCK_LINES_PER_SECOND = 50

/** Number of refused calls that are logged in a second; the others are counted. */
const REFUSAL_LINES_PER_SECOND = 10

const SLOW_SECONDS = 1

export interface ActivityLogOptions extends DescribeOptions {
  readonly log: Log
  /** True on a public server, on which anybody can make calls that are refused. */
  readonly isPublic: boolean
  /** Returns Unix milliseconds. */
  now(): number
}

/** Calls back after this many milliseconds, if the process still runs then. */
const later = (milliseconds: number, callback: () => void) => void setTimeout(callback, milliseconds).unref()

/** Writes a line to the log for each accepted block, each of its transactions, each call that was refused or slow, and each client over its limit. */
export class ActivityLog {
  readonly #options: ActivityLogOptions
  readonly #budget: LineBudget
  readonly #refusals: LineBudget
  readonly #limitedClients: ReturnType<typeof limitedClients>
  #blocksLeftOut = 0

  constructor(options: ActivityLogOptions) {
    this.#options = options
    const { log, now } = options
    const budget = (perSecond: number, onEnd: (leftOut: number) => void) => new LineBudget(perSecond, now, later, onEnd)
    this.#refusals = budget(REFUSAL_LINES_PER_SECOND, (calls) => log[this.#refusalLevel]("more refused calls", { calls }))
    this.#limitedClients = limitedClients(log, later)
    this.#budget = budget(BLOCK_LINES_PER_SECOND, (lines) => {
      log.info("more blocks", { blocks: this.#blocksLeftOut, transactions: lines - this.#blocksLeftOut })
      this.#blocksLeftOut = 0
    })
  }

  accepted(event: AcceptedEvent): void {
    const { log } = this.#options
    if (!log.isEnabled("info")) return
    if (event.kind === "revert") log.info("revert", { height: event.height, blockID: idText(event.id) })
    if (event.kind === "block") this.#block(event.block)
  }

  called({ method, seconds, isNotification, error }: CallReport): void {
    const { log } = this.#options
    if (log.isEnabled("debug")) log.debug("call", { method, milliseconds: Math.round(seconds * 1000) })
    // Methods of private chains start plugins, and make blocks by the thousand.
    const isSlow = seconds >= SLOW_SECONDS && !method.startsWith("dev.")
    if (isSlow) log.warn("slow call", { method, milliseconds: Math.round(seconds * 1000) })
    if (error instanceof Invalid) this.refused(error, method)
    if (isNotification) this.#refusedCall("call without an answer", { method, reason: "the request has no id" })
  }

  refused(error: Invalid, method = String(error.data.method ?? "")): void {
    this.#refusedCall("refused call", { method, code: error.code, reason: error.message })
  }

  /** Says that the header of a proxy is not believed, with the flag that changes it. */
  metUnknownProxy(proxy: string): void {
    this.#options.log.warn("the clients of a proxy count as one, because it is not trusted", { proxy, flag: "--trusted-proxies" })
  }

  /** Writes a line about a call that was refused: for the developer of a private chain, and on a public server for who debugs it. */
  #refusedCall(event: string, data: LogData): void {
    const { log } = this.#options
    const level = this.#refusalLevel
    if (log.isEnabled(level) && this.#refusals.take()) log[level](event, data)
  }

  get #refusalLevel(): "debug" | "info" {
    return this.#options.isPublic ? "debug" : "info"
  }

  /** Reports the status of an HTTP response to a client. */
  responded(status: number, client: string): void {
    if (status === 429) this.#limitedClients.add(client)
  }

  /** Reports the number of lines that were omitted so far. */
  flush(): void {
    this.#budget.flush()
    this.#refusals.flush()
    this.#limitedClients.flush()
  }

  #block(block: Block): void {
    const txs = txsOf(block)
    for (const tx of txs) this.#transaction(tx, block)
    if (!this.#budget.take()) {
      this.#blocksLeftOut++
      return
    }
    this.#options.log.info("block", {
      height: block.height,
      blockID: idText(block.id),
      blockKind: block.kind,
      transactions: txs.length,
      size: block.bytes.length,
    })
  }

  #transaction({ id, unsignedTx }: Tx, { height }: Block): void {
    if (!this.#budget.take()) return
    this.#options.log.info("transaction", {
      txID: idText(id),
      txKind: unsignedTx.kind,
      fee: burnedAvax(unsignedTx, this.#options.avaxAssetID),
      height,
      effect: describeTx(unsignedTx, this.#options),
    })
  }
}

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
