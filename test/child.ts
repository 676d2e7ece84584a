import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { basename, join } from "node:path"
import { createInterface } from "node:readline"
import { buildSync } from "esbuild"
import { root } from "./sources.js"

/** Bundles a program of ours, given by its path below the project, for a separate process. Returns the path of the bundle. */
export function bundle(entry: string): string {
  // The folder is inside the project, so that Node finds the packages that are not bundled.
  const outfile = join(root, "node_modules/.cache/serac", `${basename(entry, ".ts")}-${process.pid}.mjs`)
  const options = {
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    packages: "external",
    loader: { ".br": "binary" },
    logLevel: "warning",
  } as const
  buildSync({ ...options, entryPoints: [join(root, entry)], outfile })
  return outfile
}

/** A running program, and the lines of its output. */
export interface Child {
  readonly process: ChildProcess
  readonly lines: AsyncIterator<string>
  /** The lines that were not read when the program ended. */
  rest(): Promise<string[]>
}

/** Runs a command and shows its stderr. */
export function run(command: string, args: readonly string[]): Child {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, "exit")
  exited.catch(() => {})
  const rest = async () => {
    const left: string[] = []
    for (let next = await lines.next(); !next.done; next = await lines.next()) left.push(next.value)
    // The end of its output does not mean that a killed program has given up its locks.
    await exited
    return left
  }
  return { process: child, lines, rest }
}
