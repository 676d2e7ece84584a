import { once } from "node:events"
import { createServer, type Server } from "node:net"
import type { Dialect } from "../jsonrpc/schema/param.js"
import { localNetworkError } from "./errors.js"
import { genesisFileOf, type NetworkDirectory, type NetworkMember, upgradeFileOf } from "./networkDirectory.js"
import { NodeProcess } from "./nodeProcess.js"

const PROBE_MS = 100
const WATCH_MS = 1_000

export interface LocalNetworkOptions {
  readonly directory: NetworkDirectory
  readonly programs: NetworkPrograms
  /** The HTTP port of the first node. Its staking port is the next one, and so on. By default free ports are used. */
  readonly firstPort?: number | undefined
}

/** Whether a node answers, and how its process ended, if it has. */
export interface NodeStatus {
  readonly node: NodeProcess
  readonly isUp: boolean
}

/** The nodes of a local network as processes of this machine. */
export class LocalNetwork {
  readonly directory: NetworkDirectory
  readonly nodes: readonly NodeProcess[]
  readonly #stopping = new AbortController()
  #watch: NodeJS.Timeout | undefined

  private constructor(directory: NetworkDirectory, nodes: readonly NodeProcess[]) {
    this.directory = directory
    this.nodes = nodes
  }

  static async launch({ directory, programs, firstPort }: LocalNetworkOptions): Promise<LocalNetwork> {
    const { members } = directory
    const count = 2 * members.length
    const all = firstPort === undefined ? await freePorts(count) : Array.from({ length: count }, (_, i) => firstPort + i)
    const ports = members.map((_, i) => ({ http: all[2 * i] as number, staking: all[2 * i + 1] as number }))
    const start = (member: NetworkMember, i: number) =>
      new NodeProcess(member, `http://127.0.0.1:${ports[i]?.http}`, commandLineOf(directory, member, ports, programs))
    return new LocalNetwork(directory, members.map(start))
  }

  /** Resolves when each node has caught up and is connected to all others. Throws `localnet.node_ended`, `localnet.not_ready`. */
  async untilReady(milliseconds: number): Promise<void> {
    const deadline = Date.now() + milliseconds
    const others = this.nodes.length - 1
    const anyEnd = Promise.race(this.nodes.map(({ exited }) => exited)).then(() => false)
    for (const node of this.nodes) {
      for (;;) {
        const isThere = await Promise.race([node.isReady(others, this.#stopping.signal), anyEnd])
        const ended = this.nodes.find(({ exit }) => exit !== undefined)
        if (ended) throw localNetworkError("localnet.node_ended", factsOf(ended))
        if (isThere) break
        if (Date.now() > deadline) throw localNetworkError("localnet.not_ready", factsOf(node))
        await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
      }
    }
  }

  /** Calls back with each node that stops or starts answering, until `stop`. */
  watch(changed: (status: NodeStatus) => void): void {
    const isUp = new Map(this.nodes.map((node) => [node, true]))
    const probe = async (node: NodeProcess) => {
      const now = await node.isAnswering(this.#stopping.signal)
      // The end of its process is noticed a moment after it does not answer.
      if (!now) await Promise.race([node.exited, new Promise((resolve) => setTimeout(resolve, PROBE_MS))])
      if (now === isUp.get(node) || this.#watch === undefined) return
      isUp.set(node, now)
      changed({ node, isUp: now })
    }
    this.#watch = setInterval(() => {
      for (const node of this.nodes) void probe(node)
    }, WATCH_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch)
    this.#watch = undefined
    this.#stopping.abort()
    await Promise.all(this.nodes.map((node) => node.stop()))
  }
}

const factsOf = ({ member, exit, logFile, lastLine }: NodeProcess) => ({
  node: member.name,
  ...(exit === undefined ? {} : { exit }),
  log: logFile,
  lastLine,
})

/** Finds free ports of the loopback address. All are held until the last one is found, so that no port is returned twice. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listening))
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

async function listening(): Promise<Server> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

/** The ports of one node of a local network, on the loopback address. */
interface NodePorts {
  readonly http: number
  readonly staking: number
}

interface NetworkPrograms {
  /** The command that runs Serac, such as `["node", "bin/serac"]`. */
  readonly serac: readonly string[]
  readonly avalanchego?: string | undefined
  readonly dialect: Dialect
}

/**
 * Returns the command line of a member. Serac's nodes start from all nodes; AvalancheGo's only from each other, because they also run the
 * X-Chain and the C-Chain, for which Serac's nodes have no answers.
 */
export function commandLineOf(
  network: NetworkDirectory,
  member: NetworkMember,
  ports: readonly NodePorts[],
  programs: NetworkPrograms,
): readonly string[] {
  const { dir, networkID, members, ruleFlags } = network
  const own = ports[members.indexOf(member)] as NodePorts
  const beacons = members.flatMap(({ nodeID, program }, i) => {
    const isBeacon = member.program === "serac" || (program === "avalanchego" && nodeID !== member.nodeID)
    return isBeacon ? [{ nodeID, address: `127.0.0.1:${ports[i]?.staking}` }] : []
  })
  const flags = [
    `--network-id=${networkID}`,
    `--genesis-file=${genesisFileOf(dir)}`,
    `--upgrade-file=${upgradeFileOf(dir)}`,
    `--data-dir=${member.dir}`,
    `--http-port=${own.http}`,
    `--staking-port=${own.staking}`,
    "--staking-host=127.0.0.1",
    "--public-ip=127.0.0.1",
    `--bootstrap-ips=${beacons.map(({ address }) => address).join(",")}`,
    `--bootstrap-ids=${beacons.map(({ nodeID }) => nodeID).join(",")}`,
    `--network-health-min-conn-peers=${Math.min(1, members.length - 1)}`,
    ...Object.entries(ruleFlags).map(([name, value]) => `--${name}=${value}`),
  ]
  return member.program === "serac"
    ? [...programs.serac, "node", ...flags, `--api-dialect=${programs.dialect}`, "--json", "--stop-with-stdin"]
    : [programs.avalanchego as string, ...flags, "--network-allow-private-ips=true", "--fd-limit=8192"]
}
