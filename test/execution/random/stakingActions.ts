import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import type { ID } from "../../../src/core/types/id.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { blsKeyOf, ownerOf } from "../../fixtures/keys.js"
import {
  type Action,
  attempt,
  firstBroken,
  HELICON_MIN_DURATION,
  isOutside,
  MIN_DURATION,
  mostly,
  nodes,
  period,
  type Scene,
  someone,
  someSubnet,
  validating,
} from "./attempt.js"
import { outputTo, type Wish } from "./draft.js"
import { COIN, type Model } from "./model.js"
import type { ModelSubnet } from "./modelRows.js"

export const MIN_STAKE = 2_000n * NAVAX
const MIN_DELEGATION = 25n * NAVAX
/** The minimum stake of a validator of an open subnet. Its maximum weight with delegators is three times as much. */
export const OPEN_STAKE = 1_000n

export const validates: Action = (scene) => {
  const { model, random } = scene
  const nodeID = random.pick(nodes)
  const shortest = model.isHelicon ? HELICON_MIN_DURATION : MIN_DURATION
  const { start, end, begins, duration } = period(scene, 600, shortest)
  const weight = random.below(10) === 0 ? MIN_STAKE - 1n : MIN_STAKE + BigInt(random.below(1_000)) * NAVAX
  const [payer, owner] = [someone(scene), someone(scene)]
  const shares = 20_000 + random.below(900_000)
  const validator = { nodeID, start, end, weight }
  const isOld = !model.isDurango && random.below(2) === 0
  const { publicKey, proofOfPossession } = blsKeyOf(1 + random.below(4))
  const wish: Wish = {
    payer,
    spends: weight,
    make: (base) => {
      const stake = [outputTo(owner, weight)]
      if (isOld) return { kind: "AddValidatorTx", ...base, validator, stake, rewardsOwner: ownerOf(owner), shares }
      const owners = { validationRewardsOwner: ownerOf(owner), delegationRewardsOwner: ownerOf(owner) }
      const signer = { kind: "ProofOfPossession" as const, publicKey, proofOfPossession }
      return {
        kind: "AddPermissionlessValidatorTx",
        ...base,
        validator,
        subnetID: PRIMARY_NETWORK_ID,
        signer,
        stake,
        ...owners,
        shares,
      }
    },
  }
  const code = firstBroken(
    [weight < MIN_STAKE, "rules.weight_too_small"],
    [duration < shortest, "rules.stake_too_short"],
    [model.validatorAt(nodeID) !== undefined, "rules.already_validator"],
  )
  return attempt("validate", scene, wish, code, (tx) =>
    addStaker(model, tx, {
      subnetID: PRIMARY_NETWORK_ID,
      nodeID,
      isValidator: true,
      owner,
      weight,
      start: begins,
      end,
      shares,
      order: 2,
    }),
  )
}

/** Returns mostly an open subnet if there is one, and sometimes any subnet. */
function openSubnet(scene: Scene): [ID, ModelSubnet] | undefined {
  const open = [...scene.model.subnets].filter(([, { isOpen }]) => isOpen)
  return open.length > 0 && scene.random.below(6) > 0 ? scene.random.pick(open) : someSubnet(scene)
}

export const validatesSubnet: Action = (scene) => {
  const { model, random } = scene
  const [subnetID, subnet] = openSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const nodeID = mostly(scene, validating(scene))
  const when = period(scene, 300)
  const { start, end, begins, duration } = when
  const weight = random.pick([OPEN_STAKE - 1n, OPEN_STAKE, OPEN_STAKE + 7n, OPEN_STAKE, 3n * OPEN_STAKE + 1n])
  const [payer, owner] = [someone(scene), someone(scene)]
  const shares = 20_000 + random.below(900_000)
  const wish: Wish = {
    payer,
    spends: 0n,
    spendsCoins: weight,
    make: (base) => ({
      kind: "AddPermissionlessValidatorTx",
      ...base,
      validator: { nodeID, start, end, weight },
      subnetID,
      signer: { kind: "EmptySigner" },
      stake: [outputTo(owner, weight, COIN)],
      validationRewardsOwner: ownerOf(owner),
      delegationRewardsOwner: ownerOf(owner),
      shares,
    }),
  }
  const primary = model.validatorAt(nodeID)
  const place = `${model.isDurango ? "current" : "waiting"} ${subnetID} ${nodeID}`
  const code = firstBroken(
    [!subnet.isOpen, "rules.unknown_transformation"],
    [weight < OPEN_STAKE, "rules.weight_too_small"],
    [weight > 3n * OPEN_STAKE, "rules.weight_too_large"],
    [duration < MIN_DURATION, "rules.stake_too_short"],
    [subnet.validators.has(nodeID) || model.validatorAt(nodeID, subnetID) !== undefined, "rules.already_validator"],
    [!primary, "rules.not_validator"],
    [isOutside(when, primary), "rules.period_mismatch"],
    [scene.removed.has(place) && !model.isHelicon, "state.staker_re_added"],
  )
  return attempt("validate an open subnet", scene, wish, code, (tx) =>
    addStaker(model, tx, { subnetID, nodeID, isValidator: true, owner, weight, start: begins, end, shares, order: 4 }),
  )
}

export const delegatesOnSubnet: Action = (scene) => {
  const { model, random } = scene
  const [subnetID, subnet] = openSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const nodeID = mostly(
    scene,
    nodes.filter((each) => model.validatorAt(each, subnetID)),
  )
  const delegatee = model.validatorAt(nodeID, subnetID)
  const when = period(scene, 30)
  const { start, end, begins, duration } = when
  const weight = BigInt(random.pick([4, 5, 50, 2_000, 2_500]))
  const [payer, owner] = [someone(scene), someone(scene)]
  const wish: Wish = {
    payer,
    spends: 0n,
    spendsCoins: weight,
    make: (base) => ({
      kind: "AddPermissionlessDelegatorTx",
      ...base,
      validator: { nodeID, start, end, weight },
      subnetID,
      stake: [outputTo(owner, weight, COIN)],
      rewardsOwner: ownerOf(owner),
    }),
  }
  const limit = 3n * OPEN_STAKE
  const isClear = !delegatee || model.carriedBy(delegatee) + weight <= limit || delegatee.weight + weight > limit
  // A permissioned validator from before the transformation accepts no delegators; the refusal depends on its weight and period.
  if (!isClear || subnet.validators.has(nodeID)) return undefined
  const code = firstBroken(
    [!subnet.isOpen, "rules.unknown_transformation"],
    [weight < 5n, "rules.weight_too_small"],
    [duration < MIN_DURATION, "rules.stake_too_short"],
    [!delegatee, "rules.not_validator"],
    [isOutside(when, delegatee), "rules.period_mismatch"],
    [delegatee !== undefined && delegatee.weight + weight > limit, "rules.over_delegated"],
  )
  return attempt("delegate on an open subnet", scene, wish, code, (tx) =>
    addStaker(model, tx, { subnetID, nodeID, isValidator: false, owner, weight, start: begins, end, shares: 0, order: 5 }),
  )
}

export const delegates: Action = (scene) => {
  const { model, random } = scene
  const nodeID = mostly(scene, validating(scene))
  const delegatee = model.validatorAt(nodeID)
  const when = period(scene, 60)
  const { start, end, begins, duration } = when
  const most = 4n * (delegatee?.weight ?? MIN_STAKE)
  const weight = random.pick([
    most,
    most + 1n,
    ...Array.from({ length: 8 }, () => MIN_DELEGATION + BigInt(random.below(50)) * NAVAX),
  ])
  const [payer, owner] = [someone(scene), someone(scene)]
  const validator = { nodeID, start, end, weight }
  const isOld = !model.isDurango && random.below(2) === 0
  const wish: Wish = {
    payer,
    spends: weight,
    make: (base) => {
      const common = { ...base, validator, stake: [outputTo(owner, weight)], rewardsOwner: ownerOf(owner) }
      return isOld
        ? { kind: "AddDelegatorTx", ...common }
        : { kind: "AddPermissionlessDelegatorTx", ...common, subnetID: PRIMARY_NETWORK_ID }
    },
  }
  const limit = 5n * (delegatee?.weight ?? 0n)
  // The model does not know whether others will have left in time, and only tries clear cases.
  const isClear = !delegatee || model.carriedBy(delegatee) + weight <= limit || delegatee.weight + weight > limit
  if (!isClear) return undefined
  const code = firstBroken(
    [duration < MIN_DURATION, "rules.stake_too_short"],
    [!delegatee, "rules.not_validator"],
    [isOutside(when, delegatee), "rules.period_mismatch"],
    [delegatee !== undefined && delegatee.weight + weight > limit, "rules.over_delegated"],
  )
  return attempt("delegate", scene, wish, code, (tx) =>
    addStaker(model, tx, {
      subnetID: PRIMARY_NETWORK_ID,
      nodeID,
      isValidator: false,
      owner,
      weight,
      start: begins,
      end,
      shares: 0,
      order: isOld ? 1 : 3,
    }),
  )
}

function addStaker(
  model: Model,
  tx: Tx,
  staker: Omit<Parameters<Model["begin"]>[0], "txID" | "outputs" | "potentialReward">,
): void {
  const outputs = "outputs" in tx.unsignedTx ? tx.unsignedTx.outputs.length : 0
  const made = { ...staker, txID: tx.id, outputs, potentialReward: undefined }
  if (model.isDurango) model.begin(made)
  else model.stakers.set(tx.id, made)
}
