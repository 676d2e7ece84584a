import type { Json } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { EVENT_PATHS } from "../node/services.js"
import { cliError } from "./errors.js"

/** An event of a node's stream: `tx`, `block` or `revert`, with its data. */
export interface NodeEvent {
  readonly name: string
  readonly data: { readonly [name: string]: Json }
}

/**
 * Reads the events of a node as blocks are accepted, from this height on or from the next block. Leaving the loop over them closes the
 * connection. Throws when the stream ends.
 */
export async function* eventStream(url: string, from: bigint | undefined): AsyncGenerator<NodeEvent, never> {
  const address = `${url}${EVENT_PATHS[0]}${from === undefined ? "" : `?from=${from}`}`
  const controller = new AbortController()
  try {
    const response = await open(address, controller.signal)
    if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true || !response.body) {
      const answer = (await response.text()).trim().split("\n", 1)[0]
      throw cliError("cli.not_a_node", { url: address, status: response.status, answer })
    }
    yield* eventsIn(response.body, address)
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

/** Splits a stream into events, which an empty line ends. */
async function* eventsIn(body: ReadableStream<Uint8Array>, url: string): AsyncGenerator<NodeEvent, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw cliError("cli.stream_ended", { url, reason: reasonOf(error) })
    })
    if (done) return
    const parts = (text + decoder.decode(value, { stream: true })).split("\n\n")
    text = parts.pop() ?? ""
    for (const part of parts) {
      const event = eventOf(part)
      if (event) yield event
    }
  }
}

/** The event that these lines are; `undefined` for a comment, which only keeps the connection alive. */
function eventOf(lines: string): NodeEvent | undefined {
  const fields = new Map(lines.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]))
  const [name, data] = [fields.get("event"), fields.get("data")]
  return name === undefined || data === undefined ? undefined : { name, data: parseJson(data) as NodeEvent["data"] }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== "" ? cause.message : message
}
