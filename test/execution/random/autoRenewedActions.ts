import { hexToBytes } from "../../../src/core/lib/bytes.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { ownerOf, possessionOf } from "../../fixtures/keys.js"
import { idOfNumber } from "../../fixtures/state.js"
import { type Action, attempt, auth, firstBroken, HELICON_MIN_DURATION, nodes, type Scene, someone } from "./attempt.js"
import { outputTo, type Wish } from "./draft.js"
import { MIN_STAKE } from "./stakingActions.js"

/** The length of a cycle in seconds, sometimes too short. */
const cycle = ({ random }: Scene): bigint =>
  random.below(8) === 0 ? HELICON_MIN_DURATION - 1n : HELICON_MIN_DURATION + BigInt(random.below(120))

const autoCompound = ({ random }: Scene): number => random.pick([0, 1, 333_333, 700_001, 1_000_000])

export const renews: Action = (scene) => {
  const { model, random } = scene
  const nodeID = random.pick(nodes)
  const period = cycle(scene)
  const weight = random.below(10) === 0 ? MIN_STAKE - 1n : MIN_STAKE + BigInt(random.below(1_000)) * NAVAX
  const [payer, owner, authority] = [someone(scene), someone(scene), someone(scene)]
  const shares = 20_000 + random.below(900_000)
  const autoCompoundRewardShares = autoCompound(scene)
  const signer = { kind: "ProofOfPossession" as const, ...possessionOf(1 + random.below(4)) }
  const wish: Wish = {
    payer,
    spends: weight,
    make: (base) => ({
      kind: "AddAutoRenewedValidatorTx",
      ...base,
      nodeID: hexToBytes(nodeID),
      signer,
      stake: [outputTo(owner, weight)],
      validationRewardsOwner: ownerOf(owner),
      delegationRewardsOwner: ownerOf(owner),
      validatorAuthority: ownerOf(authority),
      delegationShares: shares,
      autoCompoundRewardShares,
      period,
    }),
  }
  const code = firstBroken(
    [!model.isHelicon, "tx.not_yet_allowed"],
    [weight < MIN_STAKE, "rules.weight_too_small"],
    [period < HELICON_MIN_DURATION, "rules.stake_too_short"],
    [model.validatorAt(nodeID) !== undefined, "rules.already_validator"],
  )
  return attempt("validate in cycles", scene, wish, code, ({ id: txID, unsignedTx }) =>
    model.begin({
      txID,
      subnetID: PRIMARY_NETWORK_ID,
      nodeID,
      isValidator: true,
      owner,
      weight,
      start: model.time,
      end: model.time + period,
      outputs: "outputs" in unsignedTx ? unsignedTx.outputs.length : 0,
      shares,
      order: 2,
      potentialReward: undefined,
      renewal: {
        authority,
        stake: weight,
        accruedValidation: 0n,
        accruedDelegatee: 0n,
        shares: autoCompoundRewardShares,
        period,
      },
    }),
  )
}

export const reconfigures: Action = (scene) => {
  const { model, random } = scene
  const renewed = [...model.stakers.values()].filter(({ renewal }) => renewal)
  const known: readonly ID[] = [...model.stakers.keys()]
  const txID = random.below(6) === 0 ? random.pick([...known, idOfNumber(7)]) : random.pick(renewed)?.txID
  if (txID === undefined) return undefined
  const staker = model.stakers.get(txID)
  const actor = random.below(5) > 0 ? (staker?.renewal?.authority ?? someone(scene)) : someone(scene)
  const period = random.below(4) === 0 ? 0n : cycle(scene)
  const shares = autoCompound(scene)
  const wish: Wish = {
    payer: someone(scene),
    spends: 0n,
    authorisedBy: actor,
    make: (base) => ({ kind: "SetAutoRenewedValidatorConfigTx", ...base, txID, auth, autoCompoundRewardShares: shares, period }),
  }
  const code = firstBroken(
    [!model.isHelicon, "tx.not_yet_allowed"],
    [txID === idOfNumber(7), "tx.unknown_staker_tx"],
    [!staker?.renewal, "tx.invalid_staker_tx_type"],
    [period > 0n && period < HELICON_MIN_DURATION, "rules.stake_too_short"],
    [actor !== staker?.renewal?.authority, "rules.unauthorized"],
  )
  return attempt("reconfigure cycles", scene, wish, code, () => {
    const { renewal, ...rest } = model.stakers.get(txID)!
    model.stakers.set(txID, { ...rest, renewal: { ...renewal!, shares, period } })
  })
}
