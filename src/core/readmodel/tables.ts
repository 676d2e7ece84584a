import { bytes, u8, u32, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { compoundKey, descendingKey, hexKey, type Key, u64Key, uintKey } from "../state/key.js"
import { validatorKey } from "../state/staker.js"
import { table } from "../state/table.js"
import { ADDRESS_SIZE, type Address } from "../types/address.js"
import { type ID, ID_SIZE, id } from "../types/id.js"

const idKey = hexKey<ID>(ID_SIZE)
const addressKey = hexKey<Address>(ADDRESS_SIZE)

/** A 32-bit number that sorts from high to low. */
const descendingIndex: Key<number> = {
  width: 8,
  toText: (key) => (0xffff_ffff - key).toString(16).padStart(8, "0"),
  fromText: (text) => 0xffff_ffff - Number.parseInt(text, 16),
}

/** Where in the chain something happened: a height, and which of its kind it was there. Newest first. */
const momentKey = { height: descendingKey, index: descendingIndex }
export interface Moment {
  readonly height: bigint
  readonly index: number
}

/** An output that someone staked: its staker's turn, as JSON-RPC's bytes have it (codec version, asset, output), and what is summed of it. */
export const stakedOutput = struct({ nextTime: u64, priority: u8, assetID: id, amount: u64, bytes })

/** What is delegated to a validator now: how many delegators, and their weight. */
export const delegations = struct({ count: u64, weight: u64 })
export type Delegations = TypeOf<typeof delegations>

/** How far a subnet's validator set has gone since the last era that was written down, how large it is, and the last height of that era. */
export const setProgress = struct({ changes: u32, members: u32, since: u64 })

/** What a reward was paid for. */
export const RewardKind = { validation: 0, delegation: 1, delegationFee: 2 } as const

/** Rows that exist only to answer questions. They can be dropped and made again from the chain's own. */
export const readTables = {
  /** owner, staker's transaction, output → what is staked, by current and pending stakers of all subnets */
  stakesByAddress: table(
    "stakesByAddress",
    compoundKey({ address: addressKey, txID: idKey, outputIndex: uintKey(4) }),
    stakedOutput,
  ),
  /** subnet, node → what is delegated to its validator; none where nothing is */
  delegations: table("delegations", validatorKey, delegations),
  /** validation → the transaction that made the L1 validator, gone ones too */
  l1ValidatorTxs: table("l1ValidatorTxs", idKey, id),
  /** height and place in the block → subnet */
  subnetsInOrder: table("subnetsInOrder", compoundKey({ height: u64Key, index: uintKey(4) }), id),
  /** subnet, height and place in the block → chain */
  chainsInOrder: table("chainsInOrder", compoundKey({ subnetID: idKey, height: u64Key, index: uintKey(4) }), id),
  /** height → the chain's time after the block, Unix seconds; a proposal has its option's */
  blockTimes: table("blockTimes", u64Key, u64),
  /** address, moment (newest first) → a transaction that took from it or gave to it, with the type ID of its kind */
  txsByAddress: table("txsByAddress", compoundKey({ address: addressKey, ...momentKey }), struct({ txID: id, typeID: u32 })),
  /** address, moment (newest first) → a reward that was paid to it */
  rewardsByAddress: table(
    "rewardsByAddress",
    compoundKey({ address: addressKey, ...momentKey }),
    struct({ txID: id, outputIndex: u32, kind: u8 }),
  ),
  /** subnet → how far its set has gone since its last era */
  setProgress: table("setProgress", idKey, setProgress),
  /** subnet, last height (oldest first) → its set through the heights since the era before, as `SetEra` lays it out */
  setEras: table("setEras", compoundKey({ subnetID: idKey, upTo: u64Key }), bytes),
} as const
