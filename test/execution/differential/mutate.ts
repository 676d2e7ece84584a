import { hexToBytes, toHex } from "../../../src/core/lib/bytes.js"
import { MAX64 } from "../../../src/core/lib/math64.js"
import type { UnsignedTx } from "../../../src/core/txs/unsignedTx.js"
import { EMPTY_ID, EMPTY_NODE_ID } from "../../../src/core/types/id.js"
import type { Verifiable } from "../../../src/core/types/verifiable.js"
import type { Random } from "../../fuzz/random.js"
import type { UnsignedDraft } from "./compose.js"
import { people, signerOf } from "./world.js"

type Path = readonly (string | number)[]

/** Returns the draft with one field changed to another value of its type, or with a signer added, removed or replaced. */
export function mutated({ tx, signers }: UnsignedDraft, random: Random, ids: readonly string[]): UnsignedDraft {
  if (random.below(12) === 0) return withStranger({ tx, signers }, random)
  if (random.below(12) === 0) return { tx, signers, lastSignature: (bytes) => badSignature(bytes, random) }
  if (random.below(6) === 0 && signers.length > 0) return { tx, signers: otherSigners(signers, random) }
  const path = random.pick(pathsIn(tx))
  return { tx: changedAt(tx, path, (value) => changed(value, random, ids)) as UnsignedTx, signers }
}

/** Another type in the place of an authorisation or a credential. AvalancheGo decodes it, and refuses it later. */
function withStranger({ tx, signers }: UnsignedDraft, random: Random): UnsignedDraft {
  const owner = { locktime: 0n, threshold: random.below(2), addresses: random.pick([[], [people[0]!.address]]) }
  const amount = BigInt(random.below(2))
  const input = { kind: "TransferInput" as const, amount, signatureIndices: random.pick([[], [0], [1, 0]]) }
  const output = { kind: "TransferOutput" as const, amount, ...owner }
  const locktime = BigInt(random.below(2))
  const stranger = random.pick<Verifiable>([
    input,
    output,
    { kind: "Credential", signatures: [] },
    { kind: "Input", signatureIndices: random.pick([[], [0], [1, 0]]) },
    { kind: "OutputOwners", ...owner },
    { kind: "LockIn", locktime, input },
    { kind: "LockOut", locktime, output },
    { kind: "EmptySigner" },
    { kind: "ProofOfPossession", ...signerOf(1), ...(random.below(2) === 0 ? { publicKey: signerOf(2).publicKey } : {}) },
  ])
  if ("subnetAuthorization" in tx && random.below(2) === 0) return { tx: { ...tx, subnetAuthorization: stranger }, signers }
  if ("auth" in tx && random.below(2) === 0) return { tx: { ...tx, auth: stranger }, signers }
  if ("disableAuthorization" in tx && random.below(2) === 0) return { tx: { ...tx, disableAuthorization: stranger }, signers }
  return { tx, signers, lastCredential: stranger }
}

/** The order of secp256k1's group: a signature has two forms, of which only one is right. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A signature in its other form, or with an invalid value. */
function badSignature(bytes: Uint8Array, random: Random): Uint8Array {
  const out = bytes.slice()
  const s = BigInt(`0x${toHex(bytes.subarray(32, 64))}`)
  const way = random.pick(["high", "recovery", "r", "s", "zero"] as const)
  if (way === "high") out.set(hexToBytes((ORDER - s).toString(16).padStart(64, "0")), 32)
  if (way === "high") out[64]! ^= random.below(2)
  if (way === "recovery") out[64] = random.below(256)
  if (way === "r") out.set(random.pick([new Uint8Array(32), new Uint8Array(32).fill(255)]), 0)
  if (way === "s") out.set(random.pick([new Uint8Array(32), new Uint8Array(32).fill(255)]), 32)
  return way === "zero" ? new Uint8Array(65) : out
}

function otherSigners(signers: UnsignedDraft["signers"], random: Random): UnsignedDraft["signers"] {
  const at = random.below(signers.length)
  const one = signers[at]!
  const others = random.pick([[], [...one, random.pick(people)], [random.pick(people)], one.slice(1)])
  return random.pick([
    [],
    signers.slice(1),
    signers.slice(0, -1),
    [...signers, one],
    signers.with(at, others),
    signers.toReversed(),
  ])
}

/** The paths of all fields of a value except `kind`. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return [path]
  const own: Path[] = Array.isArray(value) ? [path] : []
  for (const [key, each] of Object.entries(value)) {
    if (key !== "kind") own.push(...pathsIn(each, [...path, Array.isArray(value) ? Number(key) : key]))
  }
  return own
}

function changedAt(value: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  if (Array.isArray(value)) return value.with(first as number, changedAt(value[first as number], rest, change))
  const object = value as Record<string, unknown>
  return { ...object, [first]: changedAt(object[first], rest, change) }
}

function changed(value: unknown, random: Random, ids: readonly string[]): unknown {
  if (typeof value === "bigint") {
    const near = [value + 1n, value - 1n, value * 2n, value / 2n, 0n, 1n, MAX64, 2n ** 63n, 2n ** 63n - 1n, random.u64()]
    return BigInt.asUintN(64, random.pick(near))
  }
  if (typeof value === "number") {
    const near = [value + 1, Math.max(value - 1, 0), 0, 1, value * 2, 0xffff_ffff, 1_000_000, 1_000_001]
    return random.pick(near) % (value < 256 && near.length === 0 ? 256 : 2 ** 32)
  }
  if (value instanceof Uint8Array) return changedBytes(value, random)
  if (Array.isArray(value)) return changedList(value, random)
  if (typeof value === "string") return changedText(value, random, ids)
  return value
}

function changedBytes(value: Uint8Array, random: Random): Uint8Array {
  const flipped = value.slice()
  if (flipped.length > 0) flipped[random.below(flipped.length)]! ^= 1 << random.below(8)
  // Keys and proofs keep their size. Other byte fields may have any size.
  if (value.length === 48 || value.length === 96) {
    return random.pick([flipped, flipped, new Uint8Array(value.length), Uint8Array.of(0xc0, ...new Uint8Array(value.length - 1))])
  }
  return random.pick([
    flipped,
    value.slice(1),
    value.slice(0, -1),
    Uint8Array.of(...value, 0),
    new Uint8Array(0),
    random.bytes(257),
  ])
}

function changedList(value: readonly unknown[], random: Random): readonly unknown[] {
  if (value.length === 0) return value
  const at = random.below(value.length)
  return random.pick([
    [],
    value.slice(1),
    value.slice(0, -1),
    value.toReversed(),
    [...value, value[at]],
    value.toSpliced(at, 0, value[at]),
  ])
}

function changedText(value: string, random: Random, ids: readonly string[]): string {
  if (!/^[0-9a-f]+$/.test(value) || ![40, 64].includes(value.length))
    return random.pick([`${value}-`, "é", "x".repeat(129), "é".repeat(65), ""])
  const flipped = value.replace(/^./, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16))
  const others = ids.filter((id) => id.length === value.length)
  const empty = value.length === 64 ? EMPTY_ID : EMPTY_NODE_ID
  return random.pick([flipped, empty, ...(others.length > 0 ? [random.pick(others), random.pick(others)] : [])])
}

/** Bytes with some cut off, added, taken out or changed; often where a type ID or a count may be. */
export function garbled(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length)
  const out = bytes.slice()
  const zeroes = [...out.keys()].filter((i) => out[i] === 0)
  switch (random.below(6)) {
    case 0:
      return bytes.slice(0, at)
    case 1:
      return Uint8Array.of(...bytes, ...random.bytes(1 + random.below(3)))
    case 2:
      return Uint8Array.from([...bytes].toSpliced(at, random.below(9)))
    case 3:
      out[at] = random.below(44)
      return out
    case 4:
      out[at]! ^= 1 << random.below(8)
      return out
    default:
      out[random.pick(zeroes)] = random.pick([1, 5, 7, 9, 10, 11, 21, 22, 27, 28, 128, 255])
      return out
  }
}
