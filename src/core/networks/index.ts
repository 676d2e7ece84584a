import { fuji } from "./fuji.js"
import { local } from "./local.js"
import { mainnet } from "./mainnet.js"
import type { Network } from "./network.js"
import type { Params } from "./params.js"
import type { Upgrades } from "./upgrades.js"

/** Every network with rules of its own. A new one is one file and one line here. */
export const networks: readonly Network[] = [mainnet, fuji, local]

/** Returns the network of this ID. An unlisted one is the local network under another ID. */
export function networkFor(networkID: number): Network {
  const known = networks.find((network) => network.params.networkID === networkID)
  return known ?? { ...local, params: { ...local.params, networkID } }
}

/** Returns the numbers of a network's rules, before flags. */
export function paramsFor(networkID: number): Params {
  return networkFor(networkID).params
}

/** Returns a network's upgrade schedule, before flags. */
export function upgradesFor(networkID: number): Upgrades {
  return networkFor(networkID).upgrades
}
