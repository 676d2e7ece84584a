import { signal } from "@preact/signals"
import { dev, info, Unreachable } from "./rpc.js"

/** Facts about the node and its network that the page uses. */
export interface Network {
  /** `local`, `fuji`, `mainnet`. */
  readonly name: string
  /** What answers, such as `serac/0.1.0`; a public server does not say. */
  readonly version: string
  /** Whether this is a private chain that offers `/ext/dev`; `undefined` until the node has answered. */
  readonly hasLab: boolean | undefined
}

export const network = signal<Network>({ name: "", version: "", hasLab: undefined })

/** Asks once, beside the first view. */
export async function askNetwork(): Promise<void> {
  const [name, version, hasLab] = await Promise.all([
    info<{ networkName: string }>("getNetworkName").then((answer) => answer.networkName, none),
    info<{ version: string }>("getNodeVersion").then((answer) => answer.version, none),
    dev("status").then(
      () => true,
      (error) => !(error instanceof Unreachable),
    ),
  ])
  network.value = { name, version, hasLab }
}

const none = (): string => ""
