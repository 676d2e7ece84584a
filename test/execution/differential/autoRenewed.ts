import { hexToBytes } from "../../../src/core/lib/bytes.js"
import { floorSeconds } from "../../../src/core/lib/go/goDuration.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { acceptedTx, stakerInfoOf } from "../../../src/core/txs/execute.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import type { OutputOwners } from "../../../src/core/types/owners.js"
import { signTx } from "../../fixtures/keys.js"
import type { Random } from "../../fuzz/random.js"
import { compose, type Maker, type Scene } from "./compose.js"
import { keysAt, signersFor, someOwner } from "./spendable.js"
import { around, mostly, shares, stakeOf } from "./staking.js"
import { BLS_KEYS, nodes, signerOf } from "./world.js"

/** Restaked shares, in millionths: all, nothing, parts with a remainder, and too much. */
const autoCompound = (random: Random): number => random.pick([0, 1, 333_333, 400_000, 700_001, 999_999, 1_000_000, 1_000_001])

/** A cycle's length in seconds: mostly one that ends soon. */
function cycle({ random, rules }: Scene): bigint {
  const { heliconMinStakeNanoseconds, maxStakeDuration } = rules.params.staking
  const shortest = floorSeconds(heliconMinStakeNanoseconds)
  const soon = () => shortest + BigInt(random.below(250))
  return random.pick([shortest - 1n, shortest, shortest, soon(), soon(), soon(), soon(), maxStakeDuration, maxStakeDuration + 1n])
}

/** AddAutoRenewedValidatorTx. */
export const renews: Maker = (scene) => {
  const { random, rules, state, now } = scene
  const isFree = (nodeID: (typeof nodes)[number]) =>
    !state.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID })
  const nodeID = mostly(scene, nodes.filter(isFree), nodes)
  const { minValidatorStake, maxValidatorStake } = rules.params.staking
  const weight = random.pick([minValidatorStake, around(scene, minValidatorStake), around(scene, maxValidatorStake)])
  if (weight > 100_000n * NAVAX) return undefined
  const { stake, plan } = stakeOf(scene, rules.avaxAssetID, weight)
  const [validation, delegation, authority] = [someOwner(random, now), someOwner(random, now), someOwner(random, now)]
  return compose(scene, {
    ...plan,
    make: (base) => ({
      kind: "AddAutoRenewedValidatorTx",
      ...base,
      nodeID: hexToBytes(nodeID),
      signer: { kind: "ProofOfPossession", ...signerOf(1 + random.below(BLS_KEYS)) },
      stake,
      validationRewardsOwner: validation,
      delegationRewardsOwner: delegation,
      validatorAuthority: authority,
      delegationShares: shares(scene),
      autoCompoundRewardShares: autoCompound(random),
      period: cycle(scene),
    }),
  })
}

/** SetAutoRenewedValidatorConfigTx for an auto-renewed validator, seldom for one that has left or for another transaction. */
export const reconfigures: Maker = (scene) => {
  const { random, now } = scene
  const txID = mostly(scene, renewed(scene.state), someTxs(scene.state))
  const authority = authorityOf(scene.state, txID)
  const signatureIndices = (authority && signersFor(authority, now)) ?? [0]
  return compose(scene, {
    authorisedBy: authority ? keysAt(authority.addresses, signatureIndices).filter(Boolean) : [],
    make: (base) => ({
      kind: "SetAutoRenewedValidatorConfigTx",
      ...base,
      txID,
      auth: { kind: "Input", signatureIndices },
      autoCompoundRewardShares: autoCompound(random),
      period: random.below(4) === 0 ? 0n : cycle(scene),
    }),
  })
}

/** The transactions of the current auto-renewed validators. */
function renewed(state: View): ID[] {
  return [...state.rows(tables.renewals)].map(([key]) => state.get(tables.currentValidators, key)!.txID)
}

/** Some transactions of any kind, those of validators that have left among them. */
function someTxs(state: View): ID[] {
  return [...state.rows(tables.txs)].map(([txID]) => txID)
}

function authorityOf(state: View, txID: ID): OutputOwners | undefined {
  const tx = acceptedTx(state, txID)
  return tx && stakerInfoOf(tx.unsignedTx)?.authority
}

/** The transaction that decides on the reward of a staker at a time (Unix seconds). */
export function rewardOf(state: View, txID: ID, time: bigint): Tx {
  const isAutoRenewed = acceptedTx(state, txID)?.unsignedTx.kind === "AddAutoRenewedValidatorTx"
  return signTx(
    isAutoRenewed ? { kind: "RewardAutoRenewedValidatorTx", txID, timestamp: time } : { kind: "RewardValidatorTx", txID },
    [],
  )
}
