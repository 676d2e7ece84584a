import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import type { Diff } from "../../../src/core/state/diff.js"
import { Priority } from "../../../src/core/state/staker.js"
import { addPendingStaker } from "../../../src/core/state/stakers.js"
import { tables } from "../../../src/core/state/tables.js"
import { EMPTY_NODE_ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { blsKeyOf, ownerOf } from "../../fixtures/keys.js"
import { bob, COIN, COINS, carol, NEW_NODE, NODE, NOW, OPEN_SUBNET, OTHER_NODE, REST, SUBNET } from "../../fixtures/smallChain.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { stakerWith } from "../../fixtures/state.js"
import { idOfByte } from "../../fixtures/txs.js"
import { from, toAlice } from "../../fixtures/validFor.js"
import { staked, type Variants } from "./variant.js"

const day = 86_400n
const minimum = 2_000n * NAVAX
const maximum = 3_000_000n * NAVAX
const nobody = { ...ownerOf(bob), threshold: 2 }

/** Makes the node a pending validator of the primary network. */
const isPending = (state: Diff) =>
  addPendingStaker(
    state,
    stakerWith({
      nodeID: NEW_NODE,
      priority: Priority.primaryValidatorPending,
      startTime: NOW + 5n,
      endTime: NOW + REST,
      nextTime: NOW + 5n,
      weight: minimum,
    }),
  )

/** Other delegations to the node leave room for only the smallest delegation. */
const isNearlyFull = (state: Diff) =>
  addCurrentStaker(
    state,
    stakerWith({
      nodeID: NODE,
      txID: idOfByte(0x77),
      priority: Priority.primaryDelegatorCurrent,
      startTime: NOW - 1n,
      endTime: NOW + REST,
      nextTime: NOW + REST,
      // A delegator still counts in the second in which it leaves.
      weight: 4n * minimum - 50n * NAVAX + 1n,
    }),
  )

const weighing = <V extends object>(validator: V, weight: bigint) => ({
  validator: { ...validator, weight },
  stake: [toAlice(weight)],
})

export const addValidatorTx: Variants<"AddValidatorTx"> = [
  { name: "its end with Durango", code: "tx.no_longer_allowed", last: "durango" },
  { name: "its end with Etna", code: "tx.unmetered", last: "etna" },
  { name: "more than everything for a fee", code: "tx.too_many_shares", tx: () => ({ shares: 1_000_001 }) },
  {
    name: "no weight",
    code: "tx.zero_weight",
    exactly: ({ validator }) => ({ validator: { ...validator, weight: 0n }, stake: [] }),
  },
  { name: "rewards for nobody", code: "types.owner_unspendable", tx: () => ({ rewardsOwner: nobody }) },
  { name: "stake of nothing", code: "types.zero_output", exactly: () => ({ stake: [toAlice(0n)] }) },
  { name: "stake in another asset", code: "tx.stake_not_avax", exactly: () => ({ stake: [toAlice(minimum, COIN)] }) },
  {
    name: "stake in the wrong order",
    code: "types.outputs_unsorted",
    tx: () => ({ stake: [toAlice(minimum - 1n), toAlice(1n)] }),
  },
  { name: "stake that is not its weight", code: "tx.stake_weight_mismatch", tx: () => ({ stake: [toAlice(minimum + 1n)] }) },
  staked("no node", "tx.empty_node_id", () => ({ nodeID: EMPTY_NODE_ID })),
  { name: "too little stake", code: "rules.weight_too_small", tx: ({ validator }) => weighing(validator, minimum - 1n) },
  { name: "too much stake", code: "rules.weight_too_large", exactly: ({ validator }) => weighing(validator, maximum + 1n) },
  { name: "too small a fee", code: "rules.delegation_fee_too_small", tx: () => ({ shares: 19_999 }) },
  staked("too short a time", "rules.stake_too_short", ({ start }) => ({ end: start + day - 1n })),
  staked("too long a time", "rules.stake_too_long", ({ start }) => ({ end: start + 365n * day + 1n })),
  staked("a start that is now", "rules.starts_too_early", () => ({ start: NOW })),
  staked("a node that validates", "rules.already_validator", () => ({ nodeID: NODE })),
  { name: "a node that will validate", code: "rules.already_validator", given: isPending },
]

export const addDelegatorTx: Variants<"AddDelegatorTx"> = [
  { name: "its end with Durango", code: "tx.no_longer_allowed", last: "durango" },
  {
    name: "no weight",
    code: "tx.zero_weight",
    exactly: ({ validator }) => ({ validator: { ...validator, weight: 0n }, stake: [] }),
  },
  { name: "rewards for nobody", code: "types.owner_unspendable", tx: () => ({ rewardsOwner: nobody }) },
  { name: "stake in another asset", code: "tx.stake_not_avax", exactly: () => ({ stake: [toAlice(25n * NAVAX, COIN)] }) },
  { name: "stake that is not its weight", code: "tx.delegation_weight_mismatch", tx: () => ({ stake: [toAlice(1n)] }) },
  staked("too short a time", "rules.stake_too_short", ({ start }) => ({ end: start + 1n })),
  staked("too long a time", "rules.stake_too_long", ({ start }) => ({ end: start + 366n * day })),
  { name: "too little stake", code: "rules.weight_too_small", tx: ({ validator }) => weighing(validator, 25n * NAVAX - 1n) },
  staked("a start that is now", "rules.starts_too_early", () => ({ start: NOW })),
  staked("a node that does not validate", "rules.not_validator", () => ({ nodeID: NEW_NODE })),
  staked("an end after the validator's", "rules.period_mismatch", () => ({ end: NOW + REST + 1n })),
  {
    name: "more than the validator may carry",
    code: "rules.over_delegated",
    tx: ({ validator }) => weighing(validator, 4n * minimum + 1n),
  },
  staked("a validator too heavy to count for", "rules.stake_overflow", () => ({ nodeID: NEW_NODE }), {
    given: (state) =>
      addCurrentStaker(
        state,
        stakerWith({
          nodeID: NEW_NODE,
          txID: idOfByte(0x78),
          priority: Priority.primaryValidatorCurrent,
          weight: 2n ** 62n,
          endTime: NOW + REST,
        }),
      ),
  }),
]

export const addPermissionlessValidatorTx: Variants<"AddPermissionlessValidatorTx"> = [
  staked("no node", "tx.empty_node_id", () => ({ nodeID: EMPTY_NODE_ID })),
  { name: "no stake", code: "tx.no_stake", exactly: () => ({ stake: [] }) },
  { name: "more than everything for a fee", code: "tx.too_many_shares", tx: () => ({ shares: 1_000_001 }) },
  staked("no weight", "tx.zero_weight", () => ({ weight: 0n })),
  { name: "no key on the primary network", code: "tx.wrong_signer", tx: () => ({ signer: { kind: "EmptySigner" } }) },
  { name: "a key on a subnet", code: "tx.wrong_signer", tx: () => ({ subnetID: OPEN_SUBNET }) },
  {
    name: "the proof of another key",
    code: "crypto.bls_bad_possession",
    tx: () => ({
      signer: { kind: "ProofOfPossession", publicKey: blsKeyOf(3).publicKey, proofOfPossession: blsKeyOf(4).proofOfPossession },
    }),
  },
  { name: "rewards for nobody", code: "types.owner_unspendable", tx: () => ({ validationRewardsOwner: nobody }) },
  { name: "delegation rewards for nobody", code: "types.owner_unspendable", tx: () => ({ delegationRewardsOwner: nobody }) },
  {
    name: "stake in two assets",
    code: "tx.several_stake_assets",
    exactly: () => ({ stake: [toAlice(minimum - 1n), toAlice(1n, COIN)] }),
  },
  {
    name: "stake in the wrong order",
    code: "types.outputs_unsorted",
    tx: () => ({ stake: [toAlice(minimum - 1n), toAlice(1n)] }),
  },
  { name: "stake that is not its weight", code: "tx.stake_weight_mismatch", tx: () => ({ stake: [toAlice(minimum + 1n)] }) },
  { name: "too little stake", code: "rules.weight_too_small", tx: ({ validator }) => weighing(validator, minimum - 1n) },
  { name: "too much stake", code: "rules.weight_too_large", exactly: ({ validator }) => weighing(validator, maximum + 1n) },
  { name: "too small a fee", code: "rules.delegation_fee_too_small", tx: () => ({ shares: 19_999 }) },
  staked("too short a time", "rules.stake_too_short", () => ({ end: NOW + day - 1n })),
  staked("too long a time", "rules.stake_too_long", () => ({ end: NOW + 365n * day + 1n })),
  staked("an end beyond any time", "rules.stake_too_short", () => ({ end: 2n ** 64n - 1n })),
  {
    name: "stake in another asset",
    code: "rules.wrong_stake_asset",
    exactly: () => ({ inputs: [from(COINS, COIN)], stake: [toAlice(minimum, COIN)] }),
  },
  staked("a node that validates", "rules.already_validator", () => ({ nodeID: NODE })),
  {
    name: "a subnet that is not open",
    code: "rules.unknown_transformation",
    tx: () => ({ subnetID: SUBNET, signer: { kind: "EmptySigner" } }),
  },
  staked("a start in the past, before Durango", "rules.starts_too_early", () => ({ start: NOW }), { last: "cortina" }),
]

const open = { subnetID: OPEN_SUBNET, signer: { kind: "EmptySigner" as const } }
const coins = (weight: bigint) => ({ inputs: [from(COINS, COIN)], stake: [toAlice(weight, COIN)] })

export const openSubnetValidator: Variants<"AddPermissionlessValidatorTx"> = [
  {
    name: "a node outside the primary network, on a subnet",
    code: "rules.not_validator",
    exactly: ({ validator }) => ({ ...open, ...coins(10n), validator: { ...validator, weight: 10n, end: NOW + 60n } }),
  },
  {
    name: "an end after the node's own, on a subnet",
    code: "rules.period_mismatch",
    exactly: ({ validator }) => ({
      ...open,
      ...coins(10n),
      validator: { ...validator, nodeID: OTHER_NODE, weight: 10n, end: NOW + 3_600n },
    }),
    given: (state) => {
      // Its period ends within the hour.
      const row = state.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID: OTHER_NODE })!
      state.put(tables.currentValidators, row, { ...row, endTime: NOW + 3_599n })
    },
  },
]

export const addPermissionlessDelegatorTx: Variants<"AddPermissionlessDelegatorTx"> = [
  { name: "no stake", code: "tx.no_stake", exactly: () => ({ stake: [] }) },
  staked("no weight", "tx.zero_weight", () => ({ weight: 0n })),
  { name: "rewards for nobody", code: "types.owner_unspendable", tx: () => ({ rewardsOwner: nobody }) },
  { name: "stake that is not its weight", code: "tx.delegation_weight_mismatch", tx: () => ({ stake: [toAlice(1n)] }) },
  { name: "too little stake", code: "rules.weight_too_small", tx: ({ validator }) => weighing(validator, 25n * NAVAX - 1n) },
  staked("too short a time", "rules.stake_too_short", () => ({ end: NOW + day - 1n })),
  staked("too long a time", "rules.stake_too_long", () => ({ end: NOW + 366n * day })),
  {
    name: "stake in another asset",
    code: "rules.wrong_stake_asset",
    exactly: () => ({ stake: [toAlice(25n * NAVAX, COIN)] }),
  },
  staked("a node that does not validate", "rules.not_validator", () => ({ nodeID: NEW_NODE })),
  staked("an end after the validator's", "rules.period_mismatch", () => ({ end: NOW + REST + 1n })),
  { name: "more than the validator may carry", code: "rules.over_delegated", given: isNearlyFull },
  { name: "a subnet that is not open", code: "rules.unknown_transformation", tx: () => ({ subnetID: SUBNET }) },
  {
    name: "a permissioned validator of an open subnet",
    code: "rules.permissioned_validator",
    exactly: ({ validator }) => ({
      ...coins(1n),
      subnetID: OPEN_SUBNET,
      validator: { ...validator, nodeID: OTHER_NODE, weight: 1n, end: NOW + 60n },
    }),
    given: (state) =>
      addCurrentStaker(
        state,
        stakerWith({
          nodeID: OTHER_NODE,
          subnetID: OPEN_SUBNET,
          txID: idOfByte(0x79),
          priority: Priority.subnetPermissionedValidatorCurrent,
          startTime: NOW - 1n,
          endTime: NOW + REST,
          nextTime: NOW + REST,
          weight: 10n,
        }),
      ),
  },
  { name: "another's signature", code: "rules.wrong_signature", signers: () => [[carol]] },
]
