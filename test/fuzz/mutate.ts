import { concatBytes } from "../../src/core/lib/bytes.js"
import type { Random } from "./random.js"

/** Counts, lengths and type IDs that a wrong decoder could accept. */
const NUMBERS = [0, 1, 2, 5, 7, 9, 10, 11, 21, 22, 27, 28, 29, 34, 0x100, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array

const mutations: readonly Mutation[] = [
  function flipBit(bytes, random) {
    if (bytes.length === 0) return bytes
    const out = bytes.slice()
    out[random.below(out.length)]! ^= 1 << random.below(8)
    return out
  },
  function setByte(bytes, random) {
    if (bytes.length === 0) return bytes
    const out = bytes.slice()
    out[random.below(out.length)] = random.below(256)
    return out
  },
  function setNumber(bytes, random) {
    if (bytes.length < 4) return bytes
    const out = bytes.slice()
    new DataView(out.buffer).setUint32(random.below(out.length - 3), random.pick(NUMBERS))
    return out
  },
  function cut(bytes, random) {
    return bytes.slice(0, random.below(bytes.length + 1))
  },
  function remove(bytes, random) {
    const at = random.below(bytes.length + 1)
    return concatBytes(bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(40)))
  },
  function insert(bytes, random) {
    const at = random.below(bytes.length + 1)
    return concatBytes(bytes.subarray(0, at), random.bytes(1 + random.below(40)), bytes.subarray(at))
  },
  function repeat(bytes, random) {
    const from = random.below(bytes.length + 1)
    const to = from + random.below(bytes.length - from + 1)
    return concatBytes(bytes.subarray(0, to), bytes.subarray(from, to), bytes.subarray(to))
  },
  function splice(bytes, random, other) {
    const at = random.below(other.length + 1)
    return concatBytes(bytes.subarray(0, random.below(bytes.length + 1)), other.subarray(at))
  },
]

/** Returns the bytes with one to four changes, some of which copy bytes of `other`. */
export function mutate(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  let out = bytes
  for (let changes = 1 + random.below(4); changes > 0; changes--) out = random.pick(mutations)(out, random, other)
  return out
}
