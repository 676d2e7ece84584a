import type { ChainIdentity } from "../core/networks/chainIdentity.js"
import type { FlagValue } from "../core/networks/flagValue.js"
import { isProduction, networkNameOf } from "../core/networks/names.js"
import { parseUpgradeFile } from "../core/networks/upgradeFile.js"
import type { Upgrades } from "../core/networks/upgrades.js"
import type { ID } from "../core/types/id.js"
import { nodeError } from "./errors.js"

/** A chain as a user names it. What is left out is taken from the store, or from the defaults. */
export interface RequestedChain {
  readonly networkID?: number | undefined
  /** The text of a genesis file. */
  readonly genesisText?: string | undefined
  /** A schedule, or the text of an upgrade file. */
  readonly upgrades?: Upgrades | string | undefined
  /** The flags that set rules, as they were given. */
  readonly ruleFlags?: Readonly<Record<string, FlagValue>>
  /** The clock, Unix seconds. */
  readonly now: bigint
}

/** A chain whose blocks this node makes. */
export interface RequestedPrivateChain extends RequestedChain {
  /** Replaces the chain in the store by a new one (`--reset`). */
  readonly resets?: boolean | undefined
}

/** A chain whose blocks come from a file, or from the API of another node. */
export interface RequestedCopy extends RequestedChain {
  /** The genesis bytes of the original, or those of Mainnet or Fuji (`loadPublishedGenesis`); by default a built-in genesis. */
  readonly genesisBytes?: Uint8Array | undefined
  /** The required ID of the genesis block of a built-in genesis, whatever its start time. */
  readonly genesisBlockID?: ID | undefined
  /** The kind of the chain, and its ID if that is not the one of its network; by default it is a copy of its network's chain. */
  readonly identity?: (Pick<ChainIdentity, "kind"> & Partial<ChainIdentity>) | undefined
}

/** Returns the requested schedule. Unlike AvalancheGo, Serac also accepts one on the local network, so that old chains can be replayed. */
export function requestedUpgrades(networkID: number, { upgrades }: RequestedChain): Upgrades | undefined {
  if (upgrades !== undefined && isProduction(networkID)) {
    throw nodeError("node.upgrades_fixed", { network: networkNameOf(networkID) })
  }
  return typeof upgrades === "string" ? parseUpgradeFile(upgrades) : upgrades
}

/** Converts flags to text, so that they can be stored and compared. */
export function textsOf(flags: Readonly<Record<string, FlagValue>>): Record<string, string> {
  const entries = Object.entries(flags).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}
