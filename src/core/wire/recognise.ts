import { codecError } from "../codec/errors.js"
import { equalBytes, toHex } from "../lib/bytes.js"
import type { Invalid } from "../lib/invalid.js"
import { CHECKSUM_SIZE, checksumOf } from "../types/cb58.js"
import { typeError } from "../types/errors.js"
import { wireError } from "./errors.js"
import { type DecodedValue, typeIDOf, type WireType } from "./wireType.js"
import { wireTypes } from "./wireTypes.js"

/** Kind of the given bytes, and whether they ended with a checksum. */
export interface Reading {
  readonly found: DecodedValue
  readonly hasChecksum: boolean
}

/** The requested wire types, and the only kind of them if one is named. */
interface WantedTypes {
  readonly types: readonly WireType[]
  readonly kind?: string
  /** False if no name was given. Structures that almost any bytes could be are then skipped. */
  readonly isNamed: boolean
}

const anything: WantedTypes = { types: wireTypes.filter((each) => each.isRecognised), isNamed: false }

/** Every name that `recognise` accepts: each kind, and the wire types that have several. */
export const kindNames: readonly string[] = [...new Set(wireTypes.flatMap((each) => [...each.kinds, each.name]))]

/** Converts names to the form in which they are compared, without case, spaces and dashes: `signed message` is `SignedMessage`. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "")

/** Other names of kinds and wire types. */
const aliases: readonly (readonly [alias: string, name: string])[] = [
  ["PoPSigner", "ProofOfPossession"],
  ["Option", "ProposerVMOption"],
  ["GraniteBlock", "ProposerVMGraniteBlock"],
  ["SignedWarpMessage", "SignedMessage"],
  ["WarpSignedMessage", "SignedMessage"],
  ["UnsignedWarpMessage", "UnsignedMessage"],
  ["WarpUnsignedMessage", "UnsignedMessage"],
  ["SignedTx", "Tx"],
  ["Output", "Out"],
]

const wantedByName: ReadonlyMap<string, WantedTypes> = new Map([
  ...kindNames.map((name): [string, WantedTypes] => [plain(name), wantedOf(name)]),
  ...aliases.map(([alias, name]): [string, WantedTypes] => [plain(alias), wantedOf(name)]),
])

function wantedOf(name: string): WantedTypes {
  const having = wireTypes.filter((each) => each.name === name || each.kinds.includes(name))
  const isKind = wireTypes.some((each) => each.kinds.includes(name))
  return { types: having, isNamed: true, ...(isKind ? { kind: name } : {}) }
}

/**
 * Recognises bytes by themselves or as the named kind. If a value decodes only without its last four bytes, and they are its checksum, the
 * checksum is reported. Throws `wire.*`, `types.bad_checksum` or, with path and offset, `codec.*`.
 */
export function recognise(bytes: Uint8Array, as?: string): Reading {
  const wanted = as === undefined ? anything : wantedByName.get(plain(as))
  if (!wanted) throw wireError("wire.unknown_kind", { kind: as, known: kindNames.join(" ") })
  const body = bytes.subarray(0, Math.max(0, bytes.length - CHECKSUM_SIZE))
  const checksum = bytes.subarray(body.length)
  const isChecked = checksum.length === CHECKSUM_SIZE && equalBytes(checksumOf(body), checksum)
  const unchecked = isChecked ? first(wanted, body) : undefined
  if (unchecked) return { found: unchecked, hasChecksum: true }
  const whole = first(wanted, bytes)
  if (whole) return { found: whole, hasChecksum: false }
  const damaged = isChecked ? undefined : first(wanted, body)
  if (damaged) {
    throw typeError("types.bad_checksum", { kind: damaged.kind, expected: toHex(checksumOf(body)), got: toHex(checksum) })
  }
  throw refusalOf(wanted, isChecked ? body : bytes)
}

/** Returns the other kinds that the same bytes could be; mostly none. */
export function otherKindsOf({ kind, bytes }: DecodedValue): string[] {
  return anything.types.flatMap((each) => {
    const found = each.mayBe(bytes) ? each.find(bytes) : 0
    return typeof found === "number" || !found.isSure || found.kind === kind ? [] : [found.kind]
  })
}

/** Returns the first certain reading, otherwise the first that a type ID or the request supports. */
function first({ types, kind, isNamed }: WantedTypes, bytes: Uint8Array): DecodedValue | undefined {
  let doubtful: DecodedValue | undefined
  for (const each of types) {
    const found = each.mayBe(bytes) ? each.find(bytes) : 0
    if (typeof found === "number" || (kind !== undefined && found.kind !== kind)) continue
    if (found.isSure) return found
    if (each.hasTypeID || isNamed) doubtful ??= found
  }
  return doubtful
}

/** Returns the refusal of bytes that are none of the requested types, from the type that could read furthest. */
function refusalOf({ types, kind, isNamed }: WantedTypes, bytes: Uint8Array): Invalid {
  let closest: WireType | undefined
  let furthest = -1
  for (const each of types) {
    if (!isNamed && !(each.hasTypeID && each.mayBe(bytes))) continue
    const found = each.find(bytes)
    if (typeof found !== "number") return wireError("wire.other_kind", { expected: kind, got: found.kind })
    if (found > furthest) [closest, furthest] = [each, found]
  }
  if (!closest) return unrecognised(bytes)
  const refusal = closest.refusalOf(bytes)
  const isCodecs = (code: string): code is keyof typeof codecError.list => Object.hasOwn(codecError.list, code)
  return isCodecs(refusal.code) ? codecError(refusal.code, { as: closest.name, ...refusal.data }) : refusal
}

function unrecognised(bytes: Uint8Array): Invalid {
  if (bytes.length < 2) return codecError("codec.no_version", { wanted: 2, left: bytes.length })
  const version = ((bytes[0] as number) << 8) | (bytes[1] as number)
  const isTyped = version === 0 && bytes.length >= 6
  return wireError("wire.unrecognised", { size: bytes.length, version, ...(isTyped ? { typeID: typeIDOf(bytes) } : {}) })
}
