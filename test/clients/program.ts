import { type ExecFileOptions, execFile } from "node:child_process"
import { existsSync } from "node:fs"

/** Path of a built program of AvalancheGo from an environment variable. */
export function programAt(variable: "SERAC_GOCLIENT" | "SERAC_GOHELICON" | "SERAC_GOVERIFY"): string | undefined {
  const path = process.env[variable]
  return path !== undefined && existsSync(path) ? path : undefined
}

/** Runs a program while this process continues to answer it. Returns its output, for any exit code. */
export function outputOf(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, encoding: "utf8", maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}` : stdout)
    })
  })
}
