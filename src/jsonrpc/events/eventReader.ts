/** A server-sent event: its name, its ID if it has one, and its data, which is one line of JSON here. */
export interface ServerSentEvent {
  readonly name: string
  readonly id: string | undefined
  readonly data: string
}

/** Reads server-sent events from the bytes of a stream as they arrive. */
export class EventReader {
  readonly #decoder = new TextDecoder()
  #text = ""

  /** Returns the events that these bytes complete. It ignores comments, which only keep a stream alive. */
  push(bytes: Uint8Array): ServerSentEvent[] {
    const parts = (this.#text + this.#decoder.decode(bytes, { stream: true })).split("\n\n")
    this.#text = parts.pop() ?? ""
    return parts.flatMap((part) => eventIn(part) ?? [])
  }
}

function eventIn(lines: string): ServerSentEvent | undefined {
  const fields = new Map(lines.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]))
  const [name, data] = [fields.get("event"), fields.get("data")]
  return name === undefined || data === undefined ? undefined : { name, id: fields.get("id"), data }
}
