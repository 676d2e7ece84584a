import type { Check } from "../jsonrpc/health/monitor.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { NodeHosting } from "../node/nodeChain.js"
import type { ReadableClock } from "../producer/clock/clock.js"
import { Relayer } from "../relay/relayer.js"
import type { HostedVMs } from "../services/context.js"
import { PluginClock } from "../vmhost/plugin/pluginClock.js"
import { ChainHost } from "./chainHost.js"
import type { ChainHostOptions } from "./hostedChain.js"
import { HostedChains } from "./hostedChains.js"
import { addHostedRoutes } from "./hostedRoutes.js"
import { hostedChainFacts, hostingCheck, registerHostingMetrics, vmMetrics } from "./hostedStatus.js"
import { Preparation } from "./preparation.js"

/** What the chains that a node hosts add to its parts. */
export interface Hosting extends NodeHosting {
  readonly host: ChainHost
  readonly vms: HostedVMs
  readonly check: Check
  registerMetrics(metrics: Registry): void
}

/** Throws `vm.bad_plugin_dir`. */
export function makeHosting(given: Omit<ChainHostOptions, "clock">): Hosting {
  const options = { ...given, clock: followerOf(given.privateChain.clock) }
  const chains = new HostedChains(options, (chainID) => host.accepted(chainID))
  const preparation = new Preparation(options)
  const fundedKeys = (genesis: Uint8Array) => preparation.fundedKeys(genesis)
  const relayer = new Relayer(chains, { ...options, fundedKeys })
  const host = new ChainHost(options, { chains, preparation, relayer })
  return {
    host,
    vms: { vmIDs: () => preparation.vmIDs(), chains: () => chains.hosted.map(hostedChainFacts) },
    addRoutes: (routes, nodeApi) => addHostedRoutes(routes, chains, { nodeApi, evmChains: host.evmChains }),
    relayFeed: () => relayer.feed(),
    metricsText: () => vmMetrics(chains),
    check: hostingCheck(chains),
    registerMetrics: (metrics) => registerHostingMetrics(metrics, chains),
  }
}

/** Makes the clock of plugins, which follows that of the private chain. */
function followerOf({ state, settings }: ReadableClock): PluginClock {
  const clock = new PluginClock()
  clock.set(state)
  settings.listen((setting) => clock.set(setting))
  return clock
}
