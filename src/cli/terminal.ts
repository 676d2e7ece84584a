import { once } from "node:events"
import type { Readable } from "node:stream"
import { escapeControls } from "../core/lib/escapeControls.js"

/** Streams and environment of a command. They are passed in so that tests can pass their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Columns of the terminal on stderr; `undefined` if stderr is not a terminal, and progress is not drawn. */
  readonly columns: number | undefined
  /** True if stdout is a screen, to which no binary file is written. */
  readonly isScreen?: boolean
  /** Writes only the result to stdout. Resolves when there is room for more. */
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
    // The reader of the output may stop early (`| head`), which is not an error.
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
    isScreen: stdout.isTTY,
    async print(output) {
      if (!stdout.write(output)) await once(stdout, "drain")
    },
    note: (text) => void stderr.write(text),
    now: () => Date.now(),
  }
}

/** Returns a terminal for results that contain text from clients: control characters are escaped. Bytes are written unchanged. */
export function plainTerminal(terminal: Terminal): Terminal {
  return {
    ...terminal,
    get columns() {
      return terminal.columns
    },
    print: (output) => terminal.print(typeof output === "string" ? escapeControls(output) : output),
  }
}
