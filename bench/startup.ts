import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { localNetwork, longChain } from "../test/fixtures/longChain.js"
import type { Report } from "./harness.js"

const ROUNDS = 7
const HISTORY = 100_000
const CALL = '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'

// Bundled into dist/dev/, two folders below the project.
const bin = join(dirname(fileURLToPath(import.meta.url)), "../../bin/serac")

/** Measures the time from the command to the first answered call, beside an empty Node process. */
export const startupReports: readonly Report[] = [
  {
    name: "start of a private chain",
    async run(print) {
      const empty: number[] = []
      const serac: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        empty.push(await timeOf(emptyNode))
        serac.push(await timeOf(() => firstAnswer(["--ephemeral"])))
      }
      print(`start, empty node -e 0: ${median(empty)} ms`)
      print(`start, ephemeral chain to its first answer: ${median(serac)} ms (aim 250)`)
    },
  },
  {
    name: "start with a history",
    async run(print) {
      const dir = mkdtempSync(join(tmpdir(), "serac-bench-"))
      try {
        replayInto(dir)
        const times: number[] = []
        for (let i = 0; i < ROUNDS; i++) times.push(await timeOf(() => firstAnswer(["--data-dir", dir])))
        print(`start, on ${HISTORY.toLocaleString("en")} blocks to its first answer: ${median(times)} ms (aim 1,000)`)
      } finally {
        rmSync(dir, { recursive: true, force: true })
      }
    },
  },
]

/** A data directory with a long chain, made as a user would: from a file of blocks. */
function replayInto(dir: string): void {
  const file = join(dir, "blocks.txt")
  const lines = [...longChain(localNetwork(), HISTORY)].map(({ bytes }) => `0x${Buffer.from(bytes).toString("hex")}\n`)
  writeFileSync(file, lines.join(""))
  execFileSync(process.execPath, [bin, "replay", "--blocks", file, "--data-dir", dir, "--trust-signatures"], { stdio: "ignore" })
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function emptyNode(): Promise<void> {
  await once(spawn(process.execPath, ["-e", "0"]), "exit")
}

/** Starts a private chain, asks it once, and stops it. */
async function firstAnswer(flags: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [bin, ...flags, "--http-port", "0", "--json", "--log-level", "off"])
  const [line] = await once(child.stdout, "data")
  const { url } = JSON.parse(String(line))
  await answered(`${url}/ext/bc/P`)
  const ended = once(child, "exit")
  child.kill("SIGKILL")
  await ended
}

function answered(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: "POST", headers: { "content-type": "application/json" } }, (response) => {
      response.resume().on("end", resolve)
    })
    call.on("error", reject).end(CALL)
  })
}

function median(times: readonly number[]): number {
  return Math.round([...times].sort((a, b) => a - b)[times.length >> 1]!)
}
