import { oneOf, variant } from "../codec/oneOf.js"
import { u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { compare } from "../lib/mergeSorted.js"
import type { Address } from "./address.js"
import { typeError } from "./errors.js"
import { fxMember } from "./fx.js"
import { EMPTY_ID, id } from "./id.js"
import { checkOwner, ownerFields } from "./owners.js"
import { goInterface } from "./registered.js"

/** An amount that its owners may spend. */
export const transferOutput = variant(
  "TransferOutput",
  7,
  { amount: u64, ...ownerFields },
  { order: ["addresses", "amount", "locktime", "threshold"] },
)
export type TransferOutput = TypeOf<typeof transferOutput>

/** An output that until `locktime` (Unix seconds) can only be staked. */
export const lockOut = variant("LockOut", 22, {
  locktime: u64,
  output: oneOf(goInterface("avax.TransferableOut", { nestsAlso: [22] }), transferOutput),
})

/** An output of a transaction, with its type ID. */
export const output = oneOf(goInterface("avax.TransferableOut"), transferOutput, lockOut)
/** An output of a transaction: an amount and its owners, with or without a lock. */
export type Output = TypeOf<typeof output>

/** An output with its asset. JSON adds the feature extension, which has no bytes. */
export const transferableOutput = struct({ assetID: id, output }, { order: ["assetID", "fxID", "output"], also: fxMember })
/** An output with its asset. */
export type TransferableOutput = TypeOf<typeof transferableOutput>

/** Returns the output without its stakeable lock. */
export function innerOutput(value: Output): TransferOutput {
  return value.kind === "LockOut" ? value.output : value
}

export function checkOutput({ assetID, output }: TransferableOutput): void {
  if (assetID === EMPTY_ID) throw typeError("types.empty_asset")
  checkInnerOutput(output)
}

export function checkInnerOutput(output: Output): void {
  if (output.kind === "LockOut" && output.locktime === 0n) throw typeError("types.zero_locktime")
  const inner = innerOutput(output)
  if (inner.amount === 0n) throw typeError("types.zero_output")
  checkOwner(inner)
}

/** Checks the order of outputs: by asset, then by the bytes of the output with its type ID. Equal outputs may follow each other. */
export function checkOutputOrder(outputs: readonly TransferableOutput[]): void {
  for (let i = 1; i < outputs.length; i++) {
    if (compareOutputs(outputs[i - 1]!, outputs[i]!) > 0) throw typeError("types.outputs_unsorted", { position: i })
  }
}

/**
 * Compares outputs by their order in a transaction: by asset, then by the bytes of the output with its type ID. The members are compared
 * in the order of their bytes, because one output may have 100,000 owners, which seldom make the difference.
 */
export function compareOutputs(a: TransferableOutput, b: TransferableOutput): number {
  if (a.assetID !== b.assetID) return a.assetID < b.assetID ? -1 : 1
  const [one, other] = [a.output, b.output]
  if (one.kind === "TransferOutput") return other.kind === "TransferOutput" ? compareTransfers(one, other) : -1
  if (other.kind === "TransferOutput") return 1
  return compare(one.locktime, other.locktime) || compareTransfers(one.output, other.output)
}

function compareTransfers(a: TransferOutput, b: TransferOutput): number {
  return (
    compare(a.amount, b.amount) ||
    compare(a.locktime, b.locktime) ||
    compare(a.threshold, b.threshold) ||
    compare(a.addresses.length, b.addresses.length) ||
    compareAddresses(a.addresses, b.addresses)
  )
}

/** Compares lists of the same length. */
function compareAddresses(a: readonly Address[], b: readonly Address[]): number {
  const at = a.findIndex((address, i) => address !== b[i])
  return at < 0 ? 0 : compare(a[at] as Address, b[at] as Address)
}
