import { sha256Hex } from "../../src/core/crypto/hash.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { signedTxOf, type Tx } from "../../src/core/txs/tx.js"
import type { TxKind, UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import type { Address } from "../../src/core/types/address.js"
import type { ID } from "../../src/core/types/id.js"
import { compareInputs, type TransferableInput } from "../../src/core/types/input.js"
import { compareOutputs, type TransferableOutput } from "../../src/core/types/output.js"
import type { Utxo } from "../../src/core/types/utxo.js"
import { blsKeyOf, ownerOf } from "../fixtures/keys.js"
import { alice, FUNDS, warpMessage } from "../fixtures/smallChain.js"
import { AVAX } from "../fixtures/txs.js"
import { registration, validFor } from "../fixtures/validFor.js"

/** A transaction, and the UTXOs that it spends besides those of the small chain. */
export interface Wide {
  readonly tx: Tx
  readonly utxos: readonly Utxo[]
}

/** `npm test` tries only the widest transactions. */
const isSoak = process.env.SERAC_SOAK !== undefined

/** Addresses all over the range, in ascending order, others for each list. */
const manyOwners = (count: number, list: number): Address[] =>
  Array.from({ length: count }, (_, i) => sha256Hex(Buffer.from(`${list} ${i}`)).slice(0, 40) as Address).sort()

const idOf = (copy: number, number: number): ID =>
  `${copy.toString(16).padStart(8, "0")}${number.toString(16).padStart(56, "0")}` as ID

/**
 * Makes transactions of a kind with the maximum number of inputs, outputs, owners or other items, by the name of the item. Copies differ in
 * their owners and UTXOs.
 */
export function widest(kind: TxKind): Readonly<Record<string, (copy: number) => Wide>> {
  const base = (copy: number) => paid(validFor(kind).tx as UnsignedTx, copy)
  const hasParts = "inputs" in (validFor(kind).tx as object)
  return {
    ...Object.fromEntries(
      (isSoak ? [1, 8, 9, 300, 3_000] : [8, 3_000]).map((n) => [
        `${n} owners`,
        (copy: number) => withOwners(base(copy), n, copy),
      ]),
    ),
    ...(hasParts && (isSoak || kind === "BaseTx") ? { "300 inputs": (copy) => paid(base(copy).unsigned, copy, 300) } : {}),
    ...(hasParts ? { "300 outputs of 8 owners": (copy) => withOutputs(base(copy), 300, 8, copy) } : {}),
    ...(hasParts && isSoak ? { "30 outputs of 200 owners": (copy) => withOutputs(base(copy), 30, 200, copy) } : {}),
    ...(kind === "ConvertSubnetToL1Tx" ? { "100 validators": (copy) => withValidators(base(copy), 100, copy) } : {}),
    ...(kind === "RegisterL1ValidatorTx" ? { "1,000 owners in its message": (copy) => withMessage(base(copy), 500, copy) } : {}),
  }
}

interface Draft extends Wide {
  readonly unsigned: UnsignedTx
}

function draft(unsigned: UnsignedTx, utxos: readonly Utxo[]): Draft {
  const credentials = "inputs" in unsigned ? unsigned.inputs.length + (hasAuthorisation(unsigned) ? 1 : 0) : 0
  const imported = unsigned.kind === "ImportTx" ? unsigned.importedInputs.length : 0
  const blank = { kind: "Credential" as const, signatures: [new Uint8Array(65)] }
  return { unsigned, utxos, tx: signedTxOf(unsigned, new Array(credentials + imported).fill(blank)) }
}

const hasAuthorisation = (tx: UnsignedTx): boolean => "subnetAuthorization" in tx || "disableAuthorization" in tx || "auth" in tx

/** Returns the same transaction, paid with `inputs` UTXOs. */
function paid(unsigned: UnsignedTx, copy: number, inputs = 1): Draft {
  if (!("inputs" in unsigned)) return draft(unsigned, [])
  const owner = ownerOf(alice)
  const utxos = Array.from({ length: inputs }, (_, i): Utxo => {
    const { locktime, threshold, addresses } = owner
    const output = { kind: "TransferOutput" as const, amount: FUNDS, locktime, threshold, addresses }
    return { txID: idOf(copy, i), outputIndex: 0, assetID: AVAX, output }
  })
  const own = utxos.map(({ txID, outputIndex, assetID }): TransferableInput => {
    return { txID, outputIndex, assetID, input: { kind: "TransferInput", amount: FUNDS, signatureIndices: [0] } }
  })
  const others = unsigned.inputs.filter(({ assetID }) => assetID !== AVAX)
  return draft({ ...unsigned, inputs: [...own, ...others].sort(compareInputs) } as UnsignedTx, utxos)
}

function withOwners({ unsigned, utxos }: Draft, owners: number, copy: number): Draft {
  return draft(sorted(widened(unsigned, owners, { list: copy * 1000 })), utxos)
}

/** Returns a copy in which every list of owners has this number of owners. */
function widened<T>(value: T, owners: number, next: { list: number }): T {
  if (Array.isArray(value)) return value.map((each) => widened(each, owners, next)) as T
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value
  const entries = Object.entries(value).map(([name, member]) => {
    const isOwners = name === "addresses" && Array.isArray(member) && member.length > 0
    return [name, isOwners ? manyOwners(owners, ++next.list) : widened(member, owners, next)]
  })
  return Object.fromEntries(entries) as T
}

function withOutputs({ unsigned, utxos }: Draft, count: number, owners: number, copy: number): Draft {
  const { outputs } = unsigned as { outputs: readonly TransferableOutput[] }
  const more = Array.from({ length: count }, (_, i): TransferableOutput => {
    const addresses = manyOwners(owners, copy * 1000 + i)
    return { assetID: AVAX, output: { kind: "TransferOutput", amount: 1n, locktime: 0n, threshold: 1, addresses } }
  })
  const kept = outputs.map((each) => (each.output.kind === "TransferOutput" ? withLess(each, BigInt(count)) : each))
  return draft(sorted({ ...unsigned, outputs: [...kept, ...more] } as UnsignedTx), utxos)
}

const withLess = (each: TransferableOutput, less: bigint): TransferableOutput => {
  const { output } = each
  return output.kind === "TransferOutput" ? { ...each, output: { ...output, amount: output.amount - less } } : each
}

const sorted = (tx: UnsignedTx): UnsignedTx =>
  "outputs" in tx ? ({ ...tx, outputs: tx.outputs.toSorted(compareOutputs) } as UnsignedTx) : tx

function withValidators({ unsigned, utxos }: Draft, count: number, copy: number): Draft {
  if (unsigned.kind !== "ConvertSubnetToL1Tx") return draft(unsigned, utxos)
  const [first] = unsigned.validators
  const validators = Array.from({ length: count }, (_, i) => ({
    ...(first as (typeof unsigned.validators)[number]),
    nodeID: hexToBytes(`${copy.toString(16).padStart(8, "0")}${(i + 1).toString(16).padStart(32, "0")}`),
    balance: 1n,
    signer: { publicKey: blsKeyOf(100 + (i % 8)).publicKey, proofOfPossession: new Uint8Array(96) },
  }))
  return draft({ ...unsigned, validators }, utxos)
}

function withMessage({ unsigned, utxos }: Draft, owners: number, copy: number): Draft {
  if (unsigned.kind !== "RegisterL1ValidatorTx") return draft(unsigned, utxos)
  const owner = (list: number) => ({ threshold: 1, addresses: manyOwners(owners, copy * 10 + list) })
  const message = warpMessage({ ...registration, remainingBalanceOwner: owner(1), disableOwner: owner(2) })
  return draft({ ...unsigned, message }, utxos)
}
