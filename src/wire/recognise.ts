import { codecError } from "../codec/errors.js"
import { equalBytes, toHex } from "../lib/bytes.js"
import type { Invalid } from "../lib/invalid.js"
import { checksumOf } from "../types/cb58.js"
import { typeError } from "../types/errors.js"
import { wireError } from "./errors.js"
import { families } from "./families.js"
import { type Family, type Recognised, typeIDOf } from "./family.js"

/** What someone's bytes are, and whether a checksum stood behind them. */
export interface Reading {
  readonly found: Recognised
  readonly hasChecksum: boolean
}

const CHECKSUM_SIZE = 4

/**
 * Says what bytes are, by themselves or as the kind that is named. A value that decodes only without its last four
 * bytes, which are its checksum, has one. Throws `wire.*` or, with path and offset, `codec.*`.
 */
export function recognise(bytes: Uint8Array, as?: string): Reading {
  const candidates = as === undefined ? families.filter((each) => each.isRecognised) : familiesNamed(as)
  const kind = as === undefined ? undefined : kindNamed(as)
  const body = bytes.subarray(0, Math.max(0, bytes.length - CHECKSUM_SIZE))
  const checksum = bytes.subarray(body.length)
  const isChecked = checksum.length === CHECKSUM_SIZE && equalBytes(checksumOf(body), checksum)
  const unchecked = isChecked ? first(candidates, body, kind) : undefined
  if (unchecked) return { found: unchecked, hasChecksum: true }
  const whole = first(candidates, bytes, kind)
  if (whole) return { found: whole, hasChecksum: false }
  const damaged = isChecked ? undefined : first(candidates, body, kind)
  if (damaged) {
    throw typeError("types.bad_checksum", { kind: damaged.kind, expected: toHex(checksumOf(body)), got: toHex(checksum) })
  }
  throw refusalOf(candidates, isChecked ? body : bytes, as, kind)
}

/** The names of the other kinds that the same bytes could be as well; most bytes have none. */
export function otherKindsOf({ kind, bytes }: Recognised): string[] {
  const kinds = families
    .filter((each) => each.isRecognised)
    .flatMap((each) => {
      const found = each.mayBe(bytes) ? each.find(bytes) : 0
      return typeof found === "number" || !found.isSure ? [] : [found.kind]
    })
  return kinds.filter((other) => other !== kind)
}

/** Every name that `as` may have: each kind, and the families that have several. */
export function kindNames(): string[] {
  return [...new Set(families.flatMap((each) => [...each.kinds, each.name]))]
}

/** The first sure reading, or else the first one at all. */
function first(candidates: readonly Family[], bytes: Uint8Array, kind: string | undefined): Recognised | undefined {
  let doubtful: Recognised | undefined
  for (const each of candidates) {
    const found = each.mayBe(bytes) ? each.find(bytes) : 0
    if (typeof found === "number" || (kind !== undefined && found.kind !== kind)) continue
    if (found.isSure) return found
    doubtful ??= found
  }
  return doubtful
}

/** Names are compared without regard to case, spaces and dashes: `signed message` is `SignedMessage`. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "")

function familiesNamed(name: string): readonly Family[] {
  const found = families.filter((each) => [each.name, ...each.kinds].some((known) => plain(known) === plain(name)))
  if (found.length === 0) throw wireError("wire.unknown_kind", { kind: name, known: kindNames().join(" ") })
  return found
}

/** The kind that is asked for; `undefined` where the name is a whole family's. */
function kindNamed(name: string): string | undefined {
  return families.flatMap((each) => each.kinds).find((kind) => plain(kind) === plain(name))
}

/** Why bytes are nothing we know: in the words of the family that could read furthest, if any could read past the type ID. */
function refusalOf(candidates: readonly Family[], bytes: Uint8Array, as: string | undefined, kind: string | undefined): Invalid {
  let closest: Family | undefined
  let furthest = -1
  for (const each of candidates) {
    // Unasked, structures without a type ID would claim anything.
    if (as === undefined && !(each.hasTypeID && each.mayBe(bytes))) continue
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
  if (version !== 0 || bytes.length < 6) return wireError("wire.unrecognised", { size: bytes.length, version })
  return wireError("wire.unrecognised", { size: bytes.length, version, typeID: typeIDOf(bytes) })
}
