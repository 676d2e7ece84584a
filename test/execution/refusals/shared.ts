import type { TxKind, UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { carol } from "../../fixtures/smallChain.js"
import { idOfByte } from "../../fixtures/txs.js"
import { validFor, withAmount } from "../../fixtures/validFor.js"
import type { Variant } from "./variant.js"

/** The kinds that have inputs and outputs. */
export type SpendingKind = Exclude<TxKind, "AdvanceTimeTx" | "RewardValidatorTx" | "RewardAutoRenewedValidatorTx">
type SpendingTx = Extract<UnsignedTx, { kind: SpendingKind }>

/** Kinds whose last credential authorises something. */
const authorised: readonly TxKind[] = [
  "AddSubnetValidatorTx",
  "CreateChainTx",
  "RemoveSubnetValidatorTx",
  "TransformSubnetTx",
  "TransferSubnetOwnershipTx",
  "ConvertSubnetToL1Tx",
  "DisableL1ValidatorTx",
  "SetAutoRenewedValidatorConfigTx",
]

/** Variants that are refused for every spending kind. */
export function sharedVariants(kind: SpendingKind): Variant<SpendingKind>[] {
  const { last } = validFor(kind)
  const isMetered = last === "granite" || last === "helicon"
  const isAuthorised = authorised.includes(kind)
  const memo = isMetered || last === "durango" ? 1 : 257
  const variants: Variant<SpendingKind>[] = [
    { name: "another network", code: "tx.wrong_network", tx: () => ({ networkID: 1 }) },
    { name: "another chain", code: "tx.wrong_chain", tx: () => ({ blockchainID: idOfByte(1) }) },
    { name: "a memo", code: "tx.memo_too_long", tx: () => ({ memo: new Uint8Array(memo) }) },
    { name: "an unknown UTXO", code: "rules.unknown_utxo", tx: (tx) => spending(tx, { outputIndex: 9 }) },
    { name: "another asset than the UTXO's", code: "rules.asset_mismatch", tx: (tx) => spending(tx, { assetID: idOfByte(7) }) },
    {
      name: "another amount than the UTXO's",
      code: "rules.amount_mismatch",
      tx: (tx) => spending(tx, { input: { kind: "TransferInput", amount: 10n ** 15n + 1n, signatureIndices: [0] } }),
    },
    { name: "one nAVAX too much in an output", code: "rules.insufficient_unlocked", exactly: overspent },
    {
      name: "an output of nothing",
      code: "types.zero_output",
      exactly: (tx) => ({ outputs: [withAmount(tx.outputs[0]!, () => 0n)] }),
    },
    { name: "the input twice", code: "types.inputs_unsorted", tx: (tx) => ({ inputs: [tx.inputs[0]!, tx.inputs[0]!] }) },
    {
      name: "a signature by another key",
      code: "rules.wrong_signature",
      signers: ([, ...rest]) => [[carol], ...rest],
    },
    { name: "no credential for the input", code: "rules.credential_count", signers: ([, ...rest]) => rest },
    { name: "a credential too many", code: "rules.credential_count", signers: (signers) => [signers[0]!, ...signers] },
    { name: "a signature too many", code: "rules.signature_count", signers: ([first, ...rest]) => [[...first!, carol], ...rest] },
  ]
  if (isAuthorised) {
    variants.push(
      { name: "no credential at all", code: "rules.no_credential", signers: () => [] },
      {
        name: "an authorisation by another key",
        code: "rules.unauthorized",
        signers: (signers) => [...signers.slice(0, -1), [carol]],
      },
    )
  }
  return variants
}

/** Changes the first input. */
function spending(tx: SpendingTx, change: Partial<SpendingTx["inputs"][number]>): Partial<SpendingTx> {
  return { inputs: [{ ...tx.inputs[0]!, ...change }, ...tx.inputs.slice(1)] }
}

function overspent(tx: SpendingTx): Partial<SpendingTx> {
  return { outputs: [withAmount(tx.outputs[0]!, (amount) => amount + 1n), ...tx.outputs.slice(1)] }
}
