import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { localNetworkError } from "./errors.js"

const TIMEOUT_MS = 10_000

/** Returns the major and minor version that a binary of AvalancheGo prints, such as `[1, 15]`. Throws `localnet.bad_binary`. */
export async function avalanchegoVersion(binary: string): Promise<readonly [major: number, minor: number]> {
  const run = promisify(execFile)(binary, ["--version"], { timeout: TIMEOUT_MS })
  const printed = await run.then(
    ({ stdout }) => stdout,
    (error: Error) => {
      throw localNetworkError("localnet.bad_binary", { binary, reason: error.message })
    },
  )
  const version = /avalanchego\/(\d+)\.(\d+)\./.exec(printed)
  if (!version) throw localNetworkError("localnet.bad_binary", { binary, printed: printed.slice(0, 100) })
  return [Number(version[1]), Number(version[2])]
}
