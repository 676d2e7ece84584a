import { expect } from "vitest"
import { isPermissioned, isValidator } from "../../../src/core/state/staker.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { innerOutput } from "../../../src/core/types/output.js"
import type { Model } from "./model.js"

/** Compares the state with the model: funds, stakers, subnets, L1 validators, fees. */
export function expectLike(view: View, model: Model): void {
  expect(inState(view)).toEqual(inModel(model))
}

function inState(view: View) {
  const balances: Record<string, bigint> = {}
  for (const [, { assetID, output }] of view.rows(tables.utxos)) {
    const { addresses, amount } = innerOutput(output)
    const whose = `${assetID} ${addresses[0]}`
    balances[whose] = (balances[whose] ?? 0n) + amount
  }
  const stakers = [...view.rows(tables.currentStakers), ...view.rows(tables.pendingStakers)].map(([, staker]) => staker)
  return {
    time: view.get(tables.timestamp, null),
    supplies: [...view.rows(tables.supplies)].map(([id, supply]) => `${id},${supply}`),
    accruedFees: view.get(tables.accruedFees, null) ?? 0n,
    l1Excess: view.get(tables.l1Excess, null) ?? 0n,
    balances,
    stakers: sorted(
      stakers
        .filter(({ priority }) => !isPermissioned(priority))
        .map(({ txID, subnetID, nodeID, weight, startTime, endTime, potentialReward, priority }) =>
          [txID, subnetID, nodeID, weight, startTime, endTime, potentialReward, isValidator(priority)].join(),
        ),
    ),
    renewals: [...view.rows(tables.renewals)].map(
      ([{ nodeID }, { accruedValidationRewards, accruedDelegateeRewards, autoCompoundRewardShares, nextPeriod }]) =>
        [nodeID, accruedValidationRewards, accruedDelegateeRewards, autoCompoundRewardShares, nextPeriod].join(),
    ),
    subnetValidators: sorted(
      stakers
        .filter(({ priority }) => isPermissioned(priority))
        .map(({ subnetID, nodeID, weight, endTime }) => [subnetID, nodeID, weight, endTime].join()),
    ),
    delegateeRewards: [...view.rows(tables.delegateeRewards)].map(
      ([{ subnetID, nodeID }, amount]) => `${subnetID} ${nodeID},${amount}`,
    ),
    owners: [...view.rows(tables.subnetOwners)].map(([id, { addresses }]) => `${id},${addresses.join()}`),
    l1s: [...view.rows(tables.conversions)].map(([id]) => String(id)),
    l1Validators: [...view.rows(tables.l1Validators)].map(([id, { subnetID, nodeID, weight, minNonce, endAccumulatedFee }]) =>
      [id, subnetID, nodeID, weight, minNonce, endAccumulatedFee].join(),
    ),
    waiting: [...view.rows(tables.atomicUtxos)].filter(([{ receiver }]) => receiver === PRIMARY_NETWORK_ID).length,
  }
}

function inModel(model: Model): ReturnType<typeof inState> {
  const balances: Record<string, bigint> = {}
  for (const { assetID, owner, amount } of model.coins.values()) {
    const whose = `${assetID} ${owner.address}`
    balances[whose] = (balances[whose] ?? 0n) + amount
  }
  return {
    time: model.time,
    supplies: sorted([...model.supplies].map(([id, supply]) => `${id},${supply}`)),
    accruedFees: model.accruedFees,
    l1Excess: model.l1Excess,
    balances,
    stakers: sorted(
      [...model.stakers.values()].map(({ txID, subnetID, nodeID, weight, start, end, potentialReward, isValidator }) =>
        [txID, subnetID, nodeID, weight, start, end, potentialReward ?? 0n, isValidator].join(),
      ),
    ),
    renewals: sorted(
      [...model.stakers.values()].flatMap(({ nodeID, renewal }) =>
        renewal ? [[nodeID, renewal.accruedValidation, renewal.accruedDelegatee, renewal.shares, renewal.period].join()] : [],
      ),
    ),
    subnetValidators: sorted(
      [...model.subnets].flatMap(([id, { validators }]) =>
        [...validators].map(([nodeID, { weight, end }]) => [id, nodeID, weight, end].join()),
      ),
    ),
    delegateeRewards: sorted([...model.delegateeRewards].map(([place, amount]) => `${place},${amount}`)),
    owners: sorted([...model.subnets].map(([id, { owner }]) => `${id},${owner.address}`)),
    l1s: sorted([...model.subnets].filter(([, { isL1 }]) => isL1).map(([id]) => id)),
    l1Validators: sorted(
      [...model.l1Validators].map(([id, { subnetID, nodeID, weight, minNonce, endAccumulatedFee }]) =>
        [id, subnetID, nodeID, weight, minNonce, endAccumulatedFee].join(),
      ),
    ),
    waiting: model.waiting.size,
  }
}

const sorted = (texts: string[]): string[] => texts.sort()
