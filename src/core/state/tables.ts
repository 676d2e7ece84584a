import { list } from "../codec/list.js"
import { optional } from "../codec/optional.js"
import { bool, bytes, fixedBytes, str, u8, u32, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { ADDRESS_SIZE, type Address, address } from "../types/address.js"
import { type ID, ID_SIZE, id, NODE_ID_SIZE, type NodeID, nodeID } from "../types/id.js"
import { innerOutput } from "../types/output.js"
import { outputOwners, pChainOwner } from "../types/owners.js"
import { transformationFields } from "../types/transformation.js"
import { type Utxo, utxo } from "../types/utxo.js"
import { fact } from "./facts.js"
import { compoundKey, descendingKey, hexKey, u64Key, uintKey } from "./key.js"
import { ownerKey, ownerKeysOf } from "./ownerKey.js"
import { delegatorKey, staker, stakerKey, validatorKey } from "./staker.js"
import { type AnyTable, indexTable, noValue, singleton, type Table, table } from "./table.js"
import type { View } from "./view.js"

const idKey = hexKey<ID>(ID_SIZE)
const nodeKey = hexKey<NodeID>(NODE_ID_SIZE)
const setKey = { subnetID: idKey, height: descendingKey, nodeID: nodeKey }

export interface SetChangeKey {
  readonly subnetID: ID
  readonly height: bigint
  readonly nodeID: NodeID
}

/** Final status of a transaction, with AvalancheGo's numbers. */
export const TxStatus = { committed: 4, aborted: 5 } as const

/** An accepted transaction: its status, the height at which it was accepted (0 for genesis), its bytes. */
const txRow = struct({ status: u8, height: u64, bytes })

/** The parameters of an elastic subnet, and the transaction that set them. */
const transformation = struct({ txID: id, ...transformationFields })
export type Transformation = TypeOf<typeof transformation>

/** The conversion of a subnet to an L1. ACP-77. */
const conversion = struct({ conversionID: id, chainID: id, address: bytes })

/** A validator of an L1. ACP-77. */
const l1Validator = struct({
  subnetID: id,
  nodeID,
  /** The uncompressed BLS key. */
  publicKey: fixedBytes(96),
  remainingBalanceOwner: pChainOwner,
  deactivationOwner: pChainOwner,
  startTime: u64,
  weight: u64,
  /** The smallest nonce that a weight change may still use. */
  minNonce: u64,
  /** The total of fees per validator since Etna, nAVAX, at which its balance is used up; 0 if it is inactive. */
  endAccumulatedFee: u64,
})
export type L1Validator = TypeOf<typeof l1Validator>

/**
 * A member of a validator set: its weight, and its BLS key if it has one. The key is uncompressed, because Warp messages sort members
 * by that form and computing it takes a third of a millisecond.
 */
export const member = struct({ weight: u64, publicKey: optional(fixedBytes(96)) })
export type Member = TypeOf<typeof member>

/** State of an auto-renewed validator besides its staker row. ACP-236. */
const renewal = struct({
  /** Rewards that were restaked at the ends of earlier cycles: its own, and those of delegations, nAVAX. */
  accruedValidationRewards: u64,
  accruedDelegateeRewards: u64,
  /** The share of the present cycle's rewards that is restaked, in millionths. */
  autoCompoundRewardShares: u32,
  /** The length of the next cycle, seconds; 0 if it leaves at the end of this one. */
  nextPeriod: u64,
})
export type Renewal = TypeOf<typeof renewal>

/** A change of a member's weight in a block. */
export const weightDiff = struct({ decrease: bool, amount: u64 })

const gasState = struct({ capacity: u64, excess: u64 })

/** Prices: of a unit of gas in nAVAX, and of an active L1 validator in nAVAX per second. */
const feePrices = struct({ gas: u64, validator: u64 })
export type FeePrices = TypeOf<typeof feePrices>

/** The number of active L1 validators from a time on (Unix seconds), with the excess and the total of fees (nAVAX) at that time. */
const l1FeeRow = struct({ time: u64, active: u64, excess: u64, accruedFees: u64 })

/** A validator of an L1 before a block. Permissioned ones have a time at which they leave (Unix seconds), and those that pay have 0 there. */
const l1MemberBefore = struct({ nodeID, weight: u64, endAccumulatedFee: u64, endTime: u64 })
export type L1MemberBefore = TypeOf<typeof l1MemberBefore>

/** The rewards that an auto-renewed validator restaked at the ends of earlier cycles: its own, and its shares of delegators' rewards, nAVAX. */
const restaked = struct({ validation: u64, delegatee: u64 })
export type Restaked = TypeOf<typeof restaked>

/** A term of a staker: times in Unix seconds, and the reward that it may get in the end, in the smallest unit of the staked asset. */
const stakingTerm = struct({
  startTime: u64,
  endTime: u64,
  weight: u64,
  potentialReward: u64,
  /** What an auto-renewed validator had restaked before the term; absent for other stakers. */
  restaked: optional(restaked),
})

/** A UTXO that another chain exported. */
const atomicUtxo = struct({ value: bytes, traits: list(address) })

/** owner, UTXO → the UTXO */
const utxosByOwner = indexTable("utxosByOwner", compoundKey({ owner: ownerKey, utxoID: idKey }), utxo)

/** subnet, chain → no value */
const chainsBySubnet = indexTable("chainsBySubnet", compoundKey({ subnetID: idKey, chainID: idKey }), noValue)

/** receiver, sender, address, UTXO → no value */
const atomicByAddress = indexTable(
  "atomicByAddress",
  compoundKey({ receiver: idKey, sender: idKey, address: hexKey<Address>(ADDRESS_SIZE), utxoID: idKey }),
  noValue,
)

const chainRow = struct({ subnetID: id, chainName: str, vmID: id })

export const tables = {
  /** the time of the last accepted block, Unix seconds */
  timestamp: singleton("timestamp", u64),
  /** the gas that may still be used, and the excess of gas */
  gas: singleton("gas", gasState),
  /** the excess of active L1 validators over the target */
  l1Excess: singleton("l1Excess", u64),
  /** the fees of a validator that is active since Etna, nAVAX */
  accruedFees: singleton("accruedFees", u64),
  /** the number of active L1 validators */
  activeL1Count: singleton("activeL1Count", u64),
  /** the last accepted block whose changes are in the state */
  lastAccepted: singleton("lastAccepted", struct({ id, height: u64 })),
  /** the bytes of an accepted proposal without its option; none of its changes are in the state */
  waitingProposal: singleton("waitingProposal", bytes),

  /** UTXO ID → UTXO */
  utxos: table("utxos", idKey, utxo, [
    {
      table: utxosByOwner,
      keysOf: (key: string, { output }: Utxo) => ownerKeysOf(innerOutput(output).addresses).map((owner) => owner + key),
      listedOf: (listed: Utxo) => listed,
    },
  ]),
  utxosByOwner,

  /** stakers in the order in which they leave */
  currentStakers: table("currentStakers", stakerKey, staker),
  /** subnet, node → its validator */
  currentValidators: table("currentValidators", validatorKey, staker),
  /** subnet, node → its delegators in the order in which they leave */
  currentDelegators: table("currentDelegators", delegatorKey, staker),
  /** pending stakers in the order in which they start; none from Durango on */
  pendingStakers: table("pendingStakers", stakerKey, staker),
  pendingValidators: table("pendingValidators", validatorKey, staker),
  pendingDelegators: table("pendingDelegators", delegatorKey, staker),
  /** subnet, node → rewards of its validator from delegations so far, nAVAX */
  delegateeRewards: table("delegateeRewards", validatorKey, u64),
  /** subnet, node → the next cycle of its auto-renewed validator; others have no row */
  renewals: table("renewals", validatorKey, renewal),

  /** subnet → no value */
  subnets: table("subnets", idKey, noValue),
  /** subnet → its owner */
  subnetOwners: table("subnetOwners", idKey, outputOwners),
  transformations: table("transformations", idKey, transformation),
  conversions: table("conversions", idKey, conversion),
  /** subnet → supply of its staking asset, including promised rewards */
  supplies: table("supplies", idKey, u64),
  /** chain → its subnet, name and VM */
  chains: table("chains", idKey, chainRow, [
    { table: chainsBySubnet, keysOf: (key: string, { subnetID }: TypeOf<typeof chainRow>) => [subnetID + key] },
  ]),
  chainsBySubnet,

  /** validation → validator of an L1, active or not */
  l1Validators: table("l1Validators", idKey, l1Validator),
  /** active L1 validators; the first to use up its balance is first */
  activeL1Validators: table("activeL1Validators", compoundKey({ endAccumulatedFee: u64Key, validationID: idKey }), noValue),
  /** subnet, node → validation */
  l1ValidationIDs: table("l1ValidationIDs", validatorKey, id),
  /** subnet → total weight of its L1 validators */
  l1Weights: table("l1Weights", idKey, u64),
  /** registrations that were used and could be replayed until their expiry */
  expiries: table("expiries", compoundKey({ expiry: u64Key, validationID: idKey }), noValue),

  /** subnet, node → weight and key of every member of the current validator sets */
  members: table("members", validatorKey, member),
  /** subnet, height (newest first), node → change of its weight */
  weightDiffs: table("weightDiffs", compoundKey(setKey), weightDiff),
  /** subnet, height (newest first), node → its previous key, if it had one */
  keyDiffs: table("keyDiffs", compoundKey(setKey), struct({ publicKey: optional(fixedBytes(96)) })),
  /** height → the prices before the block: for the first block of the record, and for blocks that changed them */
  priceDiffs: table("priceDiffs", u64Key, feePrices),
  /** height (newest first) → the state of L1 fees after a block that changed the number of active validators, and after the first of the record */
  l1FeeRecord: table("l1FeeRecord", descendingKey, l1FeeRow),
  /** subnet, height (newest first), validation or transaction → what a changed validator of an L1 was before the block, if it was one */
  l1MemberDiffs: table(
    "l1MemberDiffs",
    compoundKey({ subnetID: idKey, height: descendingKey, stakerID: idKey }),
    struct({ before: optional(l1MemberBefore) }),
  ),
  /** height, transaction → the term of the staker that began with the block: its whole period, or a cycle of an auto-renewed validator */
  stakingTerms: table("stakingTerms", compoundKey({ height: u64Key, txID: idKey }), stakingTerm),

  /** transaction → its status, height and bytes */
  txs: table("txs", idKey, txRow),
  /** UTXO → an output without a transaction, spent or not: those of genesis, and those that a private chain's overrides made after a height */
  untracedOutputs: table("untracedOutputs", idKey, struct({ height: u64, utxo })),
  /** height → what the block did beyond its transactions; no row if it did nothing else */
  facts: table("facts", u64Key, list(fact)),
  /** staker's transaction, output index → the reward UTXO */
  rewardUtxos: table("rewardUtxos", compoundKey({ txID: idKey, outputIndex: uintKey(4) }), utxo),
  /** block → its bytes */
  blocks: table("blocks", idKey, bytes),
  /** height → block */
  blockIDs: table("blockIDs", u64Key, id),

  /** receiver, sender, UTXO → UTXO that waits to be imported */
  atomicUtxos: table("atomicUtxos", compoundKey({ receiver: idKey, sender: idKey, utxoID: idKey }), atomicUtxo, [
    {
      table: atomicByAddress,
      keysOf: (key: string, { traits }: TypeOf<typeof atomicUtxo>) =>
        traits.map((each) => key.slice(0, ID_SIZE * 4) + each + key.slice(ID_SIZE * 4)),
    },
  ]),
  atomicByAddress,
} as const

/** The tables that record the changes of validator sets, newest first within a subnet. */
export const setChangeTables: readonly Table<SetChangeKey, unknown>[] = [tables.weightDiffs, tables.keyDiffs]

export const allTables: readonly AnyTable[] = Object.values(tables)

const ownTables: readonly AnyTable[] = [
  tables.priceDiffs,
  tables.l1FeeRecord,
  tables.l1MemberDiffs,
  tables.stakingTerms,
  tables.untracedOutputs,
  tables.facts,
]

/** The tables that AvalancheGo's state has too. A hash of the state covers these. */
export const hashedTables: readonly AnyTable[] = allTables.filter((table) => !ownTables.includes(table))

/** Returns the height of the last accepted block; 0 before the genesis. */
export const heightOf = (view: View): bigint => view.get(tables.lastAccepted, null)?.height ?? 0n
