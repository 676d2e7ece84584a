import { decodeBlock, topLevelBlock, txsOf } from "../../src/core/blocks/block.js"
import { decode, encode, type Limits, versioned } from "../../src/core/codec/decode.js"
import type { Codec } from "../../src/core/codec/schema.js"
import { toJson } from "../../src/core/codec/valueSink.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import { printJson } from "../../src/core/lib/json.js"
import { decodeTx, MAX_SIZE, signedTxOf, type Tx, topLevelTx } from "../../src/core/txs/tx.js"
import { checkTx, topLevelUnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { credential } from "../../src/core/types/credential.js"
import { EMPTY_ID, P_CHAIN_ID } from "../../src/core/types/id.js"
import { auth, input, transferableInput } from "../../src/core/types/input.js"
import { output, transferableOutput } from "../../src/core/types/output.js"
import { owner } from "../../src/core/types/owners.js"
import { decodeContainer, proposerContainer, signedHeader, verifyContainer } from "../../src/core/types/proposervm.js"
import { signer } from "../../src/core/types/signer.js"
import { topLevelUtxo } from "../../src/core/types/utxo.js"
import { signedMessage, unsignedMessage } from "../../src/core/types/warp/message.js"
import { payload } from "../../src/core/types/warp/payload.js"
import { conversionData, pChainMessage } from "../../src/core/types/warp/pChainMessage.js"
import { crypto } from "../../src/platform/backends.js"
import { recordingPath } from "../recordings/recordings.js"
import type { Entry } from "../vectors/group.js"
import { readVectorFile } from "../vectors/run.js"
import { bytesOf } from "../vectors/values.js"

/** Valid bytes, and their decoder. */
export interface Sample {
  readonly name: string
  readonly bytes: Uint8Array
  readonly read: Read
}

/** Decodes bytes, or throws `Invalid`. The returned function encodes the decoded value again, field by field. */
export type Read = (bytes: Uint8Array) => () => Uint8Array

function through<T>(codec: Codec<T>, limits: Limits = {}): Read {
  return (bytes) => {
    const value = decode(codec, bytes, limits)
    return () => encode(codec, value)
  }
}

/** A decoded transaction has its bytes, so it is encoded again from its parts. */
const readTx: Read = (bytes) => {
  const tx = decodeTx(bytes)
  return () => {
    use(tx)
    return signedTxOf(tx.unsignedTx, tx.credentials).bytes
  }
}

/** Checks and prints a transaction as a node would: it may be refused, but nothing may break. */
function use(tx: Tx): void {
  printJson(toJson(topLevelTx, tx, { hrp: "local" }))
  unlessRefused(() => checkTx(tx.unsignedTx, { crypto, networkID: 1, avaxAssetID: EMPTY_ID, trustSignatures: true }))
}

function unlessRefused(action: () => void): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
  }
}

const readBlock: Read = (bytes) => {
  const block = decodeBlock(bytes)
  return () => {
    for (const tx of txsOf(block)) {
      const again = signedTxOf(tx.unsignedTx, tx.credentials)
      if (again.id !== tx.id) throw new Error(`transaction ${tx.id} of a block becomes ${again.id}`)
    }
    return encode(topLevelBlock, block)
  }
}

/** Decodes a wrapper with its certificate, and verifies its signature. */
const readContainer: Read = (bytes) => {
  const container = decodeContainer(bytes)
  return () => {
    unlessRefused(() => verifyContainer(container, P_CHAIN_ID, crypto.parseCertificate))
    return encode(proposerContainer, container)
  }
}

const readUnsignedTx = through(topLevelUnsignedTx, { maxSize: MAX_SIZE })

const tx = (entry: Entry): Read => (entry.form === "unsigned" ? readUnsignedTx : readTx)

const parts: Readonly<Record<string, (hasVersion: boolean) => Read>> = {
  TransferableOutput: part(transferableOutput),
  TransferableInput: part(transferableInput),
  TransferOutput: part(output),
  LockOut: part(output),
  OutputOwners: part(owner),
  TransferInput: part(input),
  LockIn: part(input),
  Input: part(auth),
  Credential: part(credential),
  ProofOfPossession: part(signer),
  EmptySigner: part(signer),
}

function part<T>(codec: Codec<T>) {
  return (hasVersion: boolean) => through(hasVersion ? versioned(codec) : codec)
}

const warp: Readonly<Record<string, Read>> = {
  "signed message": through(signedMessage),
  "unsigned message": through(unsignedMessage),
  "payload AddressedCall": through(payload),
  "payload Hash": through(payload),
  "message SubnetToL1Conversion": through(pChainMessage),
  "message RegisterL1Validator": through(pChainMessage),
  "message L1ValidatorRegistration": through(pChainMessage),
  "message L1ValidatorWeight": through(pChainMessage),
  "conversion data": through(conversionData),
}

/** Readers for the valid entries of each vector file; entries that are not valid bytes have no reader. */
const readers: Readonly<Record<string, (entry: Entry) => Read | undefined>> = {
  "tx-bytes.json": tx,
  "tx-json.json": tx,
  "blocks.json": (entry) => (entry.bytes === undefined ? undefined : readBlock),
  "utxos.json": () => through(topLevelUtxo),
  "components.json": ({ kind, note }) => parts[kind]!(String(note).includes("with the 2-byte codec version")),
  "proposervm.json": ({ kind }) => (kind === "invalid" ? undefined : kind === "header" ? through(signedHeader) : readContainer),
  "warp-messages.json": ({ kind }) => warp[kind],
}

/** Every valid byte string among the recorded vectors. */
export function samples(): readonly Sample[] {
  return Object.entries(readers).flatMap(([file, readerOf]) =>
    readVectorFile(recordingPath(`vectors/${file}`)).entries.flatMap((entry) => {
      const read = readerOf(entry)
      return read ? [{ name: `${file} ${entry.name}`, bytes: bytesOf(entry.bytes), read }] : []
    }),
  )
}
