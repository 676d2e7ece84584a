import { networkFor } from "../../src/core/networks/index.js"
import { FUJI_ID, LOCAL_ID, MAINNET_ID } from "../../src/core/networks/names.js"
import type { Network } from "../../src/core/networks/network.js"

const networkIDs: Readonly<Record<string, number>> = { mainnet: MAINNET_ID, fuji: FUJI_ID, local: LOCAL_ID }

/** The network that a vector names; any other text ("any other") is a network without a name. */
export function networkNamed(name: string): Network {
  return networkFor(networkIDs[name] ?? 9999)
}
