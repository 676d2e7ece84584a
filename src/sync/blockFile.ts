import { isAscii } from "node:buffer"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { LineSplitter } from "../files/lineSplitter.js"
import type { RawEntry } from "./blockEntry.js"
import { syncError } from "./errors.js"
import { JsonStrings } from "./jsonStrings.js"
import { LazyIterator } from "./lazyIterator.js"

/**
 * Reads the blocks of a file one after the other: lines of hex, a JSON list, or a record with a list under `blocks`. Memory is constant and
 * time is linear for any content. Throws `sync.*`.
 */
export function readBlockFile(path: string, onBytes?: (bytes: number) => void): AsyncIterable<RawEntry> {
  return new LazyIterator(async () => {
    const source = createReadStream(path, { highWaterMark: READ_BYTES })
    source.on("data", (chunk) => onBytes?.(chunk.length))
    // The callback is for callers that do not read the stream to its end. A reader gets the error in its loop.
    const stream = path.endsWith(".gz") ? pipeline(source, createGunzip(), () => {}) : source
    return entriesIn(decoded(stream, path))
  })
}

/** Number of bytes that are read at once. Each read wakes a thread of Node. */
const READ_BYTES = 1 << 19

async function* decoded(stream: AsyncIterable<Buffer | string>, file: string): AsyncIterable<string> {
  const decoder = new TextDecoder()
  try {
    let isPlain = true
    for await (const chunk of stream) {
      if (typeof chunk === "string") {
        yield chunk
        continue
      }
      // Most files are ASCII, which needs no decoder.
      isPlain &&= isAscii(chunk)
      yield isPlain ? chunk.toString("latin1") : decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    throw syncError("sync.unreadable_file", { file, reason: (error as Error).message })
  }
}

/**
 * The maximum length of a line, or of a text with a block, in characters. A block has at most 2 MiB, and hex takes two characters per byte.
 */
const MAX_TEXT = 1 << 24

/** Reads entries as JSON or as lines, as the first character shows. */
export function entriesIn(chunks: AsyncIterable<string>): AsyncIterable<RawEntry> {
  return new LazyIterator(() => openEntries(chunks))
}

async function openEntries(chunks: AsyncIterable<string>): Promise<AsyncIterable<RawEntry>> {
  const iterator = chunks[Symbol.asyncIterator]()
  let blankLines = 0
  let head = await iterator.next()
  while (!head.done && head.value.trim() === "") {
    blankLines += head.value.split("\n").length - 1
    head = await iterator.next()
  }
  if (head.done) return noEntries()
  const first = head.value
  const rest: AsyncIterable<string> = {
    async *[Symbol.asyncIterator]() {
      yield first
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    },
  }
  return /^[[{]/.test(first.trimStart()) ? jsonEntries(rest) : lineEntries(rest, blankLines)
}

async function* noEntries(): AsyncIterable<RawEntry> {}

/** Reads `["0x…"]`, `[{"bytes": "0x…"}]` or `{"blocks": [as before]}`. A record with containers only is read from them. */
async function* jsonEntries(chunks: AsyncIterable<string>): AsyncIterable<RawEntry> {
  const strings = new JsonStrings(isBlock, MAX_TEXT)
  let list: string | undefined
  for await (const chunk of chunks) {
    for (const { path, value } of strings.feed(chunk)) {
      const name = typeof path[0] === "string" ? path[0] : ""
      // A record may contain the same chain twice, plain and wrapped. The first list is used.
      list ??= name
      if (list === name) yield { text: value, place: Number(path[name === "" ? 0 : 1]) }
    }
  }
  if (strings.isBroken || list === undefined) throw syncError("sync.bad_json")
}

/** Called for every string of the file. It reads at most three steps of the path, however deep the string is. */
function isBlock(path: readonly (string | number)[]): boolean {
  const inRecord = typeof path[0] === "string"
  if (inRecord && path[0] !== "blocks" && path[0] !== "containers") return false
  const start = inRecord ? 1 : 0
  const depth = path.length - start
  return typeof path[start] === "number" && (depth === 1 || (depth === 2 && path[start + 1] === "bytes"))
}

/** Reads one block per line. Empty lines and those that start with `#` are skipped. `before` is the number of earlier lines. */
async function* lineEntries(chunks: AsyncIterable<string>, before: number): AsyncIterable<RawEntry> {
  let place = before
  const tooLong = (line: number) => syncError("sync.line_too_long", { line: before + line, limit: MAX_TEXT })
  const splitter = new LineSplitter(MAX_TEXT, tooLong)
  const entry = (line: string): RawEntry | undefined => {
    place++
    const text = line.trim()
    return text === "" || text.startsWith("#") ? undefined : { text, place }
  }
  for await (const chunk of chunks) {
    for (const line of splitter.feed(chunk)) {
      const found = entry(line)
      if (found) yield found
    }
  }
  const last = entry(splitter.end())
  if (last) yield last
}
