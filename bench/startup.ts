import { spawn } from "node:child_process"
import { once } from "node:events"
import { request } from "node:http"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Report } from "./harness.js"

const ROUNDS = 7
const CALL = '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}'

// Bundled into dist/dev/, two folders below the project.
const bin = join(dirname(fileURLToPath(import.meta.url)), "../../bin/serac")

/** From the command to the first answered call, beside a Node that does nothing. */
export const startupReports: readonly Report[] = [
  {
    name: "start of a private chain",
    async run(print) {
      const empty: number[] = []
      const serac: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        empty.push(await timeOf(emptyNode))
        serac.push(await timeOf(privateChain))
      }
      print(`start, empty node -e 0: ${median(empty)} ms`)
      print(`start, ephemeral chain to its first answer: ${median(serac)} ms (aim 250)`)
    },
  },
]

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function emptyNode(): Promise<void> {
  await once(spawn(process.execPath, ["-e", "0"]), "exit")
}

async function privateChain(): Promise<void> {
  const child = spawn(process.execPath, [bin, "--ephemeral", "--http-port", "0", "--json", "--log-level", "off"])
  const [line] = await once(child.stdout, "data")
  const { url } = JSON.parse(String(line))
  await answered(`${url}/ext/bc/P`)
  child.kill("SIGKILL")
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
