import { Invalid } from "../../core/lib/invalid.js"
import type { BlockSource } from "./blockSource.js"
import { HeightSource } from "./heightSource.js"
import { HttpNode, type HttpNodeOptions } from "./httpNode.js"
import { IndexSource } from "./indexSource.js"
import { StreamSource } from "./streamSource.js"

/** A node that was found at an address. */
export interface FoundNode {
  readonly source: BlockSource
  readonly networkID: number
  /** The upgrade times of its network, in the form of an upgrade file; `undefined` if the node does not report them. */
  readonly upgradeText: string | undefined
}

/** Reads the network of the node at an address, and finds the best way in which it returns blocks. Throws `sync.no_answer` and others. */
export async function openSource(url: string, options: HttpNodeOptions, signal: AbortSignal): Promise<FoundNode> {
  const node = new HttpNode(url, options)
  const found = { networkID: await networkIDOf(node, signal), upgradeText: await upgradeTextOf(node, signal) }
  if (await StreamSource.isOf(node, signal)) return { source: new StreamSource(node), ...found }
  if (await IndexSource.isOf(node, signal)) return { source: new IndexSource(node), ...found }
  return { source: new HeightSource(node), ...found }
}

/** The upgrades that older releases do not know, and do not apply. */
const NOT_ANSWERED = { heliconTime: "9999-12-01T00:00:00Z" }

/** AvalancheGo has had `info.upgrades` since v1.12. */
async function upgradeTextOf(node: HttpNode, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await node.call("/ext/info", "info.upgrades", {}, signal)
    return JSON.stringify({ ...NOT_ANSWERED, ...(answer as object) })
  } catch (error) {
    if (error instanceof Invalid && error.code === "sync.call_refused") return undefined
    throw error
  }
}

async function networkIDOf(node: HttpNode, signal: AbortSignal): Promise<number> {
  const result = await node.call("/ext/info", "info.getNetworkID", {}, signal)
  const networkID = Number((result as { networkID?: unknown } | null)?.networkID)
  if (Number.isInteger(networkID) && networkID > 0 && networkID < 2 ** 32) return networkID
  throw node.badAnswer("info.getNetworkID has no network ID")
}
