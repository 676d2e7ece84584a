import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startDevnet } from "../../src/devnet/devnet.js"
import { run } from "../terminal.js"

const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const NODE = "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"

/** The commands of the session. `$TX` is the transaction that an earlier command has printed. */
const session: readonly string[] = [
  "serac validators",
  "serac snapshot",
  `serac fund ${FRIEND} 5avax`,
  `serac send ${FRIEND} 1.5avax`,
  "serac tx $TX",
  `serac address ${FRIEND}`,
  `serac stake 25avax 14d --node ${NODE}`,
  "serac dev advance 14d",
  "serac call platform.getHeight",
  "serac call platform.getTxs kinds=BaseTx,RewardValidatorTx limit=1 --json",
  "serac watch --from 2 --blocks 1",
  "serac watch --from 1 --kinds AddPermissionlessDelegatorTx --blocks 1",
  "serac watch --from 3 --blocks 1 --json",
  "serac export blocks --from 2 --to 2",
  "serac export txs --format csv --from 1 --to 3",
  "serac export rewards --year 2030 --format csv",
  "serac export stakes --from 1 --format csv",
  "serac export stakers --format csv",
  "serac export utxos --format csv",
  "serac health",
  "serac id PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN",
  "serac revert 1",
]

/**
 * Runs the commands of the client against a private chain with a frozen clock and fixed keys, and returns them with their output.
 */
export async function cliSession(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-session-"))
  const devnet = await startDevnet({ dataDir, accounts: 1, startTime: 1_900_000_000n, freezeTime: true })
  const lines: string[] = []
  let tx = ""
  try {
    for (const command of session) {
      const words = command.replace("$TX", tx).split(" ").slice(1)
      const where = words[0] === "export" ? ["--data-dir", dataDir] : words[0] === "id" ? [] : ["--url", devnet.url]
      const { stdout, stderr, code } = await run([...words, ...where])
      if (code !== 0) throw new Error(`${command}: ${stderr}`)
      tx = /^Transaction +(\S+)$/m.exec(stdout)?.[1] ?? tx
      // The ID of a private chain is random.
      lines.push(`$ serac ${words.join(" ")}\n${stdout.replace(/^(chain .*"id":")\w+/m, "$1…")}`)
    }
  } finally {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return lines.join("\n").trimEnd()
}
