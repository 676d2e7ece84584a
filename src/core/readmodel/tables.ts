import { bytes, str, u8, u32, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { compoundKey, descendingKey, hexKey, type Key, simpleKey, u64Key, uintKey } from "../state/key.js"
import { type OwnerGroup, ownerKey } from "../state/ownerKey.js"
import { validatorKey } from "../state/staker.js"
import { indexTable, noValue, singleton, table } from "../state/table.js"
import { ADDRESS_SIZE, type Address } from "../types/address.js"
import { type ID, ID_SIZE, id } from "../types/id.js"
import { setSegment } from "./validatorSets/setSegment.js"

const idKey = hexKey<ID>(ID_SIZE)
const addressKey = hexKey<Address>(ADDRESS_SIZE)
const groupKey = hexKey<OwnerGroup>(ADDRESS_SIZE)

/** A 32-bit number that sorts from high to low. */
const descendingIndex: Key<number> = simpleKey(
  8,
  (key) => (0xffff_ffff - key).toString(16).padStart(8, "0"),
  (text) => 0xffff_ffff - Number.parseInt(text, 16),
)

/** The position of an event in the chain: its height, and its number among the events of that kind in the block. Newest first. */
export const momentKey = { height: descendingKey, index: descendingIndex }
export interface Moment {
  readonly height: bigint
  readonly index: number
}

/** A staked output: the time at which its staker is due, the values that are summed, and its bytes (codec version, asset, output). */
export const stakedOutput = struct({ nextTime: u64, priority: u8, assetID: id, amount: u64, bytes })

/** The number of a validator's current delegators, and their total weight. */
const delegationTotals = struct({ count: u64, weight: u64 })
export type Delegations = TypeOf<typeof delegationTotals>

/**
 * The number of changes of a subnet's validator set since its last stored segment, the number of its members, and the last height of that
 * segment.
 */
const setProgress = struct({ changes: u32, members: u32, since: u64 })
export type SetProgress = TypeOf<typeof setProgress>

const segmentKey = compoundKey({ subnetID: idKey, upTo: u64Key })

/** subnet, last height → no value. A segment is found without reading the others, which are large. */
const setSegmentEnds = indexTable("setSegmentEnds", segmentKey, noValue)

/** The end of an incomplete history: the first height without rows, the version that could not make them, and its error. */
const gap = struct({ height: u64, version: str, reason: str })
export type HistoryGap = TypeOf<typeof gap>

/** Tables that exist only to answer queries. They can be dropped and rebuilt from the chain's own. */
export const readTables = {
  /** address, group → no value: the groups of owners to which an address belongs */
  ownerGroups: table("ownerGroups", compoundKey({ address: addressKey, group: groupKey }), noValue),
  /** owner, staker's transaction, output → staked output of current and pending stakers of all subnets */
  stakesByAddress: table("stakesByAddress", compoundKey({ owner: ownerKey, txID: idKey, outputIndex: uintKey(4) }), stakedOutput),
  /** subnet, node → the delegations to its validator; no row if there are none */
  delegations: table("delegations", validatorKey, delegationTotals),
  /** validation → the transaction that created the L1 validator, also of removed ones */
  l1ValidatorTxs: table("l1ValidatorTxs", idKey, id),
  /** height and position in the block → subnet */
  subnetsInOrder: table("subnetsInOrder", compoundKey({ height: u64Key, index: uintKey(4) }), id),
  /** subnet, height and position in the block → chain */
  chainsInOrder: table("chainsInOrder", compoundKey({ subnetID: idKey, height: u64Key, index: uintKey(4) }), id),
  /** height → the chain's time after the block, Unix seconds; a proposal has its option's */
  blockTimes: table("blockTimes", u64Key, u64),
  /** owner, moment (newest first) → a transaction that touched it, with the type ID of its kind */
  txsByAddress: table("txsByAddress", compoundKey({ owner: ownerKey, ...momentKey }), struct({ txID: id, typeID: u32 })),
  /** owner, moment (newest first) → a reward that was paid to it */
  rewardsByAddress: table(
    "rewardsByAddress",
    compoundKey({ owner: ownerKey, ...momentKey }),
    struct({ txID: id, outputIndex: u32, kind: u8 }),
  ),
  /** the first block whose rows of the history are missing; no row if the history is complete */
  historyGap: singleton("historyGap", gap),
  /** subnet → the changes of its set since its last stored segment */
  setProgress: table("setProgress", idKey, setProgress),
  /** subnet, last height → the weights of its validators over the heights since the previous segment */
  setSegments: table("setSegments", segmentKey, setSegment, [{ table: setSegmentEnds, keysOf: (key) => [key] }]),
  setSegmentEnds,
} as const
