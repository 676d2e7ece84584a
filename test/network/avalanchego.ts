import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { needs } from "../needs.js"

/** The binary that the operator names, with the keys of the local network in `stakers` beside it. */
export const avalancheGo = process.env.SERAC_AVALANCHEGO

/** True if that binary knows Helicon (v1.15.0 or newer). */
export const knowsHelicon = avalancheGo !== undefined && minorVersionOf(avalancheGo) >= 15

/** Options of a test with nodes of AvalancheGo. */
export const needsAvalancheGo = needs(avalancheGo !== undefined, "AvalancheGo, its stakers folder beside it (SERAC_AVALANCHEGO)")

/** The same for nodes that know Helicon. */
export const needsHelicon = needs(knowsHelicon, "AvalancheGo v1.15.0, its stakers folder beside it (SERAC_AVALANCHEGO)")

function minorVersionOf(binary: string): number {
  const output = spawnSync(binary, ["--version"], { encoding: "utf8" }).stdout
  return Number(/avalanchego\/1\.(\d+)\./.exec(output)?.[1] ?? 0)
}

/** A node of AvalancheGo that runs. */
export interface AvalancheGoNode {
  readonly nodeID: string | undefined
  readonly url: string
  /** The address at which it listens for peers. */
  readonly ip: string
  readonly process: ChildProcess
}

/** The five validators of the local network. */
const nodeIDs = [
  "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg",
  "NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ",
  "NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN",
  "NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu",
  "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5",
]

/** The flags of AvalancheGo's own local network, with stakes of half a minute. */
export const localFlags = ["--network-id=local", "--min-stake-duration=30s"]

/** Nodes of AvalancheGo in a directory of their own, until `stop`. */
export class AvalancheGoNetwork {
  readonly #dir = mkdtempSync(join(tmpdir(), "serac-avalanchego-"))
  readonly #flags: readonly string[]
  readonly nodes: AvalancheGoNode[] = []

  /** `flags` name the network and its rules, for every node. */
  constructor(flags: readonly string[] = localFlags) {
    this.#flags = flags
  }

  /** Starts the five validators of the local network; resolves when their P-Chains answer. */
  async startValidators(): Promise<void> {
    await this.beginValidators(nodeIDs.length)
    await Promise.all(this.nodes.map(({ url }) => untilBootstrapped(url)))
  }

  /** Starts the first of the five validators, and returns the places of the others, which the first know as peers. */
  async beginValidators(count: number): Promise<ValidatorPlace[]> {
    const ports = await Promise.all(nodeIDs.map(async () => ({ http: await freePort(), staking: await freePort() })))
    const places = nodeIDs.map((nodeID, i) => ({ nodeID, port: (ports[i] as (typeof ports)[0]).staking, keys: keysOf(i) }))
    nodeIDs.slice(0, count).forEach((nodeID, i) => {
      this.#start(`v${i + 1}`, nodeID, ports[i] as (typeof ports)[0], bootstrapFlags(places, nodeID), keysOf(i))
    })
    return places
  }

  /** Starts a node that follows the P-Chain alone and knows one other node. */
  async startPartialSync(ip: string, nodeID: string): Promise<AvalancheGoNode> {
    const ports = { http: await freePort(), staking: await freePort() }
    const bootstrap = [`--bootstrap-ips=${ip}`, `--bootstrap-ids=${nodeID}`]
    return this.#start("partial", undefined, ports, bootstrap, ["--partial-sync-primary-network=true"])
  }

  /** Starts a node that makes all blocks by itself; resolves when its P-Chain answers. */
  async startAlone(more: readonly string[] = []): Promise<AvalancheGoNode> {
    const ports = { http: await freePort(), staking: await freePort() }
    const alone = ["--bootstrap-ips=", "--bootstrap-ids=", "--sybil-protection-enabled=false", ...more]
    const node = this.#start(`alone${this.nodes.length}`, undefined, ports, alone, [])
    await untilBootstrapped(node.url)
    return node
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.nodes.map(({ process: child }) => {
        const ended = new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve(0)))
        child.kill("SIGKILL")
        return ended
      }),
    )
    rmSync(this.#dir, { recursive: true, force: true })
  }

  #start(
    name: string,
    nodeID: string | undefined,
    { http, staking }: { readonly http: number; readonly staking: number },
    bootstrap: readonly string[],
    more: readonly string[],
  ): AvalancheGoNode {
    const dir = join(this.#dir, name)
    mkdirSync(dir, { recursive: true })
    const log = openSync(join(dir, "out.log"), "a")
    const flags = [
      `--data-dir=${dir}`,
      "--public-ip=127.0.0.1",
      `--http-port=${http}`,
      `--staking-port=${staking}`,
      "--fd-limit=8192",
      "--network-allow-private-ips=true",
      "--network-health-min-conn-peers=0",
      ...bootstrap,
      ...this.#flags,
      ...more,
    ]
    const child = spawn(avalancheGo as string, flags, { stdio: ["ignore", log, log] })
    const node = { nodeID, url: `http://127.0.0.1:${http}`, ip: `127.0.0.1:${staking}`, process: child }
    this.nodes.push(node)
    return node
  }
}

/** The address at which a validator of the local network listens for peers, and the flags that name its keys. */
export interface ValidatorPlace {
  readonly nodeID: string
  readonly port: number
  readonly keys: readonly string[]
}

/** The flags that name all validators but one as bootstrappers; they mean the same to AvalancheGo and to Serac. */
export function bootstrapFlags(places: readonly ValidatorPlace[], nodeID: string): string[] {
  const others = places.filter((place) => place.nodeID !== nodeID)
  return [
    `--bootstrap-ips=${others.map(({ port }) => `127.0.0.1:${port}`).join(",")}`,
    `--bootstrap-ids=${others.map((place) => place.nodeID).join(",")}`,
  ]
}

function keysOf(index: number): string[] {
  const stakers = join(dirname(avalancheGo as string), "stakers")
  return [
    `--staking-tls-cert-file=${join(stakers, `staker${index + 1}.crt`)}`,
    `--staking-tls-key-file=${join(stakers, `staker${index + 1}.key`)}`,
    `--staking-signer-key-file=${join(stakers, `signer${index + 1}.key`)}`,
  ]
}

/** Calls a method of a node. */
export async function ask(url: string, path: string, method: string, params: object = {}): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body })
  return ((await response.json()) as { result: Record<string, unknown> }).result
}

/** Repeats a check, with pauses, until it returns true. */
export async function until(isSo: () => Promise<boolean>, milliseconds: number, pauseMs = 100): Promise<void> {
  const end = Date.now() + milliseconds
  for (;;) {
    if (await isSo().catch(() => false)) return
    if (Date.now() > end) throw new Error(`not so within ${milliseconds} ms: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

export async function untilBootstrapped(url: string): Promise<void> {
  await until(async () => (await ask(url, "/ext/info", "info.isBootstrapped", { chain: "P" })).isBootstrapped === true, 180_000)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
