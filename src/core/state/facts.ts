import { oneOf, variant } from "../codec/oneOf.js"
import { u8, u32 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { type ID, id } from "../types/id.js"
import { utxo } from "../types/utxo.js"

/** The reasons why a staker or an L1 validator left. */
export const DepartureReason = { rewarded: 0, unrewarded: 1, removed: 2, expired: 3 } as const

/** The kinds of rewards. A delegation fee is the validator's share of its delegators' rewards. */
export const RewardKind = { validation: 0, delegation: 1, delegationFee: 2 } as const

/** The steps of a block that are no transactions: the advance of the chain's time before them, and the end of the block after them. */
export const TIME_STEP = 0
export const END_STEP = 0xffff_ffff

/** The step of a transaction, by its index in the block. */
export const stepOfTx = (index: number): number => index + 1

/** Every fact begins with the step of the block that it belongs to. */
const step = u32

/**
 * What a block did beyond its transactions. The execution records it when it happens, because the state forgets it and the transactions do not
 * name it. What they name is no fact: payments, stakes, and what a transaction did to an L1 validator.
 */
export const fact = oneOf(
  { interface: "fact", registered: {} },
  /** A staker (by its transaction) or an L1 validator (by its validation ID) left. A staker that was due gets its stake back. */
  variant("departure", 1100, { step, stakerID: id, reason: u8 }),
  /** A reward was paid. Its UTXO is in `tables.rewardUtxos`. */
  variant("reward", 1101, { step, rewardKind: u8, txID: id, outputIndex: u32 }),
  /** The rest of an L1 validator's balance was paid back. */
  variant("refund", 1102, { step, utxo }),
  /** The balance of an L1 validator was used up. */
  variant("runOut", 1103, { step, validationID: id }),
)

export type Fact = TypeOf<typeof fact>
export type FactOf<K extends Fact["kind"]> = Extract<Fact, { readonly kind: K }>

/** What a fact belongs to while its block is executed: a transaction, the advance of the chain's time, or the end of the block. */
export type FactSource = ID | "time" | "end"

/** A fact of a block that is not accepted yet. */
export type NewFact = Fact extends infer F ? (F extends Fact ? Omit<F, "step"> & { readonly by: FactSource } : never) : never
