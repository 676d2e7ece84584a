import { once } from "node:events"
import type { Readable } from "node:stream"
import { escapeControls } from "../core/lib/escapeControls.js"

/** Streams and environment of a command. They are passed in so that tests can pass their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Columns of the terminal that stderr is, or `undefined` if it is none: then nobody watches progress. */
  readonly columns: number | undefined
  /** Writes the result, and nothing else, to stdout. Settles when there is room for more. */
  print(output: string | Uint8Array): Promise<void>
  /** Writes anything else to stderr. */
  note(text: string): void
  /** Unix milliseconds. */
  now(): number
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of the output may stop early (`| head`). Nobody is left to write for then, and nothing is wrong.
    if (error.code === "EPIPE") process.exit(0)
    stderr.write(`serac: stdout cannot be written: ${error.message}\n`)
    process.exit(1)
  })
  stderr.on("error", () => {})
  return {
    stdin,
    env,
    get columns() {
      return stderr.isTTY ? stderr.columns : undefined
    },
    async print(output) {
      if (!stdout.write(output)) await once(stdout, "drain")
    },
    note: (text) => void stderr.write(text),
    now: () => Date.now(),
  }
}

/** The same terminal for results that hold text of strangers: control characters in them are shown and not acted on. Bytes pass as they are. */
export function plainTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    get columns() {
      return terminal.columns
    },
    print: (output) => terminal.print(typeof output === "string" ? escapeControls(output) : output),
  }
}
