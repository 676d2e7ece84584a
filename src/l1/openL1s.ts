import { nodeError } from "../chaindata/errors.js"
import { clientOf, type NodeApi } from "../node/api.js"
import type { FaultReports } from "../node/faults.js"
import type { NodeOptions } from "../node/options.js"
import type { PluginProtocol } from "../vmhost/plugin/pluginProtocol.js"
import type { L1Host } from "./l1Host.js"
import type { L1HostOptions } from "./l1Parts.js"

export interface L1Choice {
  /** The directory of VM plugins; omitted if the node hosts no VMs. */
  readonly pluginDir?: string | undefined
  /** The newer version of the plugin protocol that is accepted, or `any`. */
  readonly pluginProtocol?: PluginProtocol | undefined
  /** True if ICM messages between its L1s are delivered by themselves. */
  readonly hasAutoRelay?: boolean | undefined
}

/** An L1 that is created when a private chain starts: parameters of `dev.createL1`. */
export interface StartedL1 {
  readonly name: string
  readonly vm: string
  /** The genesis as hex with `0x`. */
  readonly genesis?: string
}

/** The private chain, and what its L1s need of it. */
type ChainOfL1s = Pick<L1HostOptions, "data" | "identity" | "privateChain" | "hasWarpLag">

/** Makes the host of a private chain's L1s, which `open` starts. A node without plugins does not load it. Throws `node.public_plugins`. */
export async function openL1s(options: NodeOptions & L1Choice & FaultReports, chain: ChainOfL1s): Promise<L1Host | undefined> {
  const { pluginDir, hasAutoRelay = false, dataDir, isPublic, publish, log } = options
  if (pluginDir === undefined) return undefined
  if (isPublic) throw nodeError("node.public_plugins")
  if (publish !== undefined) log.info("only the P-Chain is published, without the L1s of this node")
  const [{ L1Host }, { l1Folder }] = await Promise.all([import("./l1Host.js"), import("./l1Record.js")])
  const folder = dataDir === undefined ? undefined : l1Folder(dataDir)
  return new L1Host({ ...options, ...chain, pluginDir, folder, hasAutoRelay })
}

/** Creates L1s now and after each reset of the chain, except for those of whose name there is one. */
export async function createL1s(host: L1Host, api: NodeApi, l1s: readonly StartedL1[]): Promise<void> {
  host.createStarted = async () => {
    const call = clientOf(api)
    const existing = new Set((await call("dev.listL1s")).l1s.map(({ name }) => name))
    for (const each of l1s) if (!existing.has(each.name)) await call("dev.createL1", { ...each })
  }
  await host.createStarted()
}
