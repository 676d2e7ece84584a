import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import { add64, MAX64 } from "../../../src/core/lib/math64.js"
import type { RewardConfig } from "../../../src/core/networks/params.js"
import { rewardOf, splitReward } from "../../../src/core/rules/reward.js"
import { Diff } from "../../../src/core/state/diff.js"
import { Priority, type Staker } from "../../../src/core/state/staker.js"
import { TxStatus, tables } from "../../../src/core/state/tables.js"
import { proposeTx } from "../../../src/core/txs/execute.js"
import { signedTxOf, type Tx } from "../../../src/core/txs/tx.js"
import type { Address } from "../../../src/core/types/address.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { innerOutput, type Output } from "../../../src/core/types/output.js"
import type { OutputOwners } from "../../../src/core/types/owners.js"
import { addCurrentStaker } from "../../fixtures/stakers.js"
import { blockContextWith, given, row, rulesWith, stakerWith, timeRow, upgradesThrough } from "../../fixtures/state.js"
import { addressOfByte, outputOf, validTxs } from "../../fixtures/txs.js"
import type { Entry, Group } from "../group.js"

export const configOf = (config: Entry): RewardConfig => ({
  maxConsumptionRate: BigInt(config.maxConsumptionRate),
  minConsumptionRate: BigInt(config.minConsumptionRate),
  mintingPeriodNanoseconds: BigInt(config.mintingPeriod) * SECOND,
  supplyCap: BigInt(config.supplyCap),
})

export const rewards: Group = {
  calculate({ input, expected }, verdict) {
    const config = configOf(input.config)
    const reward = rewardOf(config, BigInt(input.durationSeconds), BigInt(input.stake), BigInt(input.currentSupply))
    verdict.equal("reward", reward, expected.reward)
  },

  sequential({ input, expected }, verdict) {
    const config = configOf(input.config)
    const potentialRewards: bigint[] = []
    let supply = BigInt(input.initialSupply)
    for (const staker of input.stakers) {
      const reward = rewardOf(config, BigInt(staker.durationSeconds), BigInt(staker.stake), supply)
      potentialRewards.push(reward)
      supply = add64(supply, reward)
    }
    verdict.equal("rewards and supply", { potentialRewards, finalSupply: supply }, expected)
  },

  split({ input, expected }, verdict) {
    verdict.equal("split", splitReward(BigInt(input.amount), Number(input.shares)), expected)
  },

  rewardValidatorTx({ input, expected }, verdict) {
    const { tx, staker } = validatorOf(input)
    const state = rewardState([{ tx, staker }])
    const accrued = BigInt(input.accruedDelegateeReward)
    if (accrued > 0n) state.put(tables.delegateeRewards, staker, accrued)
    const { commit, abort } = ends(state, tx, CORTINA)
    verdict.equal("commit", paid(commit, tx), expected.commit)
    verdict.equal("abort", paid(abort, tx), expected.abort)
  },

  rewardDelegatorTx({ input, expected }, verdict) {
    const startTime = input.validatorStartedAtOrAfterCortina ? CORTINA : CORTINA - 1n
    const validator = validatorOf({ numOutputs: 0, numStakeOutputs: 1, potentialReward: 0 }, Number(input.validatorShares))
    const delegator = delegatorOf(input)
    const state = rewardState([{ tx: validator.tx, staker: { ...validator.staker, startTime } }, delegator])
    const { commit, abort } = ends(state, delegator.tx, CORTINA)
    const increase = (end: Diff) => end.get(tables.delegateeRewards, validator.staker) ?? 0n
    for (const [name, end] of Object.entries({ commit, abort })) {
      const got = { ...paid(end, delegator.tx), delegateeRewardIncrease: increase(end) }
      verdict.equal(name, got, expected[name])
    }
  },
}

/** The activation time of Cortina, and the time at which all stakers leave. */
const CORTINA = 1_000n
const END = 2_000n

const ownerOf = (address: Address): OutputOwners => ({ kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [address] })
const owners = {
  "validator delegationRewardsOwner": ownerOf(addressOfByte(0xd1)),
  "delegator rewardsOwner": ownerOf(addressOfByte(0xd2)),
  validationRewardsOwner: ownerOf(addressOfByte(0xd3)),
  delegationRewardsOwner: ownerOf(addressOfByte(0xd4)),
}

interface RewardedStaker {
  readonly tx: Tx
  readonly staker: Staker
}

const outputs = (count: Entry) => Array.from({ length: Number(count) }, () => outputOf(1n))

function validatorOf({ numOutputs, numStakeOutputs, potentialReward }: Entry, shares?: number): RewardedStaker {
  const isDelegatee = shares !== undefined
  const unsignedTx = {
    ...validTxs.AddPermissionlessValidatorTx,
    outputs: outputs(numOutputs),
    stake: outputs(numStakeOutputs),
    validationRewardsOwner: owners.validationRewardsOwner,
    delegationRewardsOwner: isDelegatee ? owners["validator delegationRewardsOwner"] : owners.delegationRewardsOwner,
    shares: shares ?? 0,
  }
  const tx = signedTxOf(unsignedTx, [])
  const endTime = isDelegatee ? END + 1n : END
  const { nodeID } = unsignedTx.validator
  const who = { txID: tx.id, nodeID, startTime: CORTINA, endTime, potentialReward: BigInt(potentialReward) }
  return { tx, staker: stakerWith({ ...who, priority: Priority.primaryValidatorCurrent }) }
}

function delegatorOf({ numOutputs, numStakeOutputs, potentialReward }: Entry): RewardedStaker {
  const unsignedTx = {
    ...validTxs.AddPermissionlessDelegatorTx,
    outputs: outputs(numOutputs),
    stake: outputs(numStakeOutputs),
    rewardsOwner: owners["delegator rewardsOwner"],
  }
  const tx = signedTxOf(unsignedTx, [])
  const { nodeID } = unsignedTx.validator
  const who = { txID: tx.id, nodeID, startTime: CORTINA, endTime: END, potentialReward: BigInt(potentialReward) }
  return { tx, staker: stakerWith({ ...who, priority: Priority.primaryDelegatorCurrent }) }
}

/** The largest possible supply, so that any potential reward can be removed from it. */
const SUPPLY = MAX64

/** The state at the moment these stakers leave. */
function rewardState(stakers: readonly RewardedStaker[]): Diff {
  const state = given(timeRow(END), row(tables.supplies, PRIMARY_NETWORK_ID, SUPPLY))
  for (const { tx, staker } of stakers) {
    addCurrentStaker(state, staker)
    state.put(tables.txs, tx.id, { status: TxStatus.committed, height: 1n, bytes: tx.bytes })
  }
  return state
}

/** Executes the reward of a staker. Returns the states of commit and abort. */
function ends(state: Diff, { id }: Tx, cortina: bigint): { commit: Diff; abort: Diff } {
  const upgrades = upgradesThrough("granite")
  const rules = rulesWith({}, { ...upgrades, times: { ...upgrades.times, cortina } })
  const [commit, abort] = [new Diff(state), new Diff(state)]
  const reward = signedTxOf({ kind: "RewardValidatorTx", txID: id }, [])
  proposeTx(reward, commit, abort, { blockContext: blockContextWith(rules, END, state), price: 1n, mayReturn: false })
  return { commit, abort }
}

/** Returns the outputs that were paid at the end of a staker's period: the stake and the rewards, by the owners of the fixtures. */
function paid(end: Diff, { id }: Tx) {
  const utxos = [...end.rows(tables.utxos)].map(([, utxo]) => utxo).filter(({ txID }) => txID === id)
  utxos.sort((a, b) => a.outputIndex - b.outputIndex)
  const rewards = utxos.filter(({ output }) => payee(output))
  return {
    stakeIndices: utxos.filter(({ output }) => !payee(output)).map(({ outputIndex }) => outputIndex),
    rewards: rewards.map(({ outputIndex, output }) => ({
      index: outputIndex,
      amount: innerOutput(output).amount,
      to: payee(output),
    })),
    supplyChange: end.get(tables.supplies, PRIMARY_NETWORK_ID)! - SUPPLY,
  }
}

function payee(output: Output): string | undefined {
  const [address] = innerOutput(output).addresses
  return Object.entries(owners).find(([, { addresses }]) => addresses[0] === address)?.[0]
}
