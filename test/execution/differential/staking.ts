import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import { isActive } from "../../../src/core/networks/upgrades.js"
import { isPermissioned, isValidator, type Staker } from "../../../src/core/state/staker.js"
import { tables } from "../../../src/core/state/tables.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { compareOutputs, innerOutput, type TransferableOutput } from "../../../src/core/types/output.js"
import { compose, type Maker, type Plan, type Scene } from "./compose.js"
import { outputOf, type Spendable, shuffled, someOwner, spendables } from "./spendable.js"
import { BLS_KEYS, COIN, nodes, signerOf } from "./world.js"

/** Returns mostly one of the first list, and sometimes one of the second. */
export function mostly<T>({ random }: Scene, some: readonly T[], any: readonly T[]): T {
  return some.length > 0 && random.below(8) > 0 ? random.pick(some) : random.pick(any)
}

/** A number near a bound: just below, at, just above, or well above it. */
export const around = ({ random }: Scene, bound: bigint): bigint =>
  random.pick([bound - 1n, bound, bound, bound + 1n, bound + BigInt(random.below(1_000)), bound * 2n])

export function stakersOf({ state }: Scene): Staker[] {
  return [...state.rows(tables.currentStakers), ...state.rows(tables.pendingStakers)].map(([, staker]) => staker)
}

const validatorsOn = (scene: Scene, subnetID: ID): Staker[] =>
  stakersOf(scene).filter((each) => each.subnetID === subnetID && isValidator(each.priority))

/** Returns the start and end of a stake in its transaction, inside the period of the staker that it depends on, or slightly outside. */
export function period(scene: Scene, inside?: Pick<Staker, "startTime" | "endTime">): { start: bigint; end: bigint } {
  const { random, rules, time } = scene
  const isDurango = isActive(rules.upgrades, "durango", time)
  const start = random.pick([time, time + 1n, time + 1n, time + BigInt(1 + random.below(40)), inside?.startTime ?? time + 2n])
  const begins = isDurango ? time : start
  const { minStakeDuration, maxStakeDuration } = rules.params.staking
  const ends = [
    begins + minStakeDuration - 1n,
    begins + minStakeDuration,
    begins + minStakeDuration + BigInt(random.below(400)),
    begins + minStakeDuration + BigInt(random.below(400)),
    begins + minStakeDuration + BigInt(random.below(400)),
    begins + maxStakeDuration,
    begins + maxStakeDuration + 1n,
    ...(inside ? [inside.endTime, inside.endTime, inside.endTime + 1n] : []),
  ]
  return { start: random.below(60) === 0 ? random.u64() : start, end: random.below(60) === 0 ? random.u64() : random.pick(ends) }
}

/** Stake of an amount in one to three outputs; for AVAX sometimes from locked outputs, which return locked. */
export function stakeOf(
  scene: Scene,
  assetID: ID,
  weight: bigint,
): { stake: TransferableOutput[]; plan: Pick<Plan, "spends" | "spendsCoins" | "takes"> } {
  const { random, now, rules } = scene
  if (assetID === rules.avaxAssetID && random.below(4) === 0) {
    const locked = spendables(scene.state, now, random).find((each) => each.locktime > 0n && each.amount <= weight)
    if (locked) return lockedStake(scene, locked, weight)
  }
  const count = BigInt(random.pick([1, 1, 1, 2, 3]))
  const amounts = weight > count ? [weight - count + 1n, ...Array.from({ length: Number(count) - 1 }, () => 1n)] : [weight]
  const stake = amounts.map((amount) => outputOf(random, now, assetID, amount)).sort(compareOutputs)
  return { stake, plan: assetID === COIN ? { spendsCoins: weight } : { spends: weight } }
}

function lockedStake(scene: Scene, locked: Spendable, weight: bigint): ReturnType<typeof stakeOf> {
  const assetID = locked.input.assetID
  const stake: TransferableOutput[] = [{ assetID, output: locked.owner }]
  const rest = weight - innerOutput(locked.owner).amount
  if (rest > 0n) stake.push(outputOf(scene.random, scene.now, assetID, rest))
  return { stake: stake.sort(compareOutputs), plan: { spends: rest, takes: [locked] } }
}

export const shares = ({ random }: Scene): number => random.pick([19_999, 20_000, 20_001, 300_000, 1_000_000, 1_000_001])

/** AddValidatorTx, and AddPermissionlessValidatorTx of the primary network. */
export const validates: Maker = (scene) => {
  const { random, rules } = scene
  const free = nodes.filter((nodeID) => !validatorsOn(scene, PRIMARY_NETWORK_ID).some((each) => each.nodeID === nodeID))
  const nodeID = mostly(scene, free, nodes)
  const { minValidatorStake, maxValidatorStake } = rules.params.staking
  const weight = random.pick([minValidatorStake, around(scene, minValidatorStake), around(scene, maxValidatorStake)])
  if (weight > 100_000n * NAVAX) return undefined
  const validator = { nodeID, ...period(scene), weight }
  const { stake, plan } = stakeOf(scene, rules.avaxAssetID, weight)
  const isOld = !isActive(rules.upgrades, "durango", scene.time) ? random.below(2) === 0 : random.below(20) === 0
  const [owner, other] = [someOwner(random, scene.now), someOwner(random, scene.now)]
  return compose(scene, {
    ...plan,
    make: (base) =>
      isOld
        ? { kind: "AddValidatorTx", ...base, validator, stake, rewardsOwner: owner, shares: shares(scene) }
        : {
            kind: "AddPermissionlessValidatorTx",
            ...base,
            validator,
            subnetID: PRIMARY_NETWORK_ID,
            signer: { kind: "ProofOfPossession", ...signerOf(1 + random.below(BLS_KEYS)) },
            stake,
            validationRewardsOwner: owner,
            delegationRewardsOwner: other,
            shares: shares(scene),
          },
  })
}

/** AddDelegatorTx, and AddPermissionlessDelegatorTx of the primary network. */
export const delegates: Maker = (scene) => {
  const { random, rules } = scene
  const validators = validatorsOn(scene, PRIMARY_NETWORK_ID)
  const delegatee = random.pick(validators)
  const { minDelegatorStake, maxValidatorStake } = rules.params.staking
  const room = [4n * delegatee.weight, maxValidatorStake - delegatee.weight].sort((a, b) => (a < b ? -1 : 1))[0]!
  const weight = random.pick([minDelegatorStake, around(scene, minDelegatorStake), around(scene, room), room / 2n])
  if (weight > 100_000n * NAVAX || weight <= 0n) return undefined
  const nodeID = random.below(15) === 0 ? random.pick(nodes) : delegatee.nodeID
  const validator = { nodeID, ...period(scene, delegatee), weight }
  const { stake, plan } = stakeOf(scene, rules.avaxAssetID, weight)
  const isOld = !isActive(rules.upgrades, "durango", scene.time) ? random.below(2) === 0 : random.below(20) === 0
  const rewardsOwner = someOwner(random, scene.now)
  return compose(scene, {
    ...plan,
    make: (base) =>
      isOld
        ? { kind: "AddDelegatorTx", ...base, validator, stake, rewardsOwner }
        : { kind: "AddPermissionlessDelegatorTx", ...base, validator, subnetID: PRIMARY_NETWORK_ID, stake, rewardsOwner },
  })
}

/** AddPermissionlessValidatorTx of an open subnet. */
export const validatesOpen: Maker = (scene) => {
  const { random, state } = scene
  const open = [...state.rows(tables.transformations)]
  if (open.length === 0) return undefined
  const [subnetID, limits] = random.pick(open)
  const primary = random.pick(validatorsOn(scene, PRIMARY_NETWORK_ID))
  const weight = random.pick([
    limits.minValidatorStake,
    around(scene, limits.minValidatorStake),
    around(scene, limits.maxValidatorStake),
  ])
  const { stake, plan } = stakeOf(scene, COIN, weight)
  const nodeID: NodeID = mostly(scene, [primary.nodeID], nodes)
  return compose(scene, {
    ...plan,
    make: (base) => ({
      kind: "AddPermissionlessValidatorTx",
      ...base,
      validator: { nodeID, ...period(scene, primary), weight },
      subnetID,
      signer: { kind: "EmptySigner" },
      stake,
      validationRewardsOwner: someOwner(random, scene.now),
      delegationRewardsOwner: someOwner(random, scene.now),
      shares: shares(scene),
    }),
  })
}

/** AddPermissionlessDelegatorTx of an open subnet, or of a permissioned one. */
export const delegatesOpen: Maker = (scene) => {
  const { random, state } = scene
  const validators = stakersOf(scene).filter(({ subnetID, priority }) => subnetID !== PRIMARY_NETWORK_ID && isValidator(priority))
  const delegatee = shuffled(validators, random).find(({ priority }) => !isPermissioned(priority) || random.below(3) === 0)
  if (!delegatee) return undefined
  const { subnetID, nodeID } = delegatee
  const limits = state.get(tables.transformations, subnetID)
  const bound = limits?.minDelegatorStake ?? 1n
  const room = limits ? limits.maxValidatorStake - delegatee.weight : 5n
  const weight = random.pick([bound, around(scene, bound), around(scene, room), room / 3n])
  if (weight <= 0n) return undefined
  const { stake, plan } = stakeOf(scene, COIN, weight)
  return compose(scene, {
    ...plan,
    make: (base) => ({
      kind: "AddPermissionlessDelegatorTx",
      ...base,
      validator: { nodeID, ...period(scene, delegatee), weight },
      subnetID,
      stake,
      rewardsOwner: someOwner(random, scene.now),
    }),
  })
}
