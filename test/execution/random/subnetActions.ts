import type { ID, NodeID } from "../../../src/core/types/id.js"
import { ownerOf } from "../../fixtures/keys.js"
import { idOfByte } from "../../fixtures/txs.js"
import {
  type Action,
  attempt,
  auth,
  firstBroken,
  isOutside,
  MIN_DURATION,
  mostly,
  period,
  type Scene,
  someone,
  someSubnet,
  validating,
} from "./attempt.js"
import type { Wish } from "./draft.js"
import { COIN, OPEN_REWARDS, OPEN_SUPPLY } from "./model.js"
import type { ModelSubnet } from "./modelRows.js"
import { OPEN_STAKE } from "./stakingActions.js"

export const createsSubnet: Action = (scene) => {
  // Few subnets with many transactions find more than many subnets.
  const { subnets } = scene.model
  if (subnets.size >= 5 && [...subnets.values()].some((each) => !isImmutable(each))) return undefined
  const owner = someone(scene)
  const make: Wish["make"] = (base) => ({ kind: "CreateSubnetTx", ...base, owner: ownerOf(owner) })
  return attempt("create a subnet", scene, { payer: someone(scene), spends: 0n, make }, undefined, ({ id }) =>
    scene.model.subnets.set(id, { owner, isL1: false, isOpen: false, chainID: undefined, validators: new Map() }),
  )
}

export const handsSubnetOver: Action = (scene) => {
  const [subnetID, subnet] = someSubnet(scene) ?? []
  if (!subnetID || !subnet || !scene.model.isDurango) return undefined
  const [actor, owner] = [someone(scene), someone(scene)]
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    authorisedBy: actor,
    make: (base) => ({
      kind: "TransferSubnetOwnershipTx",
      ...base,
      subnetID,
      subnetAuthorization: auth,
      newOwner: ownerOf(owner),
    }),
  }
  const code = actor === subnet.owner ? undefined : "rules.unauthorized"
  return attempt("hand a subnet over", scene, wish, code, () => scene.model.subnets.set(subnetID, { ...subnet, owner }))
}

export const isImmutable = ({ isL1, isOpen }: ModelSubnet): boolean => isL1 || isOpen

export const opensSubnet: Action = (scene) => {
  const { model } = scene
  const [subnetID, subnet] = someSubnet(scene) ?? []
  if (!subnetID || !subnet || model.isEtna) return undefined
  // Some subnets stay permissioned, so that they can become L1s.
  if (!subnet.isOpen && [...model.subnets.values()].filter(({ isOpen }) => isOpen).length >= 2) return undefined
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    spendsCoins: OPEN_REWARDS.supplyCap - OPEN_SUPPLY,
    authorisedBy: subnet.owner,
    make: (base) => ({
      kind: "TransformSubnetTx",
      ...base,
      subnetID,
      assetID: COIN,
      initialSupply: OPEN_SUPPLY,
      maximumSupply: OPEN_REWARDS.supplyCap,
      minConsumptionRate: OPEN_REWARDS.minConsumptionRate,
      maxConsumptionRate: OPEN_REWARDS.maxConsumptionRate,
      minValidatorStake: OPEN_STAKE,
      maxValidatorStake: 3n * OPEN_STAKE,
      minStakeDuration: Number(MIN_DURATION),
      maxStakeDuration: 100_000,
      minDelegationFee: 20_000,
      minDelegatorStake: 5n,
      maxValidatorWeightFactor: 5,
      uptimeRequirement: 800_000,
      subnetAuthorization: auth,
    }),
  }
  return attempt("open a subnet", scene, wish, isImmutable(subnet) ? "rules.subnet_immutable" : undefined, () => {
    model.subnets.set(subnetID, { ...subnet, isOpen: true })
    model.supplies.set(subnetID, OPEN_SUPPLY)
  })
}

export const createsChain: Action = (scene) => {
  const [subnetID, subnet] = someSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    authorisedBy: subnet.owner,
    make: (base) => ({
      kind: "CreateChainTx",
      ...base,
      subnetID,
      chainName: "a",
      vmID: idOfByte(9),
      fxIDs: [],
      genesisData: new Uint8Array(0),
      subnetAuthorization: auth,
    }),
  }
  const code = isImmutable(subnet) ? "rules.subnet_immutable" : undefined
  return attempt("create a chain", scene, wish, code, ({ id }) => scene.model.subnets.set(subnetID, { ...subnet, chainID: id }))
}

/** Returns a validator that this block has removed from its subnet; since Helicon it may return at once. */
function someRemoved({ model, random, removed }: Scene): { subnet: [ID, ModelSubnet]; nodeID: NodeID } | undefined {
  if (removed.size === 0) return undefined
  const [, subnetID, nodeID] = random.pick([...removed]).split(" ") as [string, ID, NodeID]
  const subnet = model.subnets.get(subnetID)
  return subnet && { subnet: [subnetID, subnet], nodeID }
}

export const addsSubnetValidator: Action = (scene) => {
  const { model, random } = scene
  const returning = random.below(2) === 0 ? someRemoved(scene) : undefined
  const [subnetID, subnet] = returning?.subnet ?? someSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const nodeID = returning?.nodeID ?? mostly(scene, validating(scene))
  const when = period(scene, 60)
  const { start, end, begins, duration } = when
  const weight = BigInt(1 + random.below(100))
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    authorisedBy: subnet.owner,
    make: (base) => ({
      kind: "AddSubnetValidatorTx",
      ...base,
      validator: { nodeID, start, end, weight, subnetID },
      subnetAuthorization: auth,
    }),
  }
  const primary = model.validatorAt(nodeID)
  const place = `${model.isDurango ? "current" : "waiting"} ${subnetID} ${nodeID}`
  const code = firstBroken(
    [duration < MIN_DURATION, "rules.stake_too_short"],
    [subnet.validators.has(nodeID) || model.validatorAt(nodeID, subnetID) !== undefined, "rules.already_validator"],
    [!primary, "rules.not_validator"],
    [isOutside(when, primary), "rules.period_mismatch"],
    [isImmutable(subnet), "rules.subnet_immutable"],
    [scene.removed.has(place) && !model.isHelicon, "state.staker_re_added"],
  )
  return attempt("add a subnet validator", scene, wish, code, () => {
    model.subnets.set(subnetID, { ...subnet, validators: new Map([...subnet.validators, [nodeID, { end, weight, begins }]]) })
    scene.added.add(place)
  })
}

export const removesSubnetValidator: Action = (scene) => {
  const { model } = scene
  const [subnetID, subnet] = someSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const nodeID = mostly(scene, [...subnet.validators.keys()])
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    authorisedBy: subnet.owner,
    make: (base) => ({ kind: "RemoveSubnetValidatorTx", ...base, nodeID, subnetID, subnetAuthorization: auth }),
  }
  const code = firstBroken(
    [model.validatorAt(nodeID, subnetID) !== undefined, "tx.removes_permissionless"],
    [!subnet.validators.has(nodeID), "rules.not_validator"],
  )
  return attempt("remove a subnet validator", scene, wish, code, () => {
    model.subnets.set(subnetID, { ...subnet, validators: new Map([...subnet.validators].filter(([id]) => id !== nodeID)) })
    model.facts.push({ kind: "left", subnetID, nodeID, reason: "removed" })
    const isWaiting = subnet.validators.get(nodeID)!.begins > model.time
    const place = `${isWaiting ? "waiting" : "current"} ${subnetID} ${nodeID}`
    // A validator that this block added leaves no row.
    if (!scene.added.delete(place)) scene.removed.add(place)
  })
}
