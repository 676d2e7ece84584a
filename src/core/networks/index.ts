import { fuji } from "./fuji.js"
import { local } from "./local.js"
import { mainnet } from "./mainnet.js"
import type { Network } from "./network.js"
import type { Params } from "./params.js"
import type { Upgrades } from "./upgrades.js"

/** Every network with rules of its own. A new one is one file and one line here. */
export const networks: readonly Network[] = [mainnet, fuji, local]

/** The network of this ID; one that is not listed is the local one under another ID. */
export function networkFor(networkID: number): Network {
  const known = networks.find((network) => network.params.networkID === networkID)
  return known ?? { ...local, params: { ...local.params, networkID } }
}

/** The numbers of a network's rules, before flags. */
export function paramsFor(networkID: number): Params {
  return networkFor(networkID).params
}

/** A network's upgrade schedule, before flags. */
export function upgradesFor(networkID: number): Upgrades {
  return networkFor(networkID).upgrades
}
