import { CODEC_VERSION, decode, decodeWithPause, type Limits, versioned } from "../codec/decode.js"
import { codecError } from "../codec/errors.js"
import { list } from "../codec/list.js"
import { type Codec, inside, type JsonMember, type JsonOf, jsonMember, type TextFormat } from "../codec/schema.js"
import { objectOf } from "../codec/struct.js"
import { toJson } from "../codec/valueSink.js"
import { Writer } from "../codec/writer.js"
import type { Pace } from "../lib/pace.js"
import { type ID, id, idOf, uncachedID } from "../types/id.js"
import { credentialPlace, type Verifiable } from "../types/verifiable.js"
import { type TxKind, type UnsignedTx, type UnsignedTxJson, unsignedTx } from "./unsignedTx.js"

/** The maximum size of a transaction or block, including the codec version, bytes. Genesis is exempt. */
export const MAX_SIZE = 2 * 1024 * 1024

/** The maximum size of a transaction or block before Helicon, bytes. */
export const MAX_SIZE_BEFORE_HELICON = 256 * 1024

/** A transaction as it is signed, issued and stored, with its ID and its bytes. */
export interface Tx {
  readonly unsignedTx: UnsignedTx
  readonly credentials: readonly Verifiable[]
  /** SHA-256 of all bytes, including codec version and credentials. */
  readonly id: ID
  /** Codec version, unsigned transaction, credentials. */
  readonly bytes: Uint8Array
  /** Number of bytes of the codec version and the unsigned transaction, which credentials sign. */
  readonly unsignedSize: number
}

const credentials = list(credentialPlace)
const members: readonly JsonMember<Tx>[] = [
  jsonMember("unsignedTx", unsignedTx),
  jsonMember("credentials", credentials),
  jsonMember("id", uncachedID),
]

/** A transaction as JSON. Its kind is not a member: the members of `unsignedTx` show it, or `platform.getTxInfo`. */
export type TxJson<K extends TxKind = TxKind> = {
  readonly unsignedTx: UnsignedTxJson<K>
  readonly credentials: JsonOf<typeof credentials>
  /** The ID in cb58. */
  readonly id: string
}

/** A transaction inside a block or genesis, without the codec version, which its ID nevertheless covers. */
export const tx: Codec<Tx, TxJson> = {
  minSize: unsignedTx.minSize + credentials.minSize,
  composite: true,
  jsonSchema: {
    type: "object",
    title: "Tx",
    properties: {
      unsignedTx: unsignedTx.jsonSchema,
      credentials: credentials.jsonSchema,
      id: { ...id.jsonSchema, readOnly: true },
    },
    required: ["unsignedTx", "credentials", "id"],
    additionalProperties: false,
  },
  read(r) {
    const start = r.offset
    const unsigned = r.trace ? r.trace.part(r, unsignedTx, "unsignedTx") : unsignedTx.read(r)
    const middle = r.offset
    const creds = r.trace ? r.trace.part(r, credentials, "credentials") : credentials.read(r)
    const bytes = new Uint8Array(2 + r.offset - start)
    bytes[1] = CODEC_VERSION
    r.copyTo(bytes, 2, start, r.offset)
    return { unsignedTx: unsigned, credentials: creds, id: idOf(bytes), bytes, unsignedSize: 2 + middle - start }
  },
  write: (w, value) => w.bytes(value.bytes.subarray(2)),
  writeJson: (sink, value, as) => sink.object(members, value, as),
  fromJson: (json, as, path) => txFromJson(json, as, undefined, path),
}

/** Reads a transaction from JSON. JSON does not contain the kind; pass it if the members do not determine it. */
export function txFromJson(json: unknown, as: TextFormat, kind?: string, path?: string): Tx {
  const object = objectOf(json, path)
  for (const name in object) {
    if (!["unsignedTx", "credentials", "id"].includes(name))
      throw codecError("codec.unknown_member", { path: inside(path, name) })
  }
  for (const name of ["unsignedTx", "credentials"]) {
    if (!(name in object)) throw codecError("codec.missing_member", { path: inside(path, name) })
  }
  const codec = kind === undefined ? unsignedTx : unsignedTx.ofKind(kind)
  if (!codec) throw codecError("codec.bad_json", { path: path ?? "", expected: `a transaction; there is no kind ${kind}` })
  const made = signedTxOf(
    codec.fromJson(object.unsignedTx, as, inside(path, "unsignedTx")),
    credentials.fromJson(object.credentials, as, inside(path, "credentials")),
  )
  if (object.id !== undefined && id.fromJson(object.id, as, inside(path, "id")) !== made.id) {
    throw codecError("codec.bad_json", { path: inside(path, "id"), expected: "the ID of this transaction", got: object.id })
  }
  return made
}

/** Makes a transaction from its unsigned part and its credentials. */
export function signedTxOf(unsigned: UnsignedTx, creds: readonly Verifiable[]): Tx {
  const writer = new Writer()
  writer.u16(CODEC_VERSION)
  unsignedTx.write(writer, unsigned)
  const unsignedSize = writer.size
  credentials.write(writer, creds)
  const bytes = writer.done()
  return { unsignedTx: unsigned, credentials: creds, id: idOf(bytes), bytes, unsignedSize }
}

/** A transaction by itself, with its codec version. */
export const topLevelTx = versioned(tx)

/** Converts a transaction to JSON as AvalancheGo's API shows it, including its ID. */
export function txToJson(value: Tx, as: TextFormat): TxJson {
  return toJson(tx, value, as)
}

/** Decodes a transaction. Throws `codec.*`. */
export function decodeTx(bytes: Uint8Array, limits: Limits = { maxSize: MAX_SIZE }): Tx {
  return decode(topLevelTx, bytes, limits)
}

/** Decodes a transaction with a pause if it is invalid, because 2 MiB of invalid bytes take 80 ms. */
export function decodeTxWithPause(bytes: Uint8Array, pace: Pace): Promise<Tx> {
  return decodeWithPause(topLevelTx, bytes, { maxSize: MAX_SIZE }, pace)
}

/** Returns the bytes that a transaction's credentials sign. */
export function unsignedBytesOf(value: Tx): Uint8Array {
  return value.bytes.subarray(0, value.unsignedSize)
}
