import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"
import type { RawEntry } from "./blockEntry.js"
import { syncError } from "./errors.js"
import { JsonStrings } from "./jsonStrings.js"

/** The blocks of a file, one after the other: lines of hex, a JSON list, or a record that holds one under `blocks`. */
export async function* readBlockFile(path: string, onBytes?: (bytes: number) => void): AsyncIterable<RawEntry> {
  const source = createReadStream(path, { highWaterMark: 1 << 16 })
  source.on("data", (chunk) => onBytes?.(chunk.length))
  const stream = path.endsWith(".gz") ? source.pipe(createGunzip()) : source
  yield* entriesIn(decoded(stream))
}

async function* decoded(stream: AsyncIterable<Buffer | string>): AsyncIterable<string> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })
}

/** Tells JSON from lines by its first character. */
export async function* entriesIn(chunks: AsyncIterable<string>): AsyncIterable<RawEntry> {
  const iterator = chunks[Symbol.asyncIterator]()
  let head = ""
  while (head.trim() === "") {
    const next = await iterator.next()
    if (next.done) return
    head += next.value
  }
  const rest: AsyncIterable<string> = {
    async *[Symbol.asyncIterator]() {
      yield head
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    },
  }
  yield* /^\s*[[{]/.test(head) ? jsonEntries(rest) : lineEntries(rest)
}

/** `["0x…"]`, `[{"bytes": "0x…"}]`, `{"blocks": [as before]}`; a record with containers alone is read from them. */
async function* jsonEntries(chunks: AsyncIterable<string>): AsyncIterable<RawEntry> {
  const strings = new JsonStrings((path) => isBlock(path))
  let list: string | undefined
  for await (const chunk of chunks) {
    for (const { path, value } of strings.feed(chunk)) {
      const name = typeof path[0] === "string" ? path[0] : ""
      // A record may hold the same chain twice, plain and wrapped: the first list is the one.
      list ??= name
      if (list === name) yield { text: value, place: Number(path[name === "" ? 0 : 1]) }
    }
  }
  if (strings.isBroken || list === undefined) throw syncError("sync.bad_json")
}

function isBlock(path: readonly (string | number)[]): boolean {
  const inList = typeof path[0] === "string" ? path.slice(1) : path
  if (typeof path[0] === "string" && path[0] !== "blocks" && path[0] !== "containers") return false
  return typeof inList[0] === "number" && (inList.length === 1 || (inList.length === 2 && inList[1] === "bytes"))
}

/** One block a line; empty lines and those that start with `#` pass. */
async function* lineEntries(chunks: AsyncIterable<string>): AsyncIterable<RawEntry> {
  let place = 0
  let open = ""
  const entry = (line: string): RawEntry | undefined => {
    place++
    const text = line.trim()
    return text === "" || text.startsWith("#") ? undefined : { text, place }
  }
  for await (const chunk of chunks) {
    const lines = (open + chunk).split("\n")
    open = lines.pop() as string
    for (const line of lines) {
      const found = entry(line)
      if (found) yield found
    }
  }
  const last = entry(open)
  if (last) yield last
}
