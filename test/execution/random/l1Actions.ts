import { hexToBytes, toHex } from "../../../src/core/lib/bytes.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import type { Tx } from "../../../src/core/txs/tx.js"
import type { ID, NodeID } from "../../../src/core/types/id.js"
import { initialValidationIDOf, type RegisterL1Validator, registrationIDOf } from "../../../src/core/types/warp/pChainMessage.js"
import { blsKeyOf, type Key } from "../../fixtures/keys.js"
import { AVAX } from "../../fixtures/txs.js"
import type { Random } from "../../fuzz/random.js"
import { type Action, type Attempt, attempt, auth, firstBroken, nodes, people, type Scene } from "./attempt.js"
import type { Wish } from "./draft.js"
import type { Model } from "./model.js"
import type { ModelL1Validator } from "./modelRows.js"
import { KEYS, MANAGER, managerOf, type Tip, warp } from "./warp.js"

const ownedBy = ({ address }: Key) => ({ threshold: 1, addresses: [address] })

/** A balance in nAVAX: zero, almost zero, enough for some seconds, or much. */
const someBalance = (random: Random): bigint =>
  random.pick([0n, 1n, BigInt(1 + random.below(800)), BigInt(1 + random.below(800)), NAVAX, NAVAX])

export const converts: Action = (scene) => {
  const { model, random } = scene
  if (!model.isEtna || model.subnets.size === 0) return undefined
  const [subnetID, subnet] = random.pick([...model.subnets])
  // Mostly a subnet with a chain, which can be the manager after the conversion.
  if (!subnet.chainID && random.below(4) > 0) return undefined
  const first = random.below(nodes.length - 1)
  const chosen = nodes.slice(first, first + 1 + random.below(2))
  const validators = chosen.map((nodeID) => ({
    nodeID,
    weight: BigInt(1 + random.below(50)),
    balance: someBalance(random),
    key: 1 + random.below(KEYS),
    owner: random.pick(people),
  }))
  const wish: Wish = {
    payer: random.pick(people),
    spends: validators.reduce((total, { balance }) => total + balance, 0n),
    authorisedBy: subnet.owner,
    make: (base) => ({
      kind: "ConvertSubnetToL1Tx",
      ...base,
      subnetID,
      chainID: managerOf(model, subnetID),
      address: MANAGER,
      validators: validators.map(({ nodeID, weight, balance, key, owner }) => ({
        nodeID: hexToBytes(nodeID),
        weight,
        balance,
        signer: { publicKey: blsKeyOf(key).publicKey, proofOfPossession: blsKeyOf(key).proofOfPossession },
        remainingBalanceOwner: ownedBy(owner),
        deactivationOwner: ownedBy(owner),
      })),
      subnetAuthorization: auth,
    }),
  }
  // A pending permissioned validator would be a second entry of its node after the conversion, which the model does not cover.
  if (chosen.some((nodeID) => (subnet.validators.get(nodeID)?.begins ?? 0n) > model.time)) return undefined
  const conflicts = chosen.some((nodeID) => subnet.validators.has(nodeID))
  const code = firstBroken([subnet.isL1 || subnet.isOpen, "rules.subnet_immutable"], [conflicts, "state.l1_validator_conflict"])
  return attempt("convert", scene, wish, code, () => {
    model.subnets.set(subnetID, { ...subnet, isL1: true })
    for (const [i, { nodeID, weight, balance, key, owner }] of validators.entries()) {
      const endAccumulatedFee = balance === 0n ? 0n : model.accruedFees + balance
      model.l1Validators.set(initialValidationIDOf(subnetID, i), {
        subnetID,
        nodeID,
        key,
        owner,
        weight,
        minNonce: 0n,
        endAccumulatedFee,
      })
    }
  })
}

/** Actions that remember earlier messages, signed by the validator sets of the tip. */
export function l1Actions(tipOf: () => Tip): readonly Action[] {
  const earlier: { message: RegisterL1Validator; key: number; owner: Key }[] = []

  const registers: Action = (scene) => {
    const { model, random } = scene
    const l1s = [...model.subnets].filter(([, { isL1 }]) => isL1)
    if (l1s.length === 0) return undefined
    // A chain that was reverted may not have the L1 of an earlier message.
    const known = earlier.filter(({ message }) => model.subnets.get(message.subnetID)?.isL1)
    const again = known.length > 0 && random.below(4) === 0
    const registration = again ? random.pick(known) : newRegistration(scene, random.pick(l1s)[0])
    if (!again) earlier.push(registration)
    return registering(scene, registration, someBalance(random), tipOf())
  }

  const reweighs: Action = (scene) => {
    const { model, random } = scene
    const chosen = someValidator(model, random)
    if (!chosen) return undefined
    const [validationID, validator] = chosen
    const nonce = validator.minNonce + BigInt(random.below(3)) - (validator.minNonce > 0n && random.below(4) === 0 ? 1n : 0n)
    const weight = random.below(4) === 0 ? 0n : BigInt(1 + random.below(60))
    const { raw, code: warpCode } = warp(
      model,
      validator.subnetID,
      { kind: "L1ValidatorWeight", validationID, nonce, weight },
      tipOf(),
    )
    const wish: Wish = {
      payer: random.pick(people),
      spends: 0n,
      make: (base) => ({ kind: "SetL1ValidatorWeightTx", ...base, message: raw }),
    }
    const others = [...model.l1Validators].some(([id, { subnetID }]) => id !== validationID && subnetID === validator.subnetID)
    const broken = firstBroken([nonce < validator.minNonce, "tx.stale_nonce"], [weight === 0n && !others, "tx.last_l1_validator"])
    const code = warpCode ?? broken
    return attempt("reweigh", scene, wish, code, (tx) => {
      if (weight > 0n) {
        model.l1Validators.set(validationID, { ...validator, weight, minNonce: nonce + 1n })
        return
      }
      refund(model, tx, validator)
      model.l1Validators.delete(validationID)
      model.facts.push({ kind: "left", ...{ subnetID: validator.subnetID, nodeID: validator.nodeID }, reason: "removed" })
    })
  }

  return [converts, registers, registers, reweighs, reweighs, topsUp, topsUp, disables]
}

/** Registers a validator with this balance by a message of its L1. */
export function registering(
  scene: Scene,
  registration: ReturnType<typeof newRegistration>,
  balance: bigint,
  tip: Tip,
): Attempt | undefined {
  const { model, random } = scene
  const { message, key, owner } = registration
  const validationID = registrationIDOf(message)
  const { raw, code: warpCode } = warp(model, message.subnetID, message, tip)
  const wish: Wish = {
    payer: random.pick(people),
    spends: balance,
    make: (base) => ({
      kind: "RegisterL1ValidatorTx",
      ...base,
      balance,
      proofOfPossession: blsKeyOf(key).proofOfPossession,
      message: raw,
    }),
  }
  const nodeID = toHex(message.nodeID) as NodeID
  const code = warpCode ?? registrationCode(model, message, validationID, nodeID)
  return attempt("register", scene, wish, code, () => {
    model.usedRegistrations.add(validationID)
    const endAccumulatedFee = balance === 0n ? 0n : model.accruedFees + balance
    const { subnetID, weight } = message
    model.l1Validators.set(validationID, { subnetID, nodeID, key, owner, weight, minNonce: 0n, endAccumulatedFee })
  })
}

export function newRegistration({ model, random }: Scene, subnetID: ID) {
  const key = 1 + random.below(KEYS)
  const owner = random.pick(people)
  const message: RegisterL1Validator = {
    kind: "RegisterL1Validator",
    subnetID,
    nodeID: hexToBytes(random.pick(nodes)),
    blsPublicKey: blsKeyOf(key).publicKey,
    expiry: model.time + BigInt(random.below(100)),
    remainingBalanceOwner: ownedBy(owner),
    disableOwner: ownedBy(owner),
    weight: BigInt(1 + random.below(40)),
  }
  return { message, key, owner }
}

function registrationCode(
  model: Model,
  { subnetID, expiry }: RegisterL1Validator,
  validationID: ID,
  nodeID: NodeID,
): string | undefined {
  const isThere = [...model.l1Validators.values()].some((each) => each.subnetID === subnetID && each.nodeID === nodeID)
  return firstBroken(
    [expiry <= model.time, "tx.registration_expired"],
    [model.usedRegistrations.has(validationID), "tx.registration_used"],
    [model.subnets.get(subnetID)!.validators.has(nodeID), "state.l1_validator_conflict"],
    [isThere, "state.l1_validator_duplicate"],
  )
}

function someValidator(model: Model, random: Random): [ID, ModelL1Validator] | undefined {
  return model.l1Validators.size === 0 ? undefined : random.pick([...model.l1Validators])
}

/** Returns any validator, and often one whose balance this block has used up. */
function toTopUp(model: Model, random: Random): [ID, ModelL1Validator] | undefined {
  const dry = model.facts.flatMap((fact) => (fact.kind === "ranOut" ? fact.validationID : []))
  const validationID = dry.length > 0 && random.below(2) === 0 ? random.pick(dry) : undefined
  const validator = validationID && model.l1Validators.get(validationID)
  return validationID && validator ? [validationID, validator] : someValidator(model, random)
}

export const topsUp: Action = (scene) => {
  const { model, random } = scene
  const [validationID] = toTopUp(model, random) ?? []
  return validationID && toppingUp(scene, validationID, someBalance(random))
}

/** Adds this balance to that of an L1 validator. */
export function toppingUp(scene: Scene, validationID: ID, balance: bigint): Attempt | undefined {
  const { model, random } = scene
  const validator = model.l1Validators.get(validationID)!
  const wish: Wish = {
    payer: random.pick(people),
    spends: balance,
    make: (base) => ({ kind: "IncreaseL1ValidatorBalanceTx", ...base, validationID, balance }),
  }
  return attempt("top up", scene, wish, balance === 0n ? "tx.zero_balance" : undefined, () => {
    const paidUpTo = validator.endAccumulatedFee === 0n ? model.accruedFees : validator.endAccumulatedFee
    model.l1Validators.set(validationID, { ...validator, endAccumulatedFee: paidUpTo + balance })
  })
}

const disables: Action = (scene): Attempt | undefined => {
  const { model, random } = scene
  const [validationID, validator] = someValidator(model, random) ?? []
  if (!validationID || !validator) return undefined
  const actor = random.below(3) === 0 ? random.pick(people) : validator.owner
  const wish: Wish = {
    payer: random.pick(people),
    spends: 0n,
    authorisedBy: actor,
    make: (base) => ({ kind: "DisableL1ValidatorTx", ...base, validationID, disableAuthorization: auth }),
  }
  const code = actor === validator.owner ? undefined : "rules.unauthorized"
  return attempt("disable", scene, wish, code, (tx) => {
    refund(model, tx, validator)
    model.l1Validators.set(validationID, { ...validator, endAccumulatedFee: 0n })
  })
}

/** Adds the rest of a balance to the model. It becomes a UTXO with the index after the outputs. */
function refund(model: Model, { id, unsignedTx }: Tx, { owner, endAccumulatedFee }: ModelL1Validator): void {
  if (endAccumulatedFee === 0n || !("outputs" in unsignedTx)) return
  model.add({
    assetID: AVAX,
    txID: id,
    outputIndex: unsignedTx.outputs.length,
    owner,
    amount: endAccumulatedFee - model.accruedFees,
  })
}
