import { REFERENCE_VERSION } from "../core/networks/reference.js"
import { version } from "../node/version.js"
import { processTerminal, type Terminal } from "./terminal.js"

/**
 * Runs the command line and returns the exit code. Writes the result to stdout and everything else to stderr. The rest of the program is
 * loaded when more is asked than the version.
 */
export async function main(words: readonly string[], given?: Terminal): Promise<number> {
  const terminal = given ?? processTerminal()
  if (["--version", "-v", "version"].includes(words[0] ?? "")) {
    await terminal.print(`serac ${version}\nrules and answers of AvalancheGo v${REFERENCE_VERSION}\n`)
    return 0
  }
  const { runCommandLine } = await import("./commandLine.js")
  return runCommandLine(words, terminal, given === undefined)
}
