import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A node under test. */
export interface RunningNode {
  readonly name: string
  readonly url: string
  readonly process: ChildProcess
  /** Milliseconds from the start of the process to its first answer about the P-Chain. */
  readonly startMilliseconds: number
  /** Milliseconds from the start of the process until its genesis is written and verified, if the node reports it. */
  readonly verifiedMilliseconds?: number
}

/** The arguments of a node. */
export interface NodeStart {
  readonly networkID: number
  readonly genesisFile: string
  readonly dataDir: string
}

/** The line of the log when the genesis is written and all its proofs hold. */
const VERIFIED = "the proofs of possession of the genesis hold"

/** Milliseconds within which a node must answer. */
const MOST = 300_000

/** Starts Serac with default flags, besides those that name the chain. */
export async function startSerac(
  bin: string,
  { networkID, genesisFile, dataDir }: NodeStart,
  more: readonly string[],
): Promise<RunningNode> {
  const flags = [
    "--network-id",
    String(networkID),
    "--genesis-file",
    genesisFile,
    "--data-dir",
    dataDir,
    "--http-port",
    "0",
    "--json",
  ]
  const started = performance.now()
  const child = spawn(process.execPath, [bin, "node", ...flags, ...more], { stdio: ["ignore", "pipe", "pipe"] })
  let line = ""
  let log = ""
  child.stderr.on("data", (chunk) => {
    // Only the first lines are of interest.
    if (log.length < 1 << 16) log += chunk
  })
  child.stdout.on("data", (chunk) => {
    line += chunk
  })
  const url = await until(child, () => (line.includes("\n") ? (JSON.parse(line) as { url: string }).url : undefined))
  await until(child, () => answers(url))
  const startMilliseconds = performance.now() - started
  // Otherwise the work on the genesis would count as work for the calls.
  await until(child, () => (log.includes(VERIFIED) ? true : undefined))
  return { name: "Serac", url, process: child, startMilliseconds, verifiedMilliseconds: performance.now() - started }
}

/** Starts one AvalancheGo node without peers, whose bootstrapping ends at once. */
export async function startAvalancheGo(program: string, { networkID, genesisFile, dataDir }: NodeStart): Promise<RunningNode> {
  const flags = {
    "network-id": networkID,
    "genesis-file": genesisFile,
    "data-dir": dataDir,
    "http-port": 0,
    "staking-port": 0,
    "public-ip": "127.0.0.1",
    "bootstrap-ips": "",
    "bootstrap-ids": "",
    "staking-ephemeral-cert-enabled": true,
    "staking-ephemeral-signer-enabled": true,
    // Otherwise it waits for the validators of the genesis before it answers.
    "sybil-protection-enabled": false,
    // Some systems allow no more than 20,000.
    "fd-limit": 8192,
    "log-level": "off",
    "log-display-level": "off",
  }
  const started = performance.now()
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(program, args, { stdio: "ignore" })
  const context = join(dataDir, "process.json")
  const url = await until(child, () => {
    const text = existsSync(context) ? readFileSync(context, "utf8") : ""
    return text.trim().endsWith("}") ? (JSON.parse(text) as { uri: string }).uri : undefined
  })
  await until(child, () => answers(url))
  return { name: "AvalancheGo", url, process: child, startMilliseconds: performance.now() - started }
}

/** True once the node answers about the P-Chain. */
async function answers(url: string): Promise<true | undefined> {
  const answer = await ask(url, "/ext/bc/P", '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}').catch(() => undefined)
  return answer?.result === undefined ? undefined : true
}

/** Sends one call. */
export async function ask(
  url: string,
  path: string,
  body: string,
): Promise<{ readonly result?: unknown; readonly error?: unknown }> {
  const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body })
  return (await response.json()) as object
}

/** Repeats a check until it returns a value, or the process has ended. */
async function until<T>(child: ChildProcess, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + MOST; performance.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${child.spawnfile} does not answer`)
}
