import type { SubscribeOptions } from "../client/events/subscription.js"
import { EVENT_PATHS } from "../client/services.js"
import { bodyChunks } from "../core/lib/bodyChunks.js"
import type { Json } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { EventReader } from "../jsonrpc/events/eventReader.js"
import { cliError } from "./errors.js"

/** An event of a node's stream: `tx`, `block` or `revert`, with its data. */
export interface NodeEvent {
  readonly name: string
  readonly data: { readonly [name: string]: Json }
}

/** The options of a subscription, with heights and kinds as they were typed: the node checks them. */
export interface EventStreamOptions extends Omit<SubscribeOptions, "from" | "kinds"> {
  readonly from?: string | undefined
  readonly kinds?: readonly string[]
}

/**
 * Reads the events of a node as blocks are accepted, from this height on or from the next block. Leaving the loop over them closes the
 * connection. Throws when the stream ends.
 */
export async function* eventStream(url: string, options: EventStreamOptions): AsyncGenerator<NodeEvent, never> {
  const query = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value.length === 0 ? [] : `${name}=${encodeURIComponent(value.toString())}`,
  )
  const address = `${url}${EVENT_PATHS[0]}${query.length === 0 ? "" : `?${query.join("&")}`}`
  const controller = new AbortController()
  try {
    const response = await open(address, controller.signal)
    if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true || !response.body) {
      const answer = (await response.text()).trim().split("\n", 1)[0]
      if (response.status === 400) throw cliError("cli.stream_refused", { url: address, reason: answer })
      throw cliError("cli.not_a_node", { url: address, status: response.status, answer })
    }
    yield* eventsIn(bodyChunks(response.body, controller.signal), address)
    throw cliError("cli.stream_ended", { url: address })
  } finally {
    controller.abort()
  }
}

async function open(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept: "text/event-stream" }, signal })
  } catch (error) {
    throw cliError("cli.no_answer", { url, reason: reasonOf(error) })
  }
}

async function* eventsIn(chunks: AsyncGenerator<Uint8Array, void>, url: string): AsyncGenerator<NodeEvent, void> {
  const events = new EventReader()
  for (;;) {
    const { done, value } = await chunks.next().catch((error) => {
      throw cliError("cli.stream_ended", { url, reason: reasonOf(error) })
    })
    if (done) return
    for (const { name, data } of events.push(value)) yield { name, data: parseJson(data) as NodeEvent["data"] }
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== "" ? cause.message : message
}
