import { rmSync } from "node:fs"
import { printJson } from "../core/lib/json.js"
import { writeNamedFile } from "./files.js"

/** The content of the file of `--process-context-file`, as AvalancheGo writes it. */
export interface ProcessContext {
  /** URL of the API. */
  readonly uri: string
  /** `host:port` for other nodes; empty for a node without peers. */
  readonly stakingAddress: string
}

/** Writes the file while a node runs, and removes it at the end. It does nothing without a file. */
export async function withProcessContext(
  file: string | undefined,
  { uri, stakingAddress }: ProcessContext,
  work: () => Promise<void>,
): Promise<void> {
  if (file === undefined) return work()
  writeNamedFile(file, new TextEncoder().encode(`${printJson({ pid: process.pid, uri, stakingAddress })}\n`))
  try {
    await work()
  } finally {
    rmSync(file, { force: true })
  }
}
