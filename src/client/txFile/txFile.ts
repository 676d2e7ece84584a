import { decode, encode } from "../../core/codec/decode.js"
import { sha256 } from "../../core/crypto/hash.js"
import { equalBytes, fromHex, toHex } from "../../core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../../core/lib/invalid.js"
import { hrpOf } from "../../core/networks/names.js"
import { addressOfKey, addressText, parsePChainAddress } from "../../core/types/address.js"
import { fromHexText, toHexText } from "../../core/types/hexText.js"
import { idOf, idText } from "../../core/types/id.js"
import { topLevelUtxo, type Utxo } from "../../core/types/utxo.js"
import { evmAddressOf } from "../../evm/address.js"
import { secp256k1 } from "../../platform/backends.js"
import { clientError } from "../errors.js"
import { checkForm, FORMAT, type SignaturePlace, type TxFile } from "./format.js"
import { authorisationCount, decodeUnsigned, signedBytes, signersOfInputs, type Unsigned, unsignedBytes } from "./unsigned.js"

/** A transaction file that was read and checked. */
export interface OpenedTx {
  readonly unsigned: Unsigned
  /** The SHA-256 of its bytes, which is signed. */
  readonly hash: Uint8Array
  readonly utxos: readonly Utxo[]
  readonly signatures: TxFile["signatures"]
}

/** Makes the file of a transaction that nobody has signed. `authority` are those who act for a subnet or a validator, as text. */
export function newTxFile(unsigned: Unsigned, utxos: readonly Utxo[], authority: readonly string[]): TxFile {
  const signers = [...signersOfInputs(unsigned, utxos), ...(authorisationCount(unsigned) === undefined ? [] : [authority])]
  return {
    format: FORMAT,
    chain: unsigned.chain,
    unsignedTx: toHexText(unsignedBytes(unsigned)),
    utxos: utxos.map((utxo) => toHexText(encode(topLevelUtxo, utxo))),
    signatures: signers.map((each) => each.map((signer) => ({ signer, signature: null }))),
  }
}

/**
 * Reads a transaction file, and checks that its parts fit together: that the UTXOs are those that the inputs spend, that the signers own
 * them, and that each signature is by its signer. Throws `client.*`, `codec.*` and `types.*`.
 */
export function openTxFile(given: unknown): OpenedTx {
  const { chain, unsignedTx, utxos: texts, signatures } = checkForm(given)
  const unsigned = decodeUnsigned(chain, fromHexText(unsignedTx))
  const hash = sha256(unsignedBytes(unsigned))
  const utxos = texts.map((text) => decode(topLevelUtxo, fromHexText(text)))
  checkSigners(unsigned, utxos, signatures)
  for (const { signer, signature } of signatures.flat()) {
    if (signature !== null) checkSignature(unsigned, hash, signer, signature)
  }
  return { unsigned, hash, utxos, signatures }
}

/** Checks that the signers are the owners of what is spent. Who owns a subnet or a validator is not in the file. */
function checkSigners(unsigned: Unsigned, utxos: readonly Utxo[], signatures: TxFile["signatures"]): void {
  const owners = signersOfInputs(unsigned, utxos)
  const authority = authorisationCount(unsigned)
  const expected = owners.length + (authority === undefined ? 0 : 1)
  if (signatures.length !== expected) throw clientError("client.other_signers", { credentials: signatures.length, expected })
  for (const [i, places] of signatures.entries()) {
    const named = places.map(({ signer }) => signer)
    const owner = owners[i]
    if (owner && String(named) !== String(owner)) {
      throw clientError("client.other_signers", { credential: i, expected: [...owner], got: named })
    }
    if (owner) continue
    if (named.length !== authority) throw clientError("client.other_signers", { credential: i, expected: authority, got: named })
    for (const signer of named) parsePChainAddress(signer, hrpOf(unsigned.tx.networkID))
  }
}

function checkSignature(unsigned: Unsigned, hash: Uint8Array, signer: string, text: string): void {
  const signature = fromHex(text.slice(2)) ?? new Uint8Array(0)
  const key = valueOrInvalid(() => secp256k1().recover(hash, signature))
  if (key instanceof Invalid) throw clientError("client.wrong_signature", { signer, reason: key.sentence })
  const got = signerOf(unsigned, key)
  if (got !== signer) throw clientError("client.wrong_signature", { signer, got })
}

/** Returns the name under which a public key signs a transaction. */
export function signerOf({ chain, tx }: Unsigned, publicKey: Uint8Array): string {
  if (chain === "C" && tx.kind === "export") return evmAddressOf(publicKey) as string
  return addressText(addressOfKey(publicKey), hrpOf(tx.networkID), chain)
}

/** A transaction with all its signatures. */
export interface SignedTx {
  readonly chain: "P" | "C"
  readonly txID: string
  /** The bytes as hex with a checksum, as `platform.issueTx` and `avax.issueTx` take them. */
  readonly tx: string
}

/** Returns the transaction of a file with all its signatures. Throws `client.missing_signatures` with the signers that are missing. */
export function signedTxOfFile(file: TxFile): SignedTx {
  const { unsigned, signatures } = openTxFile(file)
  const missing = missingSigners(signatures)
  if (missing.length > 0) throw clientError("client.missing_signatures", { signers: [...missing] })
  const bytes = signedBytes(
    unsigned,
    signatures.map((places) => places.map(({ signature }) => fromHex((signature as string).slice(2)) as Uint8Array)),
  )
  return { chain: unsigned.chain, txID: idText(idOf(bytes)), tx: toHexText(bytes) }
}

/** Returns the signers whose signatures are missing, each once. */
export function missingSigners(signatures: TxFile["signatures"]): readonly string[] {
  const missing = signatures.flat().filter(({ signature }) => signature === null)
  return [...new Set(missing.map(({ signer }) => signer))]
}

/** Signs a transaction with a key in all of its places. Throws `client.not_a_signer`. */
export function signTxFile(file: TxFile, secret: Uint8Array): TxFile {
  const { unsigned, hash, signatures } = openTxFile(file)
  const own = signerOf(unsigned, secp256k1().publicKey(secret))
  const signers = [...new Set(signatures.flat().map(({ signer }) => signer))]
  if (!signers.includes(own)) throw clientError("client.not_a_signer", { key: own, signers })
  const signature = `0x${toHex(secp256k1().sign(hash, secret))}`
  const signed = (place: SignaturePlace) => (place.signer === own ? { ...place, signature } : place)
  return { ...file, signatures: signatures.map((places) => places.map(signed)) }
}

/** Puts the signatures of several files of one transaction into one. Throws `client.other_transaction` and `client.other_signers`. */
export function combineTxFiles(files: readonly TxFile[]): TxFile {
  const opened = files.map((file) => openTxFile(file))
  const [file, first] = [files[0], opened[0]]
  if (!file || !first) throw clientError("client.tx_file_form", { path: "", expected: "a file at least" })
  for (const [i, { unsigned, hash, signatures }] of opened.entries()) {
    if (unsigned.chain !== first.unsigned.chain || !equalBytes(hash, first.hash)) {
      throw clientError("client.other_transaction", { file: i + 1 })
    }
    if (namesOf(signatures) !== namesOf(first.signatures)) throw clientError("client.other_signers", { file: i + 1 })
  }
  const signatureAt = (credential: number, place: number) =>
    opened.map(({ signatures }) => signatures[credential]?.[place]?.signature ?? null).find((each) => each !== null) ?? null
  const signatures = first.signatures.map((places, i) =>
    places.map(({ signer }, j) => ({ signer, signature: signatureAt(i, j) })),
  )
  return { ...file, signatures }
}

const namesOf = (signatures: TxFile["signatures"]): string =>
  JSON.stringify(signatures.map((places) => places.map(({ signer }) => signer)))
