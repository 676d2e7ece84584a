import type { Invalid } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import type { ID } from "../../core/types/id.js"
import type { BlockSource, GivenBlock } from "./blockSource.js"
import type { HttpNodeOptions } from "./httpNode.js"
import type { CopyItem } from "./itemParser.js"

/** The copy that a follower extends. */
export interface CopyPort {
  readonly networkID: number
  /** The ID of the chain, see `ChainIdentity`. */
  readonly chainID: string
  /** Returns whether the copy has the upgrade times of this upgrade file. */
  hasUpgrades(upgradeText: string): boolean
  /** Returns the last accepted block, by its ID without wrapper. */
  lastAccepted(): GivenBlock
  /** Returns the supply of AVAX after the last accepted block. */
  supply(): bigint
  /** Returns the ID of an accepted block, without its wrapper. */
  idAt(height: bigint): ID | undefined
  /** Returns the number of overrides that the copy has. */
  overrideCount(): number
  /** False for the chain of a network, whose accepted blocks stay. */
  readonly mayGoBack: boolean
  /** Removes the blocks after a height, and the overrides after the first ones. It may remove more, which the source then gives again. */
  goBack(height: bigint, overrides: number): void
  /** Executes blocks and applies overrides in order, and writes them. Throws `sync.refused` if a block breaks a rule, and `WentBack`. */
  execute(items: readonly CopyItem[]): Promise<void>
}

export interface BlockFollowerOptions {
  readonly urls: readonly string[]
  readonly http: HttpNodeOptions
  readonly copy: CopyPort
  readonly log: Log
  /** True if a problem that lasts, or `MAX_ATTEMPTS` in a row without a new block, end the copy; by default it is reported and tried again. */
  readonly endsOnProblem?: boolean | undefined
  /** Called with a fault in Serac that stopped the copy. The next attempt begins with what is written. */
  onFault(error: unknown): void
}

export interface FollowStatus {
  /** The node whose blocks are executed, and the way in which they are requested. */
  readonly source: { readonly url: string; readonly kind: BlockSource["kind"] } | undefined
  /** The height of the newest block that a node is known to have. */
  readonly target: bigint
  readonly problem: Invalid | undefined
}
