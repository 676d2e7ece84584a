import { decode, type Span, spansOf } from "../codec/decode.js"
import { Reader } from "../codec/reader.js"
import type { Codec, TextFormat } from "../codec/schema.js"
import { toJson } from "../codec/valueSink.js"
import { Invalid, valueOrInvalid } from "../lib/invalid.js"
import type { Json } from "../lib/json.js"
import type { ID } from "../types/id.js"

/** Bytes that were decoded as a structure of the protocol. */
export interface DecodedValue {
  /** Its name in AvalancheGo, such as `AddDelegatorTx` or `UTXO`. */
  readonly kind: string
  /** Its ID, or null if the protocol gives it none. */
  readonly id: ID | null
  readonly bytes: Uint8Array
  /** True if no other structure could have these bytes. */
  readonly isSure: boolean
  /** The network ID in the structure, if it has one. */
  networkID(): number | undefined
  toJson(as: TextFormat): Json
  /** Its fields in the order of the bytes. */
  spans(): Span[]
  /** Structures that it contains as opaque bytes: a wrapped block, a Warp message, its payload. */
  inside(): readonly Inside[]
}

/** A structure inside another, and the path of its field. */
export interface Inside {
  readonly path: string
  readonly found: DecodedValue
}

/** The bytes in a structure, and the wire type that they should have. */
export interface Opaque {
  readonly path: string
  readonly bytes: Uint8Array
  readonly as: WireType
}

/** A wire type: structures that share a codec, such as all transactions, all blocks, or both kinds of output. */
export interface WireType {
  readonly name: string
  /** The names of its structures. */
  readonly kinds: readonly string[]
  /** True if bytes without a name may be recognised as one. */
  readonly isRecognised: boolean
  /** True if a type ID distinguishes its structures from others. Without one, almost any bytes can be decoded as one. */
  readonly hasTypeID: boolean
  /** Returns false if the first bytes show that it cannot be one. */
  mayBe(bytes: Uint8Array): boolean
  /** Decodes the bytes; returns the number of decodable bytes if they are not such a structure. */
  find(bytes: Uint8Array): DecodedValue | number
  /** Returns the refusal of bytes that are not such a structure, with path and offset. */
  refusalOf(bytes: Uint8Array): Invalid
}

export interface WireTypeDefinition<T> {
  readonly name: string
  /** All kinds, if they are not just the wire type's own name. */
  readonly kinds?: readonly string[]
  /** The codec, including the codec version if the structure always has one. */
  readonly codec: Codec<T>
  /** The codec with a codec version, for a structure that occurs with and without it. */
  readonly alsoAs?: Codec<T>
  readonly maxSize?: number
  /** The type IDs that may follow the codec version; omitted if there is no type ID. */
  readonly typeIDs?: readonly number[]
  /** False if almost any bytes could be one, so that it must be named. */
  readonly isRecognised?: boolean
  kindOf?(value: T): string
  idOf?(value: T, bytes: Uint8Array): ID | null
  networkIDOf?(value: T): number | undefined
  opaque?(value: T): readonly Opaque[]
  /** Returns false if these bytes can be read as something else and nothing in them favours this. */
  isSure?(value: T): boolean
}

export function defineWireType<T>(definition: WireTypeDefinition<T>): WireType {
  const { name, codec, alsoAs, typeIDs, maxSize = Number.POSITIVE_INFINITY } = definition
  const codecs = alsoAs === undefined ? [codec] : [alsoAs, codec]
  const places = alsoAs === undefined ? [2] : [2, 0]
  return {
    name,
    kinds: definition.kinds ?? [name],
    isRecognised: definition.isRecognised ?? true,
    hasTypeID: typeIDs !== undefined,
    mayBe: (bytes) =>
      typeIDs === undefined || places.some((at) => bytes.length >= at + 4 && typeIDs.includes(typeIDOf(bytes, at))),
    find(bytes) {
      if (bytes.length > maxSize) return 0
      let furthest = 0
      for (const each of codecs) {
        const { value, offset } = readBy(each, bytes)
        if (!(value instanceof Invalid)) return recognised(definition, each, value, bytes)
        furthest = Math.max(furthest, offset)
      }
      return furthest
    },
    refusalOf(bytes) {
      const reach = (each: Codec<T>) => readBy(each, bytes).offset
      const closest = codecs.reduce((best, each) => (reach(each) > reach(best) ? each : best))
      const refusal = valueOrInvalid(() => decode(closest, bytes, { maxSize }))
      if (refusal instanceof Invalid) return refusal
      throw new Error(`${name} was refused and yet decodes`)
    },
  }
}

/** Returns the type ID at this offset, by default after the codec version. */
export function typeIDOf(bytes: Uint8Array, at = 2): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at)
}

/** Reads all of these bytes by a codec. Returns the value or the refusal, and the number of bytes that could be read. */
function readBy<T>(codec: Codec<T>, bytes: Uint8Array): { readonly value: T | Invalid; readonly offset: number } {
  const reader = new Reader(bytes)
  const value = valueOrInvalid(() => {
    const read = codec.read(reader)
    reader.end()
    return read
  })
  return { value, offset: reader.offset }
}

function recognised<T>(definition: WireTypeDefinition<T>, codec: Codec<T>, value: T, bytes: Uint8Array): DecodedValue {
  return {
    kind: definition.kindOf?.(value) ?? definition.name,
    id: definition.idOf?.(value, bytes) ?? null,
    bytes,
    isSure: definition.isSure?.(value) ?? true,
    networkID: () => definition.networkIDOf?.(value),
    toJson: (as) => toJson(codec, value, as),
    spans: () => spansOf(codec, bytes),
    inside: () => (definition.opaque?.(value) ?? []).flatMap(opened),
  }
}

function opened({ path, bytes, as }: Opaque): Inside[] {
  const found = as.find(bytes)
  return typeof found === "number" ? [] : [{ path, found }]
}
