import { type Block, txsOf } from "../../../src/core/blocks/block.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import { createdL1Validators } from "../../../src/core/readmodel/creations.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import type { ID } from "../../../src/core/types/id.js"
import { type Action, type Attempt, MIN_DURATION } from "./attempt.js"
import { converts, newRegistration, registering, toppingUp } from "./l1Actions.js"
import type { ModelFact } from "./modelRows.js"
import type { RandomChain } from "./randomChain.js"
import { delegatesOnSubnet, OPEN_STAKE, validatesSubnet } from "./stakingActions.js"
import { addsSubnetValidator, createsChain, createsSubnet, isImmutable, opensSubnet } from "./subnetActions.js"

/** The shapes of blocks in which something happens beyond the transactions, beside a transaction about the same. */
export const blockShapes = [
  "a permissioned validator returns in the block of its end",
  "the last seconds of an L1 validator are topped up in the block of a sweep",
  "an L1 validator that ran out is topped up in the same block",
  "an L1 validator is registered and swept in one block",
  "a validator without a reward of its own is paid its delegators' fee",
] as const
export type BlockShape = (typeof blockShapes)[number]

/** What is known of a block besides itself: its facts by the model, and the L1 validators that were active before it. */
export interface Happened {
  readonly facts: readonly ModelFact[]
  readonly active: ReadonlySet<ID>
}

type Fact<K extends ModelFact["kind"]> = Extract<ModelFact, { readonly kind: K }>
const factsOf = <K extends ModelFact["kind"]>(facts: readonly ModelFact[], kind: K) =>
  facts.filter((fact): fact is Fact<K> => fact.kind === kind)

/** Returns the shapes of a block. */
export function shapesOf(block: Block, { facts, active }: Happened): readonly BlockShape[] {
  const txs = txsOf(block).map(({ unsignedTx }) => unsignedTx)
  const left = factsOf(facts, "left")
  const dry = factsOf(facts, "ranOut")
  const paid = factsOf(facts, "rewarded").map(({ rewardKind }) => rewardKind)
  const swept = new Set(dry.flatMap(({ validationID, isBeforeTxs }) => (isBeforeTxs ? [] : validationID)))
  const ranOut = new Set(dry.flatMap(({ validationID, isBeforeTxs }) => (isBeforeTxs ? validationID : [])))
  const has = (isIt: (tx: UnsignedTx) => boolean) => txs.some(isIt)
  const toppedUp = (isIt: (validationID: ID) => boolean) =>
    has((tx) => tx.kind === "IncreaseL1ValidatorBalanceTx" && active.has(tx.validationID) && isIt(tx.validationID))
  const found: Readonly<Record<BlockShape, boolean>> = {
    "a permissioned validator returns in the block of its end": has((tx) => returns(tx, left)),
    "the last seconds of an L1 validator are topped up in the block of a sweep": toppedUp(
      (id) => swept.has(id) && !ranOut.has(id),
    ),
    "an L1 validator that ran out is topped up in the same block": toppedUp((id) => ranOut.has(id)),
    "an L1 validator is registered and swept in one block": has((tx) =>
      createdL1Validators(tx).some(({ validationID }) => tx.kind === "RegisterL1ValidatorTx" && swept.has(validationID)),
    ),
    "a validator without a reward of its own is paid its delegators' fee":
      left.some(({ reason }) => reason === "rewarded") && paid.includes("delegationFee") && !paid.includes("validation"),
  }
  return blockShapes.filter((shape) => found[shape])
}

const returns = (tx: UnsignedTx, left: readonly Fact<"left">[]): boolean =>
  tx.kind === "AddSubnetValidatorTx" &&
  left.some(
    ({ reason, subnetID, nodeID }) =>
      reason === "expired" && tx.validator.subnetID === subnetID && tx.validator.nodeID === nodeID,
  )

/** The number of random attempts among which a wanted one is sought. */
const SOUGHT = 60

/** Tries an action until it makes a valid attempt of this kind that is wanted. */
const wanted =
  <K extends UnsignedTx["kind"]>(action: Action, kind: K, isWanted: (tx: Extract<UnsignedTx, { kind: K }>) => boolean): Action =>
  (scene) => {
    for (let i = 0; i < SOUGHT; i++) {
      const tried = action(scene)
      if (!tried) continue
      const { tx } = tried.draft
      if (tried.code === undefined && tx.kind === kind && isWanted(tx as Extract<UnsignedTx, { kind: K }>)) return tried
    }
    return undefined
  }

/** Makes the first of these attempts that is possible. */
const firstOf =
  (...actions: readonly Action[]): Action =>
  (scene) => {
    let made: Attempt | undefined
    for (const action of actions) made ??= action(scene)
    return made
  }

const always = () => true
const anySubnet = wanted(createsSubnet, "CreateSubnetTx", always)

/** A validator of an open subnet whose own reward is zero, and a delegator whose whole reward is the validator's fee. */
const SMALL = { least: MIN_DURATION + 15n, most: MIN_DURATION + 44n, delegated: 2n * OPEN_STAKE }

const delegatesToSmall: Action = (scene) => {
  const small = [...scene.model.stakers.values()].filter(
    ({ subnetID, isValidator, weight, potentialReward, start, end }) =>
      scene.model.subnets.has(subnetID) &&
      isValidator &&
      weight === OPEN_STAKE &&
      potentialReward !== 1n &&
      end - start <= SMALL.most,
  )
  const isSmall = ({ validator, subnetID }: { validator: { nodeID: string; weight: bigint }; subnetID: ID }) =>
    validator.weight === SMALL.delegated && small.some((each) => each.subnetID === subnetID && each.nodeID === validator.nodeID)
  if (small.length === 0) return undefined
  return wanted(delegatesOnSubnet, "AddPermissionlessDelegatorTx", isSmall)(scene)
}

const validatesSmall = wanted(validatesSubnet, "AddPermissionlessValidatorTx", ({ validator: { weight, start, end } }) => {
  const duration = end - start
  return weight === OPEN_STAKE && duration >= SMALL.least && duration <= SMALL.most
})

/** Registers a validator with this balance; before, it makes an L1 whose validators can sign. */
const registers =
  (balance: bigint, { tip }: Pick<RandomChain, "tip">): Action =>
  (scene) => {
    const { model, random } = scene
    if (!model.isEtna) return undefined
    const l1s = [...model.subnets].flatMap(([subnetID, { isL1, chainID }]) => (isL1 && chainID ? subnetID : []))
    for (let i = 0; i < 4 && l1s.length > 0; i++) {
      const made = registering(scene, newRegistration(scene, random.pick(l1s)), balance, tip)
      if (made && made.code === undefined) return made
    }
    const silent = [...model.l1Validators].filter(
      ([, { subnetID, endAccumulatedFee }]) => l1s.includes(subnetID) && endAccumulatedFee === 0n,
    )
    if (silent.length > 0) return toppingUp(scene, random.pick(silent)[0], NAVAX)
    const isManaged = ({ subnetID }: { subnetID: ID }) => model.subnets.get(subnetID)!.chainID !== undefined
    return firstOf(
      wanted(converts, "ConvertSubnetToL1Tx", (tx) => isManaged(tx) && tx.validators.every(({ balance }) => balance === NAVAX)),
      wanted(createsChain, "CreateChainTx", always),
      anySubnet,
    )(scene)
  }

/** Returns the attempt that leads to a shape from the present state of a chain. */
export function leadsTo(shape: BlockShape, chain: RandomChain): Action {
  const swept = registers(1n, chain)
  // It pays for the next second, and then this share of a second is left.
  const activates =
    (share: bigint): Action =>
    (scene) => {
      const { model, random } = scene
      const inactive = [...model.l1Validators].filter(([, { endAccumulatedFee }]) => endAccumulatedFee === 0n)
      const fee = model.nextFee(1n)
      return inactive.length === 0 ? swept(scene) : toppingUp(scene, random.pick(inactive)[0], fee + (fee * share) / 4n)
    }
  switch (shape) {
    case "a permissioned validator returns in the block of its end":
      return (scene) => {
        if (!scene.model.isHelicon) return undefined
        const left = factsOf(scene.model.facts, "left")
        const isThere = [...scene.model.subnets.values()].some((each) => !isImmutable(each) && each.validators.size > 0)
        if (left.length > 0) return wanted(addsSubnetValidator, "AddSubnetValidatorTx", (tx) => returns(tx, left))(scene)
        return isThere ? undefined : firstOf(wanted(addsSubnetValidator, "AddSubnetValidatorTx", always), anySubnet)(scene)
      }
    case "the last seconds of an L1 validator are topped up in the block of a sweep":
      return (scene) => {
        const { active, accruedFees } = scene.model
        const next = accruedFees + scene.model.nextFee()
        const [last] = active.filter(([, { endAccumulatedFee }]) => endAccumulatedFee + 1n < next)
        return last ? toppingUp(scene, last[0], 1n) : activates(1n)(scene)
      }
    case "an L1 validator that ran out is topped up in the same block":
      return (scene) => {
        const [dry] = factsOf(scene.model.facts, "ranOut")
        return dry ? toppingUp(scene, dry.validationID, 5n) : activates(0n)(scene)
      }
    case "an L1 validator is registered and swept in one block":
      return swept
    case "a validator without a reward of its own is paid its delegators' fee":
      return firstOf(delegatesToSmall, validatesSmall, wanted(opensSubnet, "TransformSubnetTx", always), anySubnet)
  }
}
