import type { ID, NodeID } from "../../../src/core/types/id.js"
import type { Key } from "../../fixtures/keys.js"

/** A UTXO that one key can spend. The amount is in the asset's smallest unit. */
export interface Coin {
  readonly assetID: ID
  readonly txID: ID
  readonly outputIndex: number
  readonly owner: Key
  readonly amount: bigint
}

/** A staker of the primary network or of an open subnet. */
export interface ModelStaker {
  readonly txID: ID
  readonly subnetID: ID
  readonly nodeID: NodeID
  readonly isValidator: boolean
  readonly owner: Key
  readonly weight: bigint
  readonly start: bigint
  readonly end: bigint
  /** Number of outputs of its transaction; the indices of stake and rewards follow. */
  readonly outputs: number
  readonly shares: number
  /**
   * The order among stakers that begin in the same second: AddDelegatorTx (1), validators (2), other delegators (3), those of subnets (4,
   * 5).
   */
  readonly order: number
  /** `undefined` while the staker is pending. */
  readonly potentialReward: bigint | undefined
  /** Only for an auto-renewed validator. */
  readonly renewal?: ModelRenewal
}

/** The configuration of an auto-renewed validator. */
export interface ModelRenewal {
  readonly authority: Key
  /** The first stake, which is returned at the end. */
  readonly stake: bigint
  readonly accruedValidation: bigint
  readonly accruedDelegatee: bigint
  /** The restaked share, in millionths. */
  readonly shares: number
  /** The length of the next cycle in seconds; 0 if there is none. */
  readonly period: bigint
}

export interface ModelSubnet {
  readonly owner: Key
  readonly isL1: boolean
  /** True if any owner of its asset may stake. */
  readonly isOpen: boolean
  /** A chain of the subnet, which becomes the manager's chain when the subnet becomes an L1. */
  readonly chainID: ID | undefined
  /** Permissioned validators → their start, end and weight. */
  readonly validators: ReadonlyMap<NodeID, { readonly begins: bigint; readonly end: bigint; readonly weight: bigint }>
}

export interface ModelL1Validator {
  readonly subnetID: ID
  readonly nodeID: NodeID
  /** The index of its BLS key. */
  readonly key: number
  readonly owner: Key
  readonly weight: bigint
  readonly minNonce: bigint
  readonly endAccumulatedFee: bigint
}

/** What a block did beyond its transactions. */
export type ModelFact =
  | {
      readonly kind: "left"
      readonly subnetID: ID
      readonly nodeID: NodeID
      readonly reason: "rewarded" | "unrewarded" | "removed" | "expired"
    }
  | { readonly kind: "ranOut"; readonly validationID: ID; readonly isBeforeTxs: boolean }
  | {
      readonly kind: "rewarded"
      readonly rewardKind: "validation" | "delegation" | "delegationFee"
      readonly txID: ID
      readonly outputIndex: number
    }
