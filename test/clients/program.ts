import { type ExecFileOptions, execFile } from "node:child_process"
import { existsSync } from "node:fs"

/** Path of a built program of AvalancheGo from an environment variable. Warns that the test is skipped if the variable is not set. */
export function programAt(variable: "SERAC_GOCLIENT" | "SERAC_GOHELICON" | "SERAC_GOVERIFY"): string | undefined {
  const path = process.env[variable]
  if (path !== undefined && existsSync(path)) return path
  console.warn(`skipped: ${variable} names no program (see docs/compatibility.md, "The judges")`)
  return undefined
}

/** Runs a program while this process continues to answer it. Returns its output, for any exit code. */
export function outputOf(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, encoding: "utf8", maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}` : stdout)
    })
  })
}
