import { encode } from "../../../src/core/codec/decode.js"
import { hexToBytes, toHex } from "../../../src/core/lib/bytes.js"
import { MAX64 } from "../../../src/core/lib/math64.js"
import { AVAX as NAVAX } from "../../../src/core/networks/params.js"
import { requireSubnetOfChain } from "../../../src/core/rules/subnets.js"
import { canonicalSet, validatorSetAt } from "../../../src/core/rules/validatorSet.js"
import { tables } from "../../../src/core/state/tables.js"
import { type ID, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import type { PChainOwner } from "../../../src/core/types/owners.js"
import { bitSetOf } from "../../../src/core/types/warp/bitSet.js"
import { signedMessage, unsignedMessageBytes } from "../../../src/core/types/warp/message.js"
import { encodePayload } from "../../../src/core/types/warp/payload.js"
import { encodePChainMessage, type PChainMessage, type RegisterL1Validator } from "../../../src/core/types/warp/pChainMessage.js"
import { bls } from "../../../src/platform/backends.js"
import { blsKeyOf } from "../../fixtures/keys.js"
import { idOfByte } from "../../fixtures/txs.js"
import type { Random } from "../../fuzz/random.js"
import { secretOf } from "../secrets.js"
import { compose, type Maker, type Scene } from "./compose.js"
import { shuffled, someOwner } from "./spendable.js"
import { authorised, someSubnet } from "./subnets.js"
import { BLS_KEYS, NETWORK, nodes, signerOf } from "./world.js"

const l1Owner = (scene: Scene): PChainOwner => {
  const { threshold, addresses } = someOwner(scene.random, scene.now)
  return { threshold, addresses }
}

/** A balance in nAVAX: zero, almost zero, enough for some seconds, or much. */
const someBalance = (random: Random): bigint =>
  random.pick([0n, 1n, 512n, BigInt(1 + random.below(3_000)), BigInt(1 + random.below(60_000)), NAVAX, NAVAX, NAVAX, NAVAX])

const someWeight = (random: Random): bigint =>
  random.below(20) === 0 ? 2n ** 63n : random.pick([1n, 3n, BigInt(1 + random.below(50)), BigInt(1 + random.below(50))])

export const converts: Maker = (scene) => {
  const { random, state, world } = scene
  const subnet = someSubnet(scene)
  if (!subnet) return undefined
  const { subnetID, subnetAuthorization, authorisedBy } = subnet
  const own = [...state.rows(tables.chains)].filter(([, each]) => each.subnetID === subnetID).map(([id]) => id)
  const chainID =
    own.length > 0 && random.below(5) > 0 ? random.pick(own) : random.pick([world.cChainID, world.cChainID, P_CHAIN_ID])
  // Those that validate the subnet before this block may have left it in the block, and then they can become its L1 validators.
  const validating = nodes.filter((nodeID) => world.store.latest.get(tables.currentValidators, { subnetID, nodeID }))
  const chosen = shuffled(validating.length > 0 && random.below(2) === 0 ? validating : nodes, random)
    .slice(0, 1 + random.below(3))
    .sort()
  const validators = chosen.map((nodeID) => ({
    nodeID: hexToBytes(nodeID),
    weight: someWeight(random),
    balance: someBalance(random),
    signer: signerOf(1 + random.below(BLS_KEYS)),
    remainingBalanceOwner: l1Owner(scene),
    deactivationOwner: l1Owner(scene),
  }))
  return compose(scene, {
    authorisedBy,
    spends: validators.reduce((total, { balance }) => total + balance, 0n),
    make: (base) => ({
      kind: "ConvertSubnetToL1Tx",
      ...base,
      subnetID,
      chainID,
      address: random.bytes(random.pick([0, 1, 20, 20, 20, 4_096, 4_097])),
      validators,
      subnetAuthorization,
    }),
  })
}

/** A message of an L1's manager, signed by enough of those who sign for its chain, or by too few. */
function warp(scene: Scene, l1: ID, message: PChainMessage): Uint8Array | undefined {
  const { random, world, state } = scene
  const manager = state.get(tables.conversions, l1)
  if (!manager) return undefined
  const latest = world.store.latest
  const height = world.chain.lastAccepted.height
  let signers: ReturnType<typeof canonicalSet>["signers"]
  try {
    signers = canonicalSet(validatorSetAt(latest, requireSubnetOfChain(latest, manager.chainID), height)).signers
  } catch {
    signers = []
  }
  const places = [...signers.keys()].filter(() => random.below(25) > 0)
  const payload =
    random.below(40) === 0
      ? encodePayload({ kind: "Hash", hash: l1 })
      : encodePayload({
          kind: "AddressedCall",
          sourceAddress: random.below(25) === 0 ? random.bytes(random.pick([20, 25_000])) : manager.address,
          payload: encodePChainMessage(message),
        })
  const unsigned = {
    networkID: random.below(40) === 0 ? 1 : NETWORK,
    sourceChainID: random.below(30) === 0 ? random.pick([world.xChainID, l1, P_CHAIN_ID]) : manager.chainID,
    payload,
  }
  const bytes = unsignedMessageBytes(unsigned)
  const secrets = places.map((i) => secretOf(signers[i]!.publicKey, BLS_KEYS))
  if (secrets.length === 0) secrets.push(blsKeyOf(1).secret)
  let signature = bls().aggregateSignatures(secrets.map((secret) => bls().sign(secret, bytes)))
  if (random.below(30) === 0) signature = random.pick([spoiled(signature, random), infinity])
  const named = random.below(30) === 0 ? [...places, signers.length + random.below(9)] : places
  const set = random.below(40) === 0 ? Uint8Array.of(0, ...bitSetOf(named)) : bitSetOf(named)
  return encode(signedMessage, { ...unsigned, signature: { kind: "BitSetSignature", signers: set, signature } })
}

const infinity = Uint8Array.of(0xc0, ...new Uint8Array(95))

function spoiled(bytes: Uint8Array, random: Random): Uint8Array {
  const out = bytes.slice()
  out[random.below(out.length)]! ^= 1 << random.below(8)
  return out
}

const l1sOf = ({ state }: Scene): ID[] => [...state.rows(tables.conversions)].map(([id]) => id)
const validatorsOf = ({ state }: Scene) => [...state.rows(tables.l1Validators)]

/** A registration with one fault, or another kind of message. */
function wrongMessage({ random, state }: Scene, message: RegisterL1Validator): PChainMessage {
  const subnets = [...state.rows(tables.subnets)].map(([id]) => id)
  const wrong = { threshold: 2, addresses: message.remainingBalanceOwner.addresses.slice(0, 1) }
  return random.pick<PChainMessage>([
    { kind: "SubnetToL1Conversion", id: message.subnetID },
    { ...message, subnetID: random.pick([...subnets, PRIMARY_NETWORK_ID, idOfByte(0xdd)]) },
    { ...message, nodeID: random.bytes(random.pick([0, 19, 20, 21])) },
    { ...message, nodeID: new Uint8Array(20) },
    { ...message, weight: 0n },
    { ...message, blsPublicKey: random.bytes(48) },
    { ...message, remainingBalanceOwner: wrong },
    { ...message, disableOwner: random.pick([wrong, { threshold: 0, addresses: wrong.addresses }]) },
  ])
}

/** Makes RegisterL1ValidatorTx, and repeats some of the messages that it used earlier. */
export function registersWith(earlier: PChainMessage[]): Maker {
  return (scene) => {
    const { random, time } = scene
    const l1s = l1sOf(scene)
    if (l1s.length === 0) return undefined
    const key = signerOf(1 + random.below(BLS_KEYS))
    const again = earlier.length > 0 && random.below(5) === 0 ? random.pick(earlier) : undefined
    const message: PChainMessage = again ?? {
      kind: "RegisterL1Validator",
      subnetID: random.pick(l1s),
      nodeID: hexToBytes(random.pick(nodes)),
      blsPublicKey: key.publicKey,
      expiry: time + BigInt(random.pick([0, 1, 2, 60, 500, 86_400, 86_401])),
      remainingBalanceOwner: l1Owner(scene),
      disableOwner: l1Owner(scene),
      weight: someWeight(random),
    }
    if (message.kind !== "RegisterL1Validator") return undefined
    if (!again) earlier.push(message)
    const raw = warp(scene, message.subnetID, random.below(8) === 0 ? wrongMessage(scene, message) : message)
    if (!raw) return undefined
    const balance = someBalance(random)
    const proof = [1, 2, 3, 4, 5].map(signerOf).find(({ publicKey }) => toHex(publicKey) === toHex(message.blsPublicKey))
    const { proofOfPossession } = random.below(20) === 0 || !proof ? signerOf(1) : proof
    return compose(scene, {
      spends: balance,
      make: (base) => ({ kind: "RegisterL1ValidatorTx", ...base, balance, proofOfPossession, message: raw }),
    })
  }
}

export const reweighs: Maker = (scene) => {
  const { random } = scene
  const validators = validatorsOf(scene)
  if (validators.length === 0) return undefined
  const [validationID, { subnetID, minNonce }] = random.pick(validators)
  const near = [minNonce, minNonce, minNonce, minNonce + 5n, minNonce - 1n]
  const nonce = random.below(12) === 0 ? random.pick([MAX64 - 1n, MAX64]) : BigInt.asUintN(64, random.pick(near))
  const weight = random.pick([0n, 0n, someWeight(random), someWeight(random), MAX64])
  const message = {
    kind: "L1ValidatorWeight" as const,
    validationID: random.below(30) === 0 ? subnetID : validationID,
    nonce,
    weight,
  }
  const raw = warp(scene, subnetID, message)
  return raw && compose(scene, { make: (base) => ({ kind: "SetL1ValidatorWeightTx", ...base, message: raw }) })
}

export const topsUp: Maker = (scene) => {
  const { random } = scene
  const validators = validatorsOf(scene)
  if (validators.length === 0) return undefined
  const [validationID] = random.pick(validators)
  const balance = someBalance(random)
  return compose(scene, {
    spends: balance,
    make: (base) => ({ kind: "IncreaseL1ValidatorBalanceTx", ...base, validationID, balance }),
  })
}

export const disables: Maker = (scene) => {
  const validators = validatorsOf(scene)
  if (validators.length === 0) return undefined
  const [validationID, { deactivationOwner }] = scene.random.pick(validators)
  const auth = authorised(scene, { ...deactivationOwner, locktime: 0n })
  if (!auth) return undefined
  return compose(scene, {
    authorisedBy: auth.authorisedBy,
    make: (base) => ({ kind: "DisableL1ValidatorTx", ...base, validationID, disableAuthorization: auth.subnetAuthorization }),
  })
}
