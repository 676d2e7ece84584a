import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { silentLog } from "../src/core/lib/log.js"
import { upTo } from "../src/core/networks/upgrades.js"
import { nodeIDText } from "../src/core/types/id.js"
import { freePorts } from "../src/launcher/localNetwork.js"
import { openIdentity } from "../src/node/identity/identity.js"
import { startPrivateNode } from "../src/sources/private/privateNode.js"
import { changeOf, firstUnspent, payment } from "../test/fixtures/longChain.js"

const BLOCKS = Number(process.env.SERAC_BENCH_BLOCKS ?? 20_000)
const RUNS = Number(process.env.SERAC_BENCH_RUNS ?? 3)
const TICKS_PER_SECOND = 100

/** Room for as many payments a second as one client can issue. Both programs know these flags. */
const rules = {
  "dynamic-fees-max-gas-capacity": "1000000000",
  "dynamic-fees-max-gas-per-second": "100000000",
  "dynamic-fees-target-gas-per-second": "50000000",
  "dynamic-fees-excess-conversion-constant": "2164043000",
}
const ruleFlags = Object.entries(rules).map(([name, value]) => `--${name}=${value}`)

/**
 * Lets AvalancheGo (`SERAC_AVALANCHEGO`) and Serac bootstrap the same chain from the same Serac node, one after the other, and prints both
 * times. `SERAC_BENCH_CHAIN` names a directory in which the chain is kept for further runs.
 */
export async function reportBootstrap(print: (line: string) => void): Promise<void> {
  const binary = process.env.SERAC_AVALANCHEGO
  if (binary === undefined) return print("peers: bootstrap beside AvalancheGo: skipped, SERAC_AVALANCHEGO names no binary")
  const kept = process.env.SERAC_BENCH_CHAIN
  const scratch = mkdtempSync(join(tmpdir(), "serac-bench-"))
  const chain = kept ?? join(scratch, "chain")
  if (!existsSync(chain)) await makeChain(chain)
  const server = await startServer(chain, join(scratch, "server.log"))
  try {
    const times = { avalanchego: [] as number[], serac: [] as number[] }
    for (let run = 1; run <= RUNS; run++) {
      for (const program of ["avalanchego", "serac"] as const) {
        const { seconds, cpuSeconds } = await bootstrapped(program, binary, server, join(scratch, `${program}${run}`))
        times[program].push(seconds)
        print(
          `bootstrap of ${BLOCKS} blocks, run ${run}: ${program} ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time`,
        )
      }
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]?.toFixed(1) ?? "not measured"
    print(`bootstrap of ${BLOCKS} blocks, medians: AvalancheGo ${median(times.avalanchego)} s, Serac ${median(times.serac)} s`)
  } finally {
    server.process.kill("SIGKILL")
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Makes a private chain of many blocks, each with one payment, in their wrappers. */
async function makeChain(finished: string): Promise<void> {
  // A chain that was not finished has another name.
  const dataDir = `${finished}.unfinished`
  rmSync(dataDir, { recursive: true, force: true })
  const chain = await startPrivateNode({
    dataDir,
    choice: { now: BigInt(Math.floor(Date.now() / 1000)), ruleFlags: rules, upgrades: upTo("granite") },
    dialect: "contract",
    isPublic: false,
    producer: { accounts: { count: 0, balance: 0n }, poolGas: 1_000_000_000n },
    log: silentLog,
    wall: () => Date.now(),
  })
  let unspent = firstUnspent
  while (chain.height() < BLOCKS) {
    const tx = payment(unspent, chain.data.rules)
    await chain.privateChain?.issueTx(tx)
    unspent = changeOf(tx)
  }
  await chain.stop()
  renameSync(dataDir, finished)
}

interface Server {
  readonly process: ChildProcess
  readonly nodeID: string
  readonly address: string
}

/** Serves a chain to peers from a process of its own. The node is its own bootstrapper, so that it has caught up at once. */
async function startServer(dataDir: string, logFile: string): Promise<Server> {
  const nodeID = nodeIDText(openIdentity({ isBuiltIn: false, dataDir, now: BigInt(Math.floor(Date.now() / 1000)) }).nodeID)
  const [http, staking] = (await freePorts(2)) as [number, number]
  const address = `127.0.0.1:${staking}`
  const log = openSync(logFile, "a")
  const flags = ["--network-id=local", `--data-dir=${dataDir}`, `--bootstrap-ips=${address}`, `--bootstrap-ids=${nodeID}`]
  const args = [resolve("bin/serac"), "node", ...flags, `--staking-port=${staking}`, `--http-port=${http}`]
  const child = spawn(process.execPath, args, { stdio: ["ignore", log, log] })
  await untilBootstrapped(child, http)
  return { process: child, nodeID, address }
}

/** Runs a new node until it has the whole chain of the server. */
async function bootstrapped(program: "avalanchego" | "serac", binary: string, server: Server, dir: string) {
  mkdirSync(dir)
  const [http, staking] = (await freePorts(2)) as [number, number]
  const flags = [
    "--network-id=local",
    `--data-dir=${dir}`,
    `--bootstrap-ips=${server.address}`,
    `--bootstrap-ids=${server.nodeID}`,
    "--public-ip=127.0.0.1",
    `--staking-port=${staking}`,
    `--http-port=${http}`,
    ...ruleFlags,
  ]
  const [command, args] =
    program === "serac"
      ? [process.execPath, [resolve("bin/serac"), "node", ...flags]]
      : [binary, [...flags, "--partial-sync-primary-network=true", "--fd-limit=8192"]]
  const log = openSync(join(dir, "out.log"), "a")
  const start = performance.now()
  const child = spawn(command, args, { stdio: ["ignore", log, log] })
  const exited = once(child, "exit")
  await untilBootstrapped(child, http)
  const seconds = (performance.now() - start) / 1000
  const { height } = (await call(http, "/ext/bc/P", "platform.getHeight")) as { height: string }
  if (Number(height) !== BLOCKS) throw new Error(`${program} has ${height} of ${BLOCKS} blocks`)
  const cpuSeconds = cpuSecondsOf(child.pid as number)
  child.kill("SIGKILL")
  await exited
  rmSync(dir, { recursive: true, force: true })
  return { seconds, cpuSeconds }
}

/** Processor time of a process so far, from Linux's table. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function untilBootstrapped(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`a node ended with exit code ${child.exitCode}`)
    const answer = await call(port, "/ext/info", "info.isBootstrapped", { chain: "P" }).catch(() => undefined)
    if ((answer as { isBootstrapped?: boolean } | undefined)?.isBootstrapped) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function call(port: number, path: string, method: string, params: object = {}): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const headers = { "content-type": "application/json" }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body })
  return ((await response.json()) as { result: unknown }).result
}
