import { valuesOf } from "../core/state/view.js"
import { nodeError } from "../datadir/errors.js"
import { clientOf, type NodeApi } from "../node/api.js"
import type { FaultReports } from "../node/nodeChain.js"
import type { NodeOptions } from "../node/options.js"
import { hostedTables } from "../producer/tables.js"
import { vmError } from "../vmhost/errors.js"
import { CORETH, requirePlugin } from "../vmhost/plugin/pluginFiles.js"
import type { PluginProtocol } from "../vmhost/plugin/pluginProtocol.js"
import type { CChainChoice } from "./cChainRecord.js"
import type { ChainHost } from "./chainHost.js"
import type { ChainHostOptions } from "./hostedChain.js"
import type { Hosting } from "./hosting.js"

export interface HostingChoice {
  /** The directory of VM plugins; omitted if the node hosts no VMs. */
  readonly pluginDir?: string | undefined
  /** The newer version of the plugin protocol that is accepted, or `any`. */
  readonly pluginProtocol?: PluginProtocol | undefined
  /** Whether and how there is a C-Chain. */
  readonly cChain?: CChainChoice | undefined
  /** True if ICM messages between its L1s are delivered by themselves. */
  readonly hasAutoRelay?: boolean | undefined
}

/** An L1 that is created when a private chain starts: parameters of `dev.createL1`. */
export interface StartedL1 {
  readonly name: string
  readonly vm: string
  /** The genesis as hex with `0x`. */
  readonly genesis?: string
  readonly evmChainID?: bigint | undefined
  readonly managerAddress?: string | undefined
}

/** The private chain, and what hosted chains need of it. */
interface HostingChain extends Pick<ChainHostOptions, "data" | "identity" | "privateChain" | "hasWarpLag"> {
  /** True for a fork, whose C-Chain has a past that is not here. */
  readonly isFork: boolean
}

const NO_C_CHAIN: CChainChoice = { mode: "off", upgrade: "fortuna", paysAccounts: true }

/** Makes what hosts chains beside a private chain. A node without plugins does not load it. Throws `node.public_plugins`. */
export async function openHosting(
  options: NodeOptions & HostingChoice & FaultReports,
  chain: HostingChain,
): Promise<Hosting | undefined> {
  const { pluginDir, hasAutoRelay = false, dataDir, isPublic, publish, log } = options
  const isRequired = options.cChain?.mode === "required"
  if (chain.isFork && isRequired) throw vmError("vm.no_c_chain", { reason: "a fork has the P-Chain only" })
  if (pluginDir === undefined) {
    if (isRequired) throw vmError("vm.no_c_chain")
    const hosted = [...valuesOf(chain.privateChain.options.store.latest.rows(hostedTables.chains))]
    if (hosted.length > 0) {
      log.warn("the chains that this node hosted do not run without their plugins; their data stays", {
        chains: hosted.map(({ name }) => name).join(", "),
        flag: "--plugin-dir",
      })
    }
    return undefined
  }
  if (isPublic) throw nodeError("node.public_plugins")
  if (publish !== undefined) log.info("only the P-Chain is published, without the C-Chain and the L1s of this node")
  const cChain = chain.isFork ? NO_C_CHAIN : (options.cChain ?? NO_C_CHAIN)
  if (isRequired) requirePlugin(pluginDir, CORETH)
  const [{ makeHosting }, { hostingFolder }] = await Promise.all([import("./hosting.js"), import("./chainRecord.js")])
  const folder = dataDir === undefined ? undefined : hostingFolder(dataDir)
  return makeHosting({ ...options, ...chain, pluginDir, folder, hasAutoRelay, cChain })
}

/** Creates L1s now and after each reset of the chain, except for those of whose name there is one. */
export async function createL1s(host: ChainHost, api: NodeApi, l1s: readonly StartedL1[]): Promise<void> {
  host.createStarted = async () => {
    const call = clientOf(api)
    const existing = new Set((await call("dev.listL1s")).l1s.map(({ name }) => name))
    for (const each of l1s) if (!existing.has(each.name)) await call("dev.createL1", { ...each })
  }
  await host.createStarted()
}
