import { hexToBytes } from "../../../src/core/lib/bytes.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import type { Diff } from "../../../src/core/state/diff.js"
import { Priority } from "../../../src/core/state/staker.js"
import { deleteCurrentStaker } from "../../../src/core/state/stakers.js"
import { TxStatus, tables } from "../../../src/core/state/tables.js"
import { EMPTY_ID, EMPTY_NODE_ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { ownerOf } from "../../fixtures/keys.js"
import { AUTO_NODE, AUTO_TX, alice, bob, COIN, DUE_TX, NODE, NOW, REST, VALIDATOR_TX } from "../../fixtures/smallChain.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { stakerWith } from "../../fixtures/state.js"
import { idOfByte, otherPossession } from "../../fixtures/txs.js"
import { toAlice } from "../../fixtures/validFor.js"
import type { Variants } from "./variant.js"

const hour = 3_600n
const day = 24n * hour
const minimum = 2_000n * NAVAX
const maximum = 3_000_000n * NAVAX
const nobody = { ...ownerOf(bob), threshold: 2 }
const autoKey = { subnetID: PRIMARY_NETWORK_ID, nodeID: AUTO_NODE }

export const addAutoRenewedValidatorTx: Variants<"AddAutoRenewedValidatorTx"> = [
  { name: "its beginning with Helicon", code: "tx.not_yet_allowed", last: "granite" },
  { name: "no stake", code: "tx.no_stake", tx: () => ({ stake: [] }) },
  { name: "no period", code: "tx.missing_period", tx: () => ({ period: 0n }) },
  { name: "no node", code: "tx.empty_node_id", tx: () => ({ nodeID: hexToBytes(EMPTY_NODE_ID) }) },
  { name: "a node ID of 19 bytes", code: "tx.bad_node_id", tx: () => ({ nodeID: new Uint8Array(19).fill(1) }) },
  { name: "no key", code: "tx.missing_signer", tx: () => ({ signer: { kind: "EmptySigner" } }) },
  {
    name: "another key's proof",
    code: "crypto.bls_bad_possession",
    tx: ({ signer }) => ({ signer: { ...signer, proofOfPossession: otherPossession.proofOfPossession } as typeof signer }),
  },
  { name: "an authority nobody can be", code: "types.owner_unspendable", tx: () => ({ validatorAuthority: nobody }) },
  { name: "stake in another asset", code: "tx.invalid_staked_asset", exactly: () => ({ stake: [toAlice(minimum, COIN)] }) },
  { name: "too little stake", code: "rules.weight_too_small", tx: () => ({ stake: [toAlice(minimum - 1n)] }) },
  { name: "too much stake", code: "rules.weight_too_large", exactly: () => ({ stake: [toAlice(maximum + 1n)] }) },
  { name: "too small a fee", code: "rules.delegation_fee_too_small", tx: () => ({ delegationShares: 19_999 }) },
  { name: "too short a period", code: "rules.stake_too_short", tx: () => ({ period: hour - 1n }) },
  { name: "too long a period", code: "rules.stake_too_long", tx: () => ({ period: 365n * day + 1n }) },
  { name: "a node that validates", code: "rules.already_validator", tx: () => ({ nodeID: hexToBytes(NODE) }) },
  { name: "a node that renews itself", code: "rules.already_validator", tx: () => ({ nodeID: hexToBytes(AUTO_NODE) }) },
]

/** Removes the auto-renewed validator from the state. */
const isGone = (state: Diff) => deleteCurrentStaker(state, state.get(tables.currentValidators, autoKey)!)

/** Replaces the auto-renewed validator by one of another transaction. */
const isBack = (state: Diff) => {
  isGone(state)
  const times = { startTime: NOW - 1n, endTime: NOW + REST, nextTime: NOW + REST }
  const again = { ...autoKey, ...times, txID: idOfByte(0x79), weight: minimum, priority: Priority.primaryValidatorCurrent }
  addCurrentStaker(state, stakerWith(again), { mayReturn: true })
}

export const setAutoRenewedValidatorConfigTx: Variants<"SetAutoRenewedValidatorConfigTx"> = [
  { name: "its beginning with Helicon", code: "tx.not_yet_allowed", last: "granite" },
  { name: "no transaction", code: "tx.missing_tx_id", tx: () => ({ txID: EMPTY_ID }) },
  { name: "more than all restaked", code: "tx.too_many_restaked_shares", tx: () => ({ autoCompoundRewardShares: 1_000_001 }) },
  { name: "an unknown transaction", code: "tx.unknown_staker_tx", tx: () => ({ txID: idOfByte(1) }) },
  { name: "another validator's transaction", code: "tx.invalid_staker_tx_type", tx: () => ({ txID: VALIDATOR_TX.id }) },
  { name: "a delegator's transaction", code: "tx.invalid_staker_tx_type", tx: () => ({ txID: DUE_TX.id }) },
  { name: "a validator that has left", code: "tx.validator_gone", given: isGone },
  { name: "a node that is back by another transaction", code: "tx.wrong_validator", given: isBack },
  { name: "too short a period", code: "rules.stake_too_short", tx: () => ({ period: hour - 1n }) },
  { name: "too long a period", code: "rules.stake_too_long", tx: () => ({ period: 365n * day + 1n }) },
]

/** The first to leave is a permissioned or ordinary validator, not an auto-renewed one. */
const isOrdinary = (state: Diff) =>
  state.put(tables.txs, AUTO_TX.id, { status: TxStatus.committed, height: 1n, bytes: VALIDATOR_TX.bytes })

export const rewardAutoRenewedValidatorTx: Variants<"RewardAutoRenewedValidatorTx"> = [
  { name: "no transaction", code: "tx.missing_tx_id", exactly: () => ({ txID: EMPTY_ID }) },
  { name: "no timestamp", code: "tx.missing_timestamp", exactly: () => ({ timestamp: 0n }) },
  { name: "a credential", code: "rules.unexpected_credential", signers: () => [[alice]] },
  { name: "another timestamp than the chain's", code: "tx.wrong_timestamp", exactly: () => ({ timestamp: NOW + 1n }) },
  { name: "another than the first to leave", code: "tx.wrong_staker", exactly: () => ({ txID: VALIDATOR_TX.id }) },
  {
    name: "a cycle before its end",
    code: "tx.staker_too_early",
    given: (state) => {
      const [key, due] = state.first(tables.currentStakers)!
      state.delete(tables.currentStakers, key)
      state.insert(tables.currentStakers, { ...key, nextTime: NOW + 1n }, { ...due, endTime: NOW + 1n, nextTime: NOW + 1n })
    },
  },
  { name: "a transaction that is unknown", code: "tx.staker_tx_missing", given: (state) => state.delete(tables.txs, AUTO_TX.id) },
  { name: "a staker of another kind", code: "tx.not_auto_renewed", given: isOrdinary },
  {
    name: "more weight than a validator may have",
    code: "math.underflow",
    given: (state) => {
      const auto = state.get(tables.currentValidators, autoKey)!
      const heavy = { ...auto, weight: maximum + 1n }
      state.put(tables.currentStakers, heavy, heavy)
      state.put(tables.currentValidators, heavy, heavy)
    },
  },
]
