import { isAscii } from "node:buffer"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { valueOrThrow } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { LineSplitter } from "../files/lineSplitter.js"
import type { RawEntry } from "./blockEntry.js"
import { syncError } from "./errors.js"

/**
 * Reads the blocks of a file one after the other: lines of hex, a JSON list, or a record with a list under `blocks`. Memory is bounded and
 * time is linear for any content: lines are read one after the other, and JSON at once up to a limit. Throws `sync.*`.
 */
export async function* readBlockFile(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<RawEntry> {
  const source = createReadStream(path, { highWaterMark: READ_BYTES })
  source.on("data", (chunk) => onBytes?.(chunk.length))
  // The callback is for callers that do not read the stream to its end. A reader gets the error in its loop.
  const stream = path.endsWith(".gz") ? pipeline(source, createGunzip(), () => {}) : source
  yield* entriesIn(decoded(stream, path))
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

/** The maximum length of a JSON text in characters. */
const MAX_JSON = 1 << 28

/** The depth of brackets that is read. No JSON that a program wrote is deeper. */
const MAX_DEPTH = 1000

/** Reads the entries of a text that arrives in pieces. */
interface EntryReader {
  feed(chunk: string): Iterable<RawEntry>
  end(): Iterable<RawEntry>
}

/** Reads entries as JSON or as lines, as the first character shows. */
export async function* entriesIn(chunks: AsyncIterable<string>): AsyncGenerator<RawEntry> {
  let reader: EntryReader | undefined
  let blankLines = 0
  for await (const chunk of chunks) {
    if (!reader && chunk.trim() === "") blankLines += chunk.split("\n").length - 1
    else {
      reader ??= /^[[{]/.test(chunk.trimStart()) ? jsonEntries() : lineEntries(blankLines)
      for (const entry of reader.feed(chunk)) yield entry
    }
  }
  for (const entry of reader?.end() ?? []) yield entry
}

/** Reads `["0x…"]`, `[{"bytes": "0x…"}]` or `{"blocks": [as before]}`. A record with containers only is read from them. */
function jsonEntries(): EntryReader {
  const chunks: string[] = []
  let length = 0
  return {
    feed(chunk) {
      length += chunk.length
      if (length > MAX_JSON) throw syncError("sync.json_too_long", { limit: MAX_JSON })
      chunks.push(chunk)
      return []
    },
    end: () => blocksIn(parsed(chunks.join(""))),
  }
}

function parsed(text: string): Json {
  return valueOrThrow(
    () => parseJson(text, { maxDepth: MAX_DEPTH }),
    ({ sentence, data }) => syncError("sync.bad_json", { reason: sentence, ...data }),
  )
}

function* blocksIn(json: Json): Iterable<RawEntry> {
  const record = json as { readonly blocks?: Json; readonly containers?: Json }
  const list = Array.isArray(json) ? json : (record.blocks ?? record.containers)
  if (!Array.isArray(list)) throw syncError("sync.bad_json")
  for (const [place, value] of list.entries()) {
    const text = typeof value === "string" ? value : (value as { readonly bytes?: Json } | null)?.bytes
    if (typeof text !== "string") continue
    if (text.length > MAX_TEXT) throw syncError("sync.line_too_long", { limit: MAX_TEXT })
    yield { text, place }
  }
}

/** Reads one block per line. Empty lines and those that start with `#` are skipped. `before` is the number of earlier lines. */
function lineEntries(before: number): EntryReader {
  let place = before
  const tooLong = (line: number) => syncError("sync.line_too_long", { line: before + line, limit: MAX_TEXT })
  const splitter = new LineSplitter(MAX_TEXT, tooLong)
  const entriesOf = (lines: readonly string[]): RawEntry[] =>
    lines.flatMap((line) => {
      place++
      const text = line.trim()
      return text === "" || text.startsWith("#") ? [] : [{ text, place }]
    })
  return { feed: (chunk) => entriesOf(splitter.feed(chunk)), end: () => entriesOf([splitter.end()]) }
}
