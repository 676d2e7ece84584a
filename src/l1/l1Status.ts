import type { Check } from "../jsonrpc/health/monitor.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { FundedKey, HostedL1 } from "../producer/l1Hosting.js"
import type { HostedChainFacts } from "../services/context.js"
import { type ChainMetrics, metricsText } from "../vmhost/metricsText.js"
import { vmName } from "../vmhost/plugin/pluginFiles.js"
import { evmGenesis } from "./developerChain.js"
import type { HostedL1s, HostedParts } from "./l1Parts.js"

/** Describes an L1. `fundedKeys` returns the publicly known keys. */
export function l1Report({ record, chain, database, genesis }: HostedParts, fundedKeys: () => readonly FundedKey[]): HostedL1 {
  const { name, subnetID, chainID, vmID } = record
  const evm = evmGenesis(genesis)
  return {
    ...{ name, subnetID, chainID, vmID },
    vm: vmName(vmID),
    ...chain.report(),
    databaseBytes: database.size(),
    paths: chain.prefixes().map((prefix) => `/ext/bc/${name}${prefix}`),
    evmChainID: evm?.chainID,
    keys: evm ? fundedKeys().filter(({ address }) => evm.funded.has(address.toLowerCase())) : [],
  }
}

export function hostedChainFacts({ record: { chainID, subnetID, name, vmID }, chain }: HostedParts): HostedChainFacts {
  const { state, version } = chain.report()
  return { chainID, subnetID, name, vmID, isRunning: state === "running", version, namedHeight: chain.namedHeight() }
}

/** The health of the L1s: those that are to run do so. */
export function l1Check(host: HostedL1s): Check {
  return {
    name: "l1s",
    run() {
      const reports = host.hosted.map(({ record, chain }) => ({ name: record.name, ...chain.report() }))
      const ill = reports.filter(({ state, illness }) => state === "restarting" || illness !== undefined)
      if (ill.length > 0)
        throw new Error(ill.map(({ name, state, reason, illness }) => `${name} ${state}: ${reason ?? illness}`).join("; "))
      return reports.map(({ name, state, height }) => ({
        name,
        state,
        ...(height === undefined ? {} : { height: String(height) }),
      }))
    },
  }
}

export function registerL1Metrics(metrics: Registry, host: HostedL1s): void {
  const byChain = (name: string, help: string, value: (parts: HostedParts) => number | undefined, type?: "counter") =>
    metrics.gauges(
      name,
      help,
      "chain",
      () => {
        const values = host.hosted.map((parts) => [parts.record.name, value(parts)] as const)
        return Object.fromEntries(values.filter((each): each is [string, number] => each[1] !== undefined))
      },
      type,
    )
  const height = ({ chain }: HostedParts) => {
    const { height: last } = chain.report()
    return last === undefined ? undefined : Number(last)
  }
  const isRunning = ({ chain }: HostedParts) => Number(chain.report().state === "running")
  byChain("serac_l1_running", "1 where the VM of an L1 runs, otherwise 0", isRunning)
  byChain("serac_l1_height", "Height of the last accepted block of an L1", height)
  byChain("serac_l1_restarts_total", "Starts of a plugin after a failure", ({ chain }) => chain.report().restarts, "counter")
  byChain("serac_l1_memory_bytes", "Memory of the process of a plugin, bytes", ({ chain }) => chain.memory)
  byChain("serac_l1_database_bytes", "Bytes of the database of a plugin", ({ database }) => database.size())
}

/** Returns the metrics of all VMs that run, as text. A VM that does not answer is left out. */
export async function vmMetrics(host: HostedL1s): Promise<string> {
  const chains = host.hosted.map(async ({ record: { vmID, name: chain }, chain: hosted }): Promise<ChainMetrics[]> => {
    try {
      return [{ prefix: `avalanche_${vmName(vmID).replaceAll("-", "")}`, chain, families: await hosted.metrics() }]
    } catch {
      return []
    }
  })
  return metricsText((await Promise.all(chains)).flat())
}
