import { dev, info, Unreachable } from "./rpc.js"
import { Shared } from "./shared.js"

/** Milliseconds until a node that did not answer is asked again. */
const RETRY = 1000

/** Facts about the node and its network that the page uses. */
export interface Network {
  /** `local`, `fuji`, `mainnet`, or `network-` with the network ID. */
  readonly name: string
  /** Version of the node, such as `serac/0.1.0`; a public server does not report it. */
  readonly version: string
  /** True if this is a private chain that offers `/ext/dev`; `undefined` until the node has answered. */
  readonly hasLab: boolean | undefined
  /** The height of the last block that is not private, if the chain is a fork of another one. */
  readonly forkHeight: string | undefined
}

/** Answers of the node so far. */
export const network = new Shared<Network>({ name: "", version: "", hasLab: undefined, forkHeight: undefined })

/** Requests the facts about the node, and repeats the request until it answers. */
export async function askNetwork(): Promise<void> {
  const [name, version, hasLab] = await Promise.all([
    info("getNetworkName").then((answer) => answer.networkName, none),
    info("getNodeVersion").then((answer) => answer.version, none),
    info("getServices").then(
      ({ services }) => services.some((service) => service.name === "dev"),
      (error) => (error instanceof Unreachable ? undefined : false),
    ),
  ])
  const status = hasLab ? await dev("status").catch(() => undefined) : undefined
  network.value = { name, version, hasLab, forkHeight: status?.fork?.height }
  if (hasLab === undefined) setTimeout(askNetwork, RETRY)
}

const none = (): string => ""

/** Returns the prefix of P-Chain addresses of a network: `P-local1`, and `P-custom1` on a network that has only a number. */
export function addressStart(networkName: string): string {
  if (networkName === "mainnet") return "P-avax1"
  return `P-${networkName.startsWith("network-") ? "custom" : networkName}1`
}
