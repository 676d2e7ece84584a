import { AVAX as NAVAX } from "../../../src/networks/params.js"
import type { Tx } from "../../../src/txs/tx.js"
import type { ID, NodeID } from "../../../src/types/id.js"
import { PRIMARY_NETWORK_ID } from "../../../src/types/id.js"
import { blsKeyOf, type Key, keyOf, ownerOf } from "../../fixtures/keys.js"
import { idOfByte, nodeIDOfByte } from "../../fixtures/txs.js"
import type { Random } from "../../strangers/random.js"
import { COIN, type Model, type ModelSubnet, OPEN_SUPPLY } from "./model.js"
import { type Draft, draft, outputTo, type Wish } from "./wallet.js"

export const X_CHAIN = idOfByte(0x58)
export const people: readonly Key[] = [1, 2, 3, 4].map(keyOf)
export const nodes: readonly NodeID[] = [1, 2, 3, 4, 5, 6].map(nodeIDOfByte)

/** The shortest stake of the random chain, seconds. */
export const MIN_DURATION = 60n
const MIN_STAKE = 2_000n * NAVAX
const MIN_DELEGATION = 25n * NAVAX
/** The least stake of an open subnet's validators; they carry three times as much at most. */
const OPEN_STAKE = 1_000n

/** Something that somebody tries: the transaction, what the model says of it, and what it makes of the model. */
export interface Attempt {
  readonly name: string
  readonly draft: Draft
  /** The code it must be refused with; none where it must be accepted. */
  readonly code: string | undefined
  readonly apply: (tx: Tx) => void
}

/** What an attempt may look at. */
export interface Scene {
  readonly model: Model
  readonly random: Random
  /** nAVAX for a unit of gas. */
  readonly price: bigint
  /** Whom this block has removed so far, from those who wait or validate now: they cannot return there in it. */
  readonly removed: Set<string>
  /** Whom it has added. */
  readonly added: Set<string>
}

export type Action = (scene: Scene) => Attempt | undefined

/** An attempt of this wish, if the payer can pay. */
export function attempt(
  name: string,
  { model, price }: Scene,
  wish: Wish,
  code: string | undefined,
  apply: (tx: Tx) => void = () => {},
): Attempt | undefined {
  const made = draft(model, price, wish)
  return made && { name, draft: made, code, apply }
}

const auth = { kind: "Input" as const, signatureIndices: [0] }
const someone = ({ random }: Scene): Key => random.pick(people)

function someSubnet({ model, random }: Scene): [ID, ModelSubnet] | undefined {
  return model.subnets.size === 0 ? undefined : random.pick([...model.subnets])
}

/** Mostly one of these, sometimes any. */
function mostly({ random }: Scene, some: readonly NodeID[]): NodeID {
  return some.length > 0 && random.below(4) > 0 ? random.pick(some) : random.pick(nodes)
}

const validating = ({ model }: Scene): NodeID[] => nodes.filter((nodeID) => model.validatorAt(nodeID))

/** When a stake of at most so many seconds begins by its transaction, and ends: from Durango on it begins at once. */
function period({ model, random }: Scene, longest: number): { start: bigint; end: bigint; begins: bigint; duration: bigint } {
  const start = model.time + BigInt(1 + random.below(20))
  const begins = model.isDurango ? model.time : start
  const duration = random.below(8) === 0 ? MIN_DURATION - 1n : MIN_DURATION + BigInt(random.below(longest))
  return { start, end: begins + duration, begins, duration }
}

const pays: Action = (scene) => {
  if (!scene.model.isDurango) return undefined
  const outputs = [outputTo(someone(scene), BigInt(1 + scene.random.below(1_000_000)))]
  return attempt(
    "pay",
    scene,
    { payer: someone(scene), spends: 0n, outputs, make: (base) => ({ kind: "BaseTx", ...base }) },
    undefined,
  )
}

const createsSubnet: Action = (scene) => {
  // A few that much happens on are better than many.
  if (scene.model.subnets.size >= 5) return undefined
  const owner = someone(scene)
  const make: Wish["make"] = (base) => ({ kind: "CreateSubnetTx", ...base, owner: ownerOf(owner) })
  return attempt("create a subnet", scene, { payer: someone(scene), spends: 0n, make }, undefined, ({ id }) =>
    scene.model.subnets.set(id, { owner, isL1: false, isOpen: false, chainID: undefined, validators: new Map() }),
  )
}

const handsSubnetOver: Action = (scene) => {
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

const isImmutable = ({ isL1, isOpen }: ModelSubnet): boolean => isL1 || isOpen

const opensSubnet: Action = (scene) => {
  const { model } = scene
  const [subnetID, subnet] = someSubnet(scene) ?? []
  if (!subnetID || !subnet || model.isEtna) return undefined
  // Some are left for what else may become of them.
  if (!subnet.isOpen && [...model.subnets.values()].filter(({ isOpen }) => isOpen).length >= 2) return undefined
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    spendsCoins: OPEN_SUPPLY,
    authorisedBy: subnet.owner,
    make: (base) => ({
      kind: "TransformSubnetTx",
      ...base,
      subnetID,
      assetID: COIN,
      initialSupply: OPEN_SUPPLY,
      maximumSupply: 2n * OPEN_SUPPLY,
      minConsumptionRate: 100_000n,
      maxConsumptionRate: 900_000n,
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

const createsChain: Action = (scene) => {
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

const addsSubnetValidator: Action = (scene) => {
  const { model, random } = scene
  const [subnetID, subnet] = someSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const nodeID = mostly(scene, validating(scene))
  const { start, end, begins, duration } = period(scene, 60)
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
  const code =
    duration < MIN_DURATION
      ? "rules.stake_too_short"
      : subnet.validators.has(nodeID) || model.validatorAt(nodeID, subnetID)
        ? "rules.already_validator"
        : !primary
          ? "rules.not_validator"
          : begins < primary.start || end > primary.end
            ? "rules.period_mismatch"
            : isImmutable(subnet)
              ? "rules.subnet_immutable"
              : scene.removed.has(place) && !model.isHelicon
                ? "state.staker_re_added"
                : undefined
  return attempt("add a subnet validator", scene, wish, code, () => {
    model.subnets.set(subnetID, { ...subnet, validators: new Map([...subnet.validators, [nodeID, { end, weight, begins }]]) })
    scene.added.add(place)
  })
}

const removesSubnetValidator: Action = (scene) => {
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
  const isPermissionless = model.validatorAt(nodeID, subnetID) !== undefined
  const code = subnet.validators.has(nodeID) ? undefined : isPermissionless ? "tx.removes_permissionless" : "rules.not_validator"
  return attempt("remove a subnet validator", scene, wish, code, () => {
    model.subnets.set(subnetID, { ...subnet, validators: new Map([...subnet.validators].filter(([id]) => id !== nodeID)) })
    const isWaiting = subnet.validators.get(nodeID)!.begins > model.time
    const place = `${isWaiting ? "waiting" : "current"} ${subnetID} ${nodeID}`
    // Who came in this block leaves no trace.
    if (!scene.added.delete(place)) scene.removed.add(place)
  })
}

const validates: Action = (scene) => {
  const { model, random } = scene
  const nodeID = random.pick(nodes)
  const { start, end, begins, duration } = period(scene, 600)
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
  const code =
    weight < MIN_STAKE
      ? "rules.weight_too_small"
      : duration < MIN_DURATION
        ? "rules.stake_too_short"
        : model.validatorAt(nodeID)
          ? "rules.already_validator"
          : undefined
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

/** Mostly an open subnet, if there is one; sometimes any. */
function openSubnet(scene: Scene): [ID, ModelSubnet] | undefined {
  const open = [...scene.model.subnets].filter(([, { isOpen }]) => isOpen)
  return open.length > 0 && scene.random.below(6) > 0 ? scene.random.pick(open) : someSubnet(scene)
}

const validatesSubnet: Action = (scene) => {
  const { model, random } = scene
  const [subnetID, subnet] = openSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const nodeID = mostly(scene, validating(scene))
  const { start, end, begins, duration } = period(scene, 300)
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
  const code = !subnet.isOpen
    ? "rules.unknown_transformation"
    : weight < OPEN_STAKE
      ? "rules.weight_too_small"
      : weight > 3n * OPEN_STAKE
        ? "rules.weight_too_large"
        : duration < MIN_DURATION
          ? "rules.stake_too_short"
          : subnet.validators.has(nodeID) || model.validatorAt(nodeID, subnetID)
            ? "rules.already_validator"
            : !primary
              ? "rules.not_validator"
              : begins < primary.start || end > primary.end
                ? "rules.period_mismatch"
                : scene.removed.has(`${model.isDurango ? "current" : "waiting"} ${subnetID} ${nodeID}`) && !model.isHelicon
                  ? "state.staker_re_added"
                  : undefined
  return attempt("validate an open subnet", scene, wish, code, (tx) =>
    addStaker(model, tx, { subnetID, nodeID, isValidator: true, owner, weight, start: begins, end, shares, order: 4 }),
  )
}

const delegatesOnSubnet: Action = (scene) => {
  const { model, random } = scene
  const [subnetID, subnet] = openSubnet(scene) ?? []
  if (!subnetID || !subnet) return undefined
  const nodeID = mostly(
    scene,
    nodes.filter((each) => model.validatorAt(each, subnetID)),
  )
  const delegatee = model.validatorAt(nodeID, subnetID)
  const { start, end, begins, duration } = period(scene, 30)
  const weight = BigInt(random.pick([4, 5, 50, 200, 2_500]))
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
  // Whoever is left of the time before is not open to delegators; when that shows depends on its weight and period.
  if (!isClear || subnet.validators.has(nodeID)) return undefined
  const code = !subnet.isOpen
    ? "rules.unknown_transformation"
    : weight < 5n
      ? "rules.weight_too_small"
      : duration < MIN_DURATION
        ? "rules.stake_too_short"
        : !delegatee
          ? "rules.not_validator"
          : begins < delegatee.start || end > delegatee.end
            ? "rules.period_mismatch"
            : delegatee.weight + weight > limit
              ? "rules.over_delegated"
              : undefined
  return attempt("delegate on an open subnet", scene, wish, code, (tx) =>
    addStaker(model, tx, { subnetID, nodeID, isValidator: false, owner, weight, start: begins, end, shares: 0, order: 5 }),
  )
}

const delegates: Action = (scene) => {
  const { model, random } = scene
  const nodeID = mostly(scene, validating(scene))
  const delegatee = model.validatorAt(nodeID)
  const { start, end, begins, duration } = period(scene, 60)
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
  // Whether others will have left in time is not the model's to say: it only tries what is clear either way.
  const isClear = !delegatee || model.carriedBy(delegatee) + weight <= limit || delegatee.weight + weight > limit
  if (!isClear) return undefined
  const code =
    duration < MIN_DURATION
      ? "rules.stake_too_short"
      : !delegatee
        ? "rules.not_validator"
        : begins < delegatee.start || end > delegatee.end
          ? "rules.period_mismatch"
          : delegatee.weight + weight > limit
            ? "rules.over_delegated"
            : undefined
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

const exports: Action = (scene) => {
  const amount = BigInt(1 + scene.random.below(1_000_000))
  const wish: Wish = {
    payer: someone(scene),
    spends: amount,
    make: (base) => ({
      kind: "ExportTx",
      ...base,
      destinationChain: X_CHAIN,
      exportedOutputs: [outputTo(someone(scene), amount)],
    }),
  }
  return attempt("export", scene, wish, undefined)
}

const imports: Action = (scene) => {
  const { model, random } = scene
  if (model.waiting.size === 0) return undefined
  const coin = random.pick([...model.waiting.values()])
  const isThere = random.below(5) > 0
  const imported = isThere ? coin : { ...coin, outputIndex: coin.outputIndex + 1 }
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    imported: [imported],
    make: (base) => ({
      kind: "ImportTx",
      ...base,
      sourceChain: X_CHAIN,
      importedInputs: [
        {
          txID: imported.txID,
          outputIndex: imported.outputIndex,
          assetID: base.outputs[0]!.assetID,
          input: { kind: "TransferInput", amount: imported.amount, signatureIndices: [0] },
        },
      ],
    }),
  }
  return attempt("import", scene, wish, isThere ? undefined : "rules.not_waiting", () => model.waiting.delete(coin.txID))
}

/** What anyone may try on a chain of any time. */
export const commonActions: readonly Action[] = [
  pays,
  createsSubnet,
  handsSubnetOver,
  createsChain,
  addsSubnetValidator,
  addsSubnetValidator,
  removesSubnetValidator,
  validates,
  validates,
  delegates,
  delegates,
  opensSubnet,
  validatesSubnet,
  validatesSubnet,
  delegatesOnSubnet,
  delegatesOnSubnet,
  exports,
  imports,
]
