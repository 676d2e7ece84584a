import { isPermissioned, isValidator } from "../../../src/core/state/staker.js"
import { tables } from "../../../src/core/state/tables.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import type { OutputOwners } from "../../../src/core/types/owners.js"
import type { Key } from "../../fixtures/keys.js"
import { idOfByte } from "../../fixtures/txs.js"
import { compose, type Maker, type Plan, type Scene, type UnsignedDraft } from "./compose.js"
import { keysAt, signersFor, someOwner } from "./spendable.js"
import { around, mostly, period, stakersOf } from "./staking.js"
import { COIN, nodes } from "./world.js"

export interface Authorisation {
  readonly subnetAuthorization: { readonly kind: "Input"; readonly signatureIndices: readonly number[] }
  readonly authorisedBy: readonly Key[]
}

/** Returns the authorisation of an owner; `undefined` if the test keys cannot give it. */
export function authorised(
  { now }: Scene,
  owner: Pick<OutputOwners, "locktime" | "threshold" | "addresses">,
): Authorisation | undefined {
  const signatureIndices = signersFor(owner, now)
  if (!signatureIndices) return undefined
  return { subnetAuthorization: { kind: "Input", signatureIndices }, authorisedBy: keysAt(owner.addresses, signatureIndices) }
}

/** A subnet and the authorisation of its owner. */
export function someSubnet(scene: Scene): ({ readonly subnetID: ID } & Authorisation) | undefined {
  const { state, random } = scene
  const subnets = [...state.rows(tables.subnets)].map(([id]) => id)
  if (subnets.length === 0) return undefined
  const subnetID = random.pick(subnets)
  const owner = state.get(tables.subnetOwners, subnetID)
  const auth = owner && authorised(scene, owner)
  return auth && { subnetID, ...auth }
}

/** Transactions of a subnet's owner. */
function ofSubnet(scene: Scene, plan: (subnet: { readonly subnetID: ID } & Authorisation) => Plan): UnsignedDraft | undefined {
  const subnet = someSubnet(scene)
  return subnet && compose(scene, { authorisedBy: subnet.authorisedBy, ...plan(subnet) })
}

export const createsSubnet: Maker = (scene) => {
  if ([...scene.state.rows(tables.subnets)].length > 6) return undefined
  return compose(scene, { make: (base) => ({ kind: "CreateSubnetTx", ...base, owner: someOwner(scene.random, scene.now) }) })
}

export const createsChain: Maker = (scene) => {
  const { random } = scene
  return ofSubnet(scene, ({ subnetID, subnetAuthorization }) => ({
    make: (base) => ({
      kind: "CreateChainTx",
      ...base,
      subnetID,
      chainName: random.pick(["a", "", "Chain 7", "x".repeat(128)]),
      vmID: idOfByte(9),
      fxIDs: random.pick([[], [idOfByte(1)], [idOfByte(1), idOfByte(2)]]),
      genesisData: random.bytes(random.below(40)),
      subnetAuthorization,
    }),
  }))
}

export const handsOver: Maker = (scene) =>
  ofSubnet(scene, ({ subnetID, subnetAuthorization }) => ({
    make: (base) => ({
      kind: "TransferSubnetOwnershipTx",
      ...base,
      subnetID,
      subnetAuthorization,
      newOwner: someOwner(scene.random, scene.now),
    }),
  }))

export const opensSubnet: Maker = (scene) => {
  const { random } = scene
  if ([...scene.state.rows(tables.transformations)].length > 2) return undefined
  const initialSupply = BigInt(10_000 + random.below(100_000))
  const pool = BigInt(random.below(100_000))
  const minValidatorStake = BigInt(1 + random.below(1_000))
  return ofSubnet(scene, ({ subnetID, subnetAuthorization }) => ({
    spendsCoins: pool,
    make: (base) => ({
      kind: "TransformSubnetTx",
      ...base,
      subnetID,
      assetID: COIN,
      initialSupply,
      maximumSupply: initialSupply + pool,
      minConsumptionRate: BigInt(random.pick([0, 100_000, 900_000])),
      maxConsumptionRate: BigInt(random.pick([900_000, 1_000_000])),
      minValidatorStake,
      maxValidatorStake: minValidatorStake * BigInt(random.pick([1, 2, 6])),
      minStakeDuration: random.pick([1, 60, 100]),
      maxStakeDuration: random.pick([100, 1_000, 31_536_000]),
      minDelegationFee: random.pick([0, 20_000]),
      minDelegatorStake: BigInt(random.pick([1, 5])),
      maxValidatorWeightFactor: random.pick([1, 3, 255]),
      uptimeRequirement: random.pick([0, 800_000, 1_000_000]),
      subnetAuthorization,
    }),
  }))
}

export const addsSubnetValidator: Maker = (scene) => {
  const { random } = scene
  const primary = random.pick(
    stakersOf(scene).filter((each) => each.subnetID === PRIMARY_NETWORK_ID && isValidator(each.priority)),
  )
  const nodeID = mostly(scene, [primary.nodeID], nodes)
  const weight = random.pick([1n, 7n, 2n ** 63n, 2n ** 64n - 1n, around(scene, 100n)])
  return ofSubnet(scene, ({ subnetID, subnetAuthorization }) => ({
    make: (base) => ({
      kind: "AddSubnetValidatorTx",
      ...base,
      validator: { nodeID, ...period(scene, primary), weight, subnetID },
      subnetAuthorization,
    }),
  }))
}

export const removesSubnetValidator: Maker = (scene) => {
  const { random, state } = scene
  const there = stakersOf(scene).filter((each) => each.subnetID !== PRIMARY_NETWORK_ID && isValidator(each.priority))
  const chosen = there.filter(({ priority }) => isPermissioned(priority) || random.below(4) === 0)
  if (chosen.length === 0) return undefined
  const { subnetID, nodeID } = random.pick(chosen)
  const owner = state.get(tables.subnetOwners, subnetID)
  const auth = owner && authorised(scene, owner)
  if (!auth) return undefined
  const { subnetAuthorization, authorisedBy } = auth
  return compose(scene, {
    authorisedBy,
    make: (base) => ({ kind: "RemoveSubnetValidatorTx", ...base, nodeID, subnetID, subnetAuthorization }),
  })
}
