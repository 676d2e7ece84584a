import type { ID } from "../types/id.js"
import type { Params } from "./params.js"
import type { Upgrades } from "./upgrades.js"

/** The differences of a network from others, except for its genesis. */
export interface Network {
  readonly params: Params
  readonly upgrades: Upgrades
  /** SHA-256 of the genesis bytes, if the network has a published genesis. */
  readonly genesisID?: ID
}
