import { Readable } from "node:stream"
import { main } from "../src/cli/main.js"
import type { Terminal } from "../src/cli/terminal.js"

/** 2025-01-01T00:00:00Z, in Unix milliseconds: the clock of tests. */
export const NOW = 1_735_689_600_000

/** The outcome of a run of the command line. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The environment of a run. */
export interface Setting {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** Makes stderr a terminal of this width. */
  readonly columns?: number
  readonly now?: () => number
}

/** Runs the command line in this process, with a terminal that records its output. */
export async function run(words: readonly string[], setting: Setting = {}): Promise<Outcome> {
  const stdout: Uint8Array[] = []
  let stderr = ""
  const terminal: Terminal = {
    stdin: Readable.from([Buffer.from(setting.stdin ?? "")]),
    env: setting.env ?? {},
    columns: setting.columns,
    async print(output) {
      stdout.push(Buffer.from(output))
    },
    note(text) {
      stderr += text
    },
    now: setting.now ?? (() => NOW),
  }
  const code = await main(words, terminal)
  return { code, stdout: Buffer.concat(stdout).toString(), stderr }
}
