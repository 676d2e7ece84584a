import { refusals } from "../../core/lib/invalid.js"
import { MAX64 } from "../../core/lib/math64.js"
import type { TxKind } from "../../core/txs/unsignedTx.js"
import { placeIn } from "../../jsonrpc/events/feed.js"
import type { StreamStart } from "../../jsonrpc/events/stream.js"
import type { ChainEvent } from "./chainEvent.js"

/** Errors of a client of a node: wrong options, and event streams that the node refused or ended. */
export const clientError = refusals({
  "node.bad_subscription": "the value of this option of a subscription does not have the required form",
  "node.stream_refused": "the node refused to send events",
  "node.stream_ended": "the node sends no more events, and does not answer when it is asked again",
})

/** Options of a subscription. Only transactions that match all of the lists are reported, and only blocks that contain one. */
export interface SubscribeOptions {
  /** The height of the first block; the next block that is accepted by default. */
  readonly from?: bigint | number
  /**
   * The last block that the subscriber has, as `<height>-<ID>` of the event of a block or a revert, from which another subscription continues. If
   * the chain no longer has it, the first event is a revert. A height alone is believed.
   */
  readonly after?: string | bigint | number
  /** Kinds of transactions. */
  readonly kinds?: readonly TxKind[]
  /** Addresses that a transaction touches. */
  readonly addresses?: readonly string[]
  /** IDs of subnets that a transaction concerns. */
  readonly subnets?: readonly string[]
  /** Node IDs that a transaction concerns. */
  readonly nodes?: readonly string[]
}

/** The events of a chain, in order and each once. A loop over them ends with `close`, and leaving the loop closes the subscription. */
export interface Subscription extends AsyncIterable<ChainEvent> {
  close(): void
  /** Closes the subscription at the end of the scope that declares `await using events = await subscribe(url)`. */
  [Symbol.asyncDispose](): Promise<void>
}

const FILTERS = ["kinds", "addresses", "subnets", "nodes"] as const

/** Returns the filters as the parameters of a stream. Throws `node.bad_subscription` for an unknown option or another value. */
export function filterQuery(options: SubscribeOptions): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) {
    if (name === "from" || name === "after" || value === undefined) continue
    const isFilter = FILTERS.some((each) => each === name)
    if (!isFilter || !Array.isArray(value)) {
      const expected = isFilter ? "a list of texts" : `one of from, after, ${FILTERS.join(", ")}`
      throw clientError("node.bad_subscription", { option: name, expected, got: String(value) })
    }
    if (value.length > 0) query.set(name, value.join(","))
  }
  return query
}

/** Returns where a subscription begins; `undefined` if it begins with the next block. Throws `node.bad_subscription`. */
export function startOf({ from, after }: SubscribeOptions): StreamStart | undefined {
  if (after === undefined) return from === undefined ? undefined : { from: heightOption("from", from) }
  if (from !== undefined) throw clientError("node.bad_subscription", { option: "after", expected: "no from", got: String(after) })
  const place = typeof after === "string" ? placeIn(after) : { height: heightOption("after", after) }
  if (place) return { after: place }
  throw clientError("node.bad_subscription", { option: "after", expected: "<height>-<block ID>, or a height", got: after })
}

function heightOption(option: string, given: bigint | number): bigint {
  const height = typeof given === "bigint" || Number.isSafeInteger(given) ? BigInt(given) : -1n
  if (height >= 0n && height <= MAX64) return height
  throw clientError("node.bad_subscription", { option, expected: "a height", got: String(given) })
}
