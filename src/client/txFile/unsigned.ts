import { decode, encode, versioned } from "../../core/codec/decode.js"
import { toHex } from "../../core/lib/bytes.js"
import { hrpOf } from "../../core/networks/names.js"
import { amountsOf } from "../../core/txs/amounts.js"
import { authorisationOf } from "../../core/txs/authorisation.js"
import { MAX_SIZE, signedTxOf } from "../../core/txs/tx.js"
import { topLevelUnsignedTx, type UnsignedTx } from "../../core/txs/unsignedTx.js"
import { addressText } from "../../core/types/address.js"
import type { TransferableInput } from "../../core/types/input.js"
import { unlockedInput } from "../../core/types/input.js"
import { innerOutput } from "../../core/types/output.js"
import { type Utxo, utxoReference } from "../../core/types/utxo.js"
import { checksummedAddress } from "../../evm/address.js"
import { unsignedAtomicTx } from "../../evm/atomicTx.js"
import { signedAtomicBytes, type UnsignedAtomicTx } from "../atomicTxs.js"
import { clientError } from "../errors.js"

/** A transaction of the P-Chain of a kind that people sign. */
export type UserTx = Extract<UnsignedTx, { readonly inputs: unknown }>

/** A transaction without its signatures, of the P-Chain or an atomic one of the C-Chain. */
export type Unsigned = { readonly chain: "P"; readonly tx: UserTx } | { readonly chain: "C"; readonly tx: UnsignedAtomicTx }

const topLevelAtomicTx = versioned(unsignedAtomicTx)

/** Reads the bytes that are signed. Throws `codec.*`, and `client.unsigned_kind` for what the chain itself makes. */
export function decodeUnsigned(chain: "P" | "C", bytes: Uint8Array): Unsigned {
  if (chain === "C") return { chain, tx: decode(topLevelAtomicTx, bytes, { maxSize: MAX_SIZE }) }
  const tx = decode(topLevelUnsignedTx, bytes, { maxSize: MAX_SIZE })
  if (!("inputs" in tx)) throw clientError("client.unsigned_kind", { kind: tx.kind })
  return { chain, tx }
}

/** Returns the bytes that are signed. */
export const unsignedBytes = (unsigned: Unsigned): Uint8Array =>
  unsigned.chain === "P" ? encode(topLevelUnsignedTx, unsigned.tx) : encode(topLevelAtomicTx, unsigned.tx)

/** Returns the bytes with signatures, a list for each credential. */
export function signedBytes({ chain, tx }: Unsigned, signatures: readonly (readonly Uint8Array[])[]): Uint8Array {
  if (chain === "C") return signedAtomicBytes(tx, signatures)
  const credentials = signatures.map((each) => ({ kind: "Credential" as const, signatures: [...each] }))
  return signedTxOf(tx, credentials).bytes
}

/** Returns the inputs that spend UTXOs, those that import included. An export from the C-Chain has none. */
export function inputsOf({ chain, tx }: Unsigned): readonly TransferableInput[] {
  if (chain === "P") return amountsOf(tx).inputs
  return tx.kind === "import" ? tx.inputs : []
}

/** Returns the number of signatures of the credential that acts for a subnet or a validator; `undefined` if there is none. */
export function authorisationCount({ chain, tx }: Unsigned): number | undefined {
  const auth = chain === "P" ? authorisationOf(tx) : undefined
  return auth && (auth.kind === "Input" ? auth.signatureIndices.length : 0)
}

/**
 * Returns the signers of each input by the owners of what it spends: addresses of the chain as bech32, accounts of the C-Chain as `0x` and
 * hex. Throws `client.wrong_utxo` if a UTXO is not the one that its input spends.
 */
export function signersOfInputs(unsigned: Unsigned, utxos: readonly Utxo[]): readonly (readonly string[])[] {
  const { chain, tx } = unsigned
  if (chain === "C" && tx.kind === "export") return tx.inputs.map(({ address }) => [checksummedAddress(toHex(address))])
  const inputs = inputsOf(unsigned)
  if (inputs.length !== utxos.length) throw clientError("client.wrong_utxo", { inputs: inputs.length, utxos: utxos.length })
  return inputs.map((input, i) => signersOfInput(input, utxos[i] as Utxo, hrpOf(tx.networkID), chain))
}

/** What the input repeats of its UTXO is signed with it; the owners are not. */
function signersOfInput(each: TransferableInput, utxo: Utxo, hrp: string, chain: string): readonly string[] {
  const { txID, outputIndex, assetID, input } = each
  const { amount, signatureIndices } = unlockedInput(input)
  const owned = innerOutput(utxo.output)
  const wrong = (what: string) =>
    clientError("client.wrong_utxo", {
      input: utxoReference(txID, outputIndex),
      utxo: utxoReference(utxo.txID, utxo.outputIndex),
      what,
    })
  if (utxo.txID !== txID || utxo.outputIndex !== outputIndex) throw wrong("reference")
  if (utxo.assetID !== assetID) throw wrong("asset")
  if (owned.amount !== amount) throw wrong("amount")
  if (input.kind === "LockIn" && (utxo.output.kind !== "LockOut" || utxo.output.locktime !== input.locktime)) throw wrong("lock")
  if (signatureIndices.length !== owned.threshold) throw wrong("threshold")
  return signatureIndices.map((index) => {
    const owner = owned.addresses[index]
    if (owner === undefined) throw wrong("owners")
    return addressText(owner, hrp, chain)
  })
}
