import { hexToBytes } from "../../../src/core/lib/bytes.js"
import { MAX64 } from "../../../src/core/lib/math64.js"
import { tables } from "../../../src/core/state/tables.js"
import { PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import { encodePayload } from "../../../src/core/types/warp/payload.js"
import { registrationIDOf } from "../../../src/core/types/warp/pChainMessage.js"
import { blsKeyOf } from "../../fixtures/keys.js"
import {
  alice,
  IDLE_VALIDATION,
  L1_NODE,
  NOW,
  SUBNET,
  VALIDATION,
  type WarpChanges,
  warpMessage,
  X_CHAIN,
} from "../../fixtures/smallChain.js"
import { idOfByte } from "../../fixtures/txs.js"
import { registration, weightChange } from "../../fixtures/validFor.js"
import type { Variant, Variants } from "./variant.js"

type RegistrationVariant = Variant<"RegisterL1ValidatorTx">
type WeightVariant = Variant<"SetL1ValidatorWeightTx">

/** A change of the registration, with valid signatures. */
const registering =
  (change: Partial<typeof registration>): NonNullable<RegistrationVariant["tx"]> =>
  () => ({
    message: warpMessage({ ...registration, ...change }),
  })

/** A change of the weight message, with valid signatures. */
const weighing =
  (change: Partial<typeof weightChange>): NonNullable<WeightVariant["tx"]> =>
  () => ({
    message: warpMessage({ ...weightChange, ...change }),
  })

const warpVariants: readonly { name: string; code: string; changes: WarpChanges }[] = [
  { name: "a Warp message for another network", code: "rules.warp_network", changes: { networkID: 1 } },
  { name: "a Warp message of an unknown chain", code: "rules.unknown_chain", changes: { sourceChainID: idOfByte(0xdd) } },
  {
    name: "a Warp message of another chain",
    code: "rules.warp_unknown_signer",
    changes: { sourceChainID: X_CHAIN, signers: [7] },
  },
  { name: "a Warp message signed by nobody", code: "rules.warp_weight", changes: { signers: [] } },
  { name: "a Warp message signed by one who is not there", code: "rules.warp_unknown_signer", changes: { signers: [0, 1] } },
  { name: "the signature of another Warp message", code: "rules.warp_signature", changes: { signed: Uint8Array.of(1) } },
  { name: "a Warp message of another address", code: "rules.warp_source_address", changes: { sourceAddress: Uint8Array.of(1) } },
  {
    name: "a Warp message with a hash in it",
    code: "rules.warp_payload_type",
    changes: { payload: encodePayload({ kind: "Hash", hash: idOfByte(1) }) },
  },
]

/** Changes the last byte of a message's signature. */
function damaged(message: Uint8Array): Uint8Array {
  const copy = message.slice()
  copy[copy.length - 90]! ^= 1
  return copy
}

export const registerL1ValidatorTx: Variants<"RegisterL1ValidatorTx"> = [
  ...warpVariants.map(
    ({ name, code, changes }): RegistrationVariant => ({
      name,
      code,
      tx: () => ({ message: warpMessage(registration, changes) }),
    }),
  ),
  { name: "a damaged signature", code: "rules.warp_signature_malformed", tx: ({ message }) => ({ message: damaged(message) }) },
  { name: "no Warp message", code: "codec.no_version", exactly: () => ({ message: new Uint8Array(0) }) },
  { name: "no upgrade that knows it", code: "tx.not_yet_allowed", last: "durango" },
  { name: "a change of weight instead", code: "rules.warp_payload_type", tx: () => ({ message: warpMessage(weightChange) }) },
  {
    name: "the primary network for its L1",
    code: "tx.subnet_is_primary_network",
    tx: registering({ subnetID: PRIMARY_NETWORK_ID }),
  },
  { name: "no weight", code: "tx.zero_l1_weight", tx: registering({ weight: 0n }) },
  { name: "a node ID of 21 bytes", code: "tx.bad_node_id", tx: registering({ nodeID: new Uint8Array(21) }) },
  { name: "an empty node ID", code: "tx.empty_node_id", tx: registering({ nodeID: new Uint8Array(20) }) },
  {
    name: "an owner nobody can be",
    code: "tx.bad_registration_owner",
    tx: registering({ disableOwner: { threshold: 1, addresses: [] } }),
  },
  { name: "a subnet that is no L1", code: "rules.no_conversion", tx: registering({ subnetID: SUBNET }) },
  { name: "an expiry that is now", code: "tx.registration_expired", tx: registering({ expiry: NOW }) },
  { name: "an expiry more than a day ahead", code: "tx.registration_too_early", tx: registering({ expiry: NOW + 86_401n }) },
  {
    name: "a message that was used",
    code: "tx.registration_used",
    given: (state) =>
      state.put(tables.expiries, { expiry: registration.expiry, validationID: registrationIDOf(registration) }, null),
  },
  {
    name: "the proof of another key",
    code: "crypto.bls_bad_possession",
    tx: () => ({ proofOfPossession: blsKeyOf(14).proofOfPossession }),
  },
  {
    name: "a node that validates the L1",
    code: "state.l1_validator_duplicate",
    tx: registering({ nodeID: hexToBytes(L1_NODE) }),
  },
  { name: "weight beyond any number", code: "math.overflow", tx: registering({ weight: MAX64 }) },
  {
    name: "no room for another active validator",
    code: "rules.too_many_active",
    given: (state) => state.put(tables.activeL1Count, null, 20_000n),
  },
  {
    name: "a balance that is not paid",
    code: "rules.insufficient_unlocked",
    exactly: ({ balance }) => ({ balance: balance + 1n }),
  },
  { name: "a balance beyond any number", code: "rules.burn_overflow", exactly: () => ({ balance: MAX64 }) },
]

export const setL1ValidatorWeightTx: Variants<"SetL1ValidatorWeightTx"> = [
  ...warpVariants.map(
    ({ name, code, changes }): WeightVariant => ({
      name,
      code,
      tx: () => ({ message: warpMessage(weightChange, changes) }),
    }),
  ),
  { name: "a damaged signature", code: "rules.warp_signature_malformed", tx: ({ message }) => ({ message: damaged(message) }) },
  { name: "no upgrade that knows it", code: "tx.not_yet_allowed", last: "durango" },
  { name: "a registration instead", code: "rules.warp_payload_type", tx: () => ({ message: warpMessage(registration) }) },
  { name: "the nonce of removals", code: "tx.nonce_reserved", tx: weighing({ nonce: MAX64 }) },
  { name: "an unknown validator", code: "tx.unknown_l1_validator", tx: weighing({ validationID: idOfByte(0xdd) }) },
  { name: "a nonce that was used", code: "tx.stale_nonce", tx: weighing({ nonce: 2n }) },
  {
    name: "the removal of the last validator",
    code: "tx.last_l1_validator",
    tx: weighing({ weight: 0n }),
    given: (state) => state.put(tables.l1Weights, state.get(tables.l1Validators, VALIDATION)!.subnetID, 90n),
  },
  { name: "weight beyond any number", code: "math.overflow", tx: weighing({ weight: MAX64 }) },
]

export const increaseL1ValidatorBalanceTx: Variants<"IncreaseL1ValidatorBalanceTx"> = [
  { name: "no upgrade that knows it", code: "tx.not_yet_allowed", last: "durango" },
  { name: "nothing to add", code: "tx.zero_balance", tx: () => ({ balance: 0n }) },
  { name: "an unknown validator", code: "tx.unknown_l1_validator", tx: () => ({ validationID: idOfByte(0xdd) }) },
  { name: "more than is paid", code: "rules.insufficient_unlocked", exactly: ({ balance }) => ({ balance: balance + 1n }) },
  { name: "more than any number", code: "rules.burn_overflow", exactly: () => ({ balance: MAX64 }) },
  {
    name: "no room for another active validator",
    code: "rules.too_many_active",
    tx: () => ({ validationID: IDLE_VALIDATION }),
    given: (state) => state.put(tables.activeL1Count, null, 20_000n),
  },
]

export const disableL1ValidatorTx: Variants<"DisableL1ValidatorTx"> = [
  { name: "no upgrade that knows it", code: "tx.not_yet_allowed", last: "durango" },
  { name: "an unknown validator", code: "tx.unknown_l1_validator", tx: () => ({ validationID: idOfByte(0xdd) }) },
  {
    name: "signers in the wrong order",
    code: "types.indices_unsorted",
    tx: () => ({ disableAuthorization: { kind: "Input", signatureIndices: [1, 0] } }),
  },
  { name: "the owner of the balance instead", code: "rules.unauthorized", signers: () => [[alice], [alice]] },
]
