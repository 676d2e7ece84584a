import type { ID } from "../types/id.js"
import type { Params } from "./params.js"
import type { Upgrades } from "./upgrades.js"

/** All that differs between one network and another, but its genesis. */
export interface Network {
  readonly params: Params
  readonly upgrades: Upgrades
  /** SHA-256 of the genesis bytes, where the network has a published one. */
  readonly genesisID?: ID
}
