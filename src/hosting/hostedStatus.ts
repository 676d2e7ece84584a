import { evmGenesis } from "../evm/genesis.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { FundedKey, HostedL1 } from "../producer/chainHosting.js"
import type { HostedChainFacts } from "../services/context.js"
import { type ChainMetrics, metricsText } from "../vmhost/metricsText.js"
import { vmName } from "../vmhost/plugin/pluginFiles.js"
import type { ChainList, HostedChain } from "./hostedChain.js"

/** Describes a hosted chain. The keys are the publicly known ones that own funds on it. */
export function hostedReport({ record, plugin, database, genesis }: HostedChain, keys: readonly FundedKey[]): HostedL1 {
  const { name, subnetID, chainID, vmID } = record
  return {
    name,
    subnetID,
    chainID,
    vmID,
    vm: vmName(vmID),
    ...plugin.report(),
    databaseBytes: database.size(),
    paths: plugin.prefixes().map((prefix) => `/ext/bc/${name}${prefix}`),
    evmChainID: evmGenesis(genesis)?.chainID,
    keys,
  }
}

export function hostedChainFacts({ record: { chainID, subnetID, name, vmID }, plugin }: HostedChain): HostedChainFacts {
  const { state, version } = plugin.report()
  return { chainID, subnetID, name, vmID, isRunning: state === "running", version, namedHeight: plugin.namedHeight() }
}

/** The health of the L1s: those that are to run do so. */
export function hostingCheck(host: ChainList): Check {
  return {
    name: "l1s",
    run() {
      const reports = host.hosted.map(({ record, plugin }) => ({ name: record.name, ...plugin.report() }))
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

export function registerHostingMetrics(metrics: Registry, host: ChainList): void {
  const byChain = (name: string, help: string, value: (hosted: HostedChain) => number | undefined, type?: "counter") =>
    metrics.gauges(
      name,
      help,
      "chain",
      () => {
        const values = host.hosted.map((hosted) => [hosted.record.name, value(hosted)] as const)
        return Object.fromEntries(values.filter((each): each is [string, number] => each[1] !== undefined))
      },
      type,
    )
  const height = ({ plugin }: HostedChain) => {
    const { height: last } = plugin.report()
    return last === undefined ? undefined : Number(last)
  }
  const isRunning = ({ plugin }: HostedChain) => Number(plugin.report().state === "running")
  byChain("serac_l1_running", "1 where the VM of an L1 runs, otherwise 0", isRunning)
  byChain("serac_l1_height", "Height of the last accepted block of an L1", height)
  byChain("serac_l1_restarts_total", "Starts of a plugin after a failure", ({ plugin }) => plugin.report().restarts, "counter")
  byChain("serac_l1_memory_bytes", "Memory of the process of a plugin, bytes", ({ plugin }) => plugin.memory)
  byChain("serac_l1_database_bytes", "Bytes of the database of a plugin", ({ database }) => database.size())
}

/** Returns the metrics of all VMs that run, as text. A VM that does not answer is left out. */
export async function vmMetrics(host: ChainList): Promise<string> {
  const chains = host.hosted.map(async ({ record: { vmID, name: chain }, plugin }): Promise<ChainMetrics[]> => {
    try {
      return [{ prefix: `avalanche_${vmName(vmID).replaceAll("-", "")}`, chain, families: await plugin.metrics() }]
    } catch {
      return []
    }
  })
  return metricsText((await Promise.all(chains)).flat())
}
