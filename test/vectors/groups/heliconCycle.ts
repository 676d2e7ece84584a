import { restakeOf } from "../../../src/core/rules/reward.js"
import { Diff } from "../../../src/core/state/diff.js"
import { Priority } from "../../../src/core/state/staker.js"
import { TxStatus, tables } from "../../../src/core/state/tables.js"
import { proposeTx } from "../../../src/core/txs/execute.js"
import { signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import type { Address } from "../../../src/core/types/address.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { innerOutput } from "../../../src/core/types/output.js"
import type { OutputOwners } from "../../../src/core/types/owners.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { blockContextWith, given, row, rulesWith, stakerWith, timeRow, upgradesThrough } from "../../fixtures/state.js"
import { addressOfByte, nodeIDOfByte, outputOf, validTxs } from "../../fixtures/txs.js"
import type { Check, Entry } from "../group.js"

const END = 1_900_000_000n
const SUPPLY = 400_000_000_000_000_000n
const NODE = nodeIDOfByte(0x31)
const KEY = { subnetID: PRIMARY_NETWORK_ID, nodeID: NODE }

const ownerOf = (address: Address): OutputOwners => ({ kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [address] })
const owners = {
  validationRewardsOwner: ownerOf(addressOfByte(0xd3)),
  delegationRewardsOwner: ownerOf(addressOfByte(0xd4)),
}

/** helicon.json, `restake`: the restaked and the paid part of two rewards. */
export const checkRestake: Check = ({ input, expected }, verdict) => {
  const rewards = { validation: BigInt(input.potentialReward), delegatee: BigInt(input.delegateeReward) }
  const room = BigInt(input.maxValidatorStake) - BigInt(input.weight)
  const restaked = restakeOf(rewards, Number(input.autoCompoundRewardShares), room)
  const got = {
    restakedValidation: restaked.validation,
    restakedDelegatee: restaked.delegatee,
    paidValidation: rewards.validation - restaked.validation,
    paidDelegatee: rewards.delegatee - restaked.delegatee,
    weight: BigInt(input.weight) + restaked.validation + restaked.delegatee,
  }
  for (const [name, value] of Object.entries(got)) verdict.equal(name, value, expected[name])
}

/** helicon.json, `cycleEnd`: both ends of the transaction that ends a cycle. */
export const checkCycleEnd: Check = ({ input, expected }, verdict) => {
  const tx = autoRenewedTx(input)
  const state = stateAtEnd(tx, input)
  const rules = rulesWith({}, upgradesThrough("helicon"))
  const staking = { ...rules.params.staking, maxValidatorStake: BigInt(input.maxValidatorStake) }
  const blockContext = blockContextWith({ ...rules, params: { ...rules.params, staking } }, END, state)
  const reward = signedTxOf({ kind: "RewardAutoRenewedValidatorTx", txID: tx.id, timestamp: END }, [])
  const [commit, abort] = [new Diff(state), new Diff(state)]
  proposeTx(reward, commit, abort, { blockContext, price: 1n, mayReturn: true })
  for (const [name, end] of Object.entries({ commit, abort })) {
    const got: Record<string, unknown> = outcomeOf(end, tx, reward)
    // A renewal promises the next reward, which is another case's.
    if (expected[name].supplyChange === undefined) delete got.supplyChange
    verdict.equal(name, got, expected[name])
  }
}

function autoRenewedTx({ numOutputs, numStakeOutputs }: Entry): Tx {
  const outputs = (count: Entry) => Array.from({ length: Number(count) }, () => outputOf(1n))
  const unsignedTx = {
    ...validTxs.AddAutoRenewedValidatorTx,
    ...owners,
    outputs: outputs(numOutputs),
    stake: outputs(numStakeOutputs),
  }
  return signedTxOf(unsignedTx, [])
}

/** The state in the second that the validator's cycle ends. */
function stateAtEnd(tx: Tx, { weight, potentialReward, info }: Entry): Diff {
  const state = given(timeRow(END), row(tables.supplies, PRIMARY_NETWORK_ID, SUPPLY))
  const staker = {
    txID: tx.id,
    nodeID: NODE,
    weight: BigInt(weight),
    potentialReward: BigInt(potentialReward),
    startTime: END - 1n,
  }
  addCurrentStaker(state, stakerWith({ ...staker, endTime: END, priority: Priority.primaryValidatorCurrent }))
  state.put(tables.txs, tx.id, { status: TxStatus.committed, height: 1n, bytes: tx.bytes })
  if (info.delegateeReward !== "0") state.put(tables.delegateeRewards, KEY, BigInt(info.delegateeReward))
  state.put(tables.renewals, KEY, {
    accruedValidationRewards: BigInt(info.accruedValidationRewards),
    accruedDelegateeRewards: BigInt(info.accruedDelegateeRewards),
    autoCompoundRewardShares: Number(info.autoCompoundRewardShares),
    nextPeriod: BigInt(info.nextPeriod),
  })
  return state
}

function outcomeOf(end: Diff, { id }: Tx, reward: Tx): Record<string, unknown> {
  const utxos = [...end.rows(tables.utxos)].map(([, utxo]) => utxo).sort((a, b) => a.outputIndex - b.outputIndex)
  const listed = [...end.rows(tables.rewardUtxos)].map(([{ txID }, { outputIndex }]) => ({ txID, outputIndex }))
  const rewards = utxos.filter(({ txID }) => txID === reward.id)
  if (listed.length !== rewards.length || listed.some(({ txID }) => txID !== reward.id)) throw new Error("a reward is not listed")
  const validator = end.get(tables.currentValidators, KEY)
  return {
    removed: validator === undefined,
    stakeIndices: utxos.filter(({ txID }) => txID === id).map(({ outputIndex }) => outputIndex),
    rewards: rewards.map(({ outputIndex, output }) => ({
      index: outputIndex,
      amount: innerOutput(output).amount,
      to: Object.entries(owners).find(([, { addresses }]) => addresses[0] === innerOutput(output).addresses[0])?.[0],
      under: "rewardTx",
    })),
    supplyChange: end.get(tables.supplies, PRIMARY_NETWORK_ID)! - SUPPLY,
    ...(validator && {
      info: { ...end.get(tables.renewals, KEY), delegateeReward: end.get(tables.delegateeRewards, KEY) ?? 0n },
      periodSeconds: validator.endTime - validator.startTime,
      weight: validator.weight,
    }),
  }
}
