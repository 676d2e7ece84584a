import type { Dialect } from "../jsonrpc/schema/param.js"
import { genesisFileOf, type NetworkDirectory, type NetworkMember, upgradeFileOf } from "./networkDirectory.js"

/** The ports of one node of a local network, on the loopback address. */
export interface NodePorts {
  readonly http: number
  readonly staking: number
}

/** The programs that run the nodes of a local network. */
export interface NetworkPrograms {
  /** The command that runs Serac, such as `["node", "bin/serac"]`. */
  readonly serac: readonly string[]
  /** The path of AvalancheGo's binary. */
  readonly avalanchego?: string | undefined
  /** Dialect of the answers of Serac's nodes. */
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
