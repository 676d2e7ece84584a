import { createReadStream, statSync } from "node:fs"
import type { Readable } from "node:stream"
import { Invalid } from "../core/lib/invalid.js"
import { hexDigits } from "../core/types/hexText.js"
import { filesError } from "../files/errors.js"
import { LineSplitter } from "../files/lineSplitter.js"
import { cliError } from "./errors.js"
import { MAX_INPUT, readNamedFile, reasonOf } from "./files.js"
import type { Terminal } from "./terminal.js"

/** The maximum length of a line. The longest useful one, Mainnet's genesis in hex, has 8.8 million digits. */
const MAX_LINE = 1 << 24

/** Reads the bytes of an argument: hex itself, `@FILE`, or `-` for stdin. Files may have hex or the bytes themselves. */
export async function readBytes(argument: string | undefined, terminal: Terminal): Promise<Uint8Array> {
  if (argument?.startsWith("@")) return bytesIn(readNamedFile(argument.slice(1)))
  if (argument !== undefined && argument !== "-") return bytesOfHex(argument)
  requireStdin(argument, terminal)
  return bytesIn(await readStdin(terminal))
}

/** Reads the text of a named file, or of stdin for `-`. */
export async function readText(file: string, terminal: Terminal): Promise<string> {
  return new TextDecoder().decode(file === "-" ? await readStdin(terminal) : readNamedFile(file))
}

async function readStdin({ stdin }: Terminal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let read = 0
  for await (const chunk of stdin) {
    read += chunk.length
    if (read > MAX_INPUT) throw filesError("files.too_large", { file: "stdin", limit: MAX_INPUT })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Returns the bytes of a file that has hex or the bytes themselves. Every structure starts with a codec version of zero, which no text
 * does.
 */
function bytesIn(content: Uint8Array): Uint8Array {
  return content[0] === 0 ? content : bytesOfHex(Buffer.from(content).toString("latin1"))
}

/** The bytes of hex as people paste it: with or without `0x`, in quotes, broken into lines. */
export function bytesOfHex(text: string): Uint8Array {
  const digits = text.replace(/[\s"]/g, "").replace(/^0x/i, "")
  if (digits === "") throw cliError("cli.no_input")
  return hexDigits(digits)
}

/** Some lines of a text, and the number of its bytes read so far. */
export interface Lines {
  readonly lines: readonly string[]
  readonly read: number
}

/** A text to be read line by line, and its size in bytes if that is known. */
export interface LineSource {
  readonly size: number | undefined
  readonly batches: AsyncIterable<Lines>
}

/** Reads lines of `@FILE` or stdin as they arrive, in constant memory. */
export function readLines(argument: string | undefined, terminal: Terminal): LineSource {
  if (argument?.startsWith("@")) {
    const file = argument.slice(1)
    try {
      return { size: statSync(file).size, batches: linesOf(createReadStream(file), file) }
    } catch (error) {
      throw cliError("cli.unreadable_file", { file, reason: reasonOf(error) })
    }
  }
  requireStdin(argument, terminal)
  return { size: undefined, batches: linesOf(terminal.stdin, "stdin") }
}

function requireStdin(argument: string | undefined, { stdin }: Terminal): void {
  if (argument === undefined && stdin.isTTY) throw cliError("cli.missing_argument", { takes: "HEX, @FILE or - for stdin" })
}

async function* linesOf(stream: Readable, name: string): AsyncGenerator<Lines> {
  let read = 0
  const splitter = new LineSplitter(MAX_LINE, (line) => cliError("cli.line_too_long", { file: name, line, limit: MAX_LINE }))
  try {
    for await (const chunk of stream) {
      read += chunk.length
      yield { lines: splitter.feed(chunk.toString("latin1")), read }
    }
  } catch (error) {
    if (error instanceof Invalid || (error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw cliError("cli.unreadable_file", { file: name, reason: reasonOf(error) })
  }
  const last = splitter.end()
  if (last !== "") yield { lines: [last], read }
}
