import { toHex } from "../lib/bytes.js"
import type { ValidatorSet } from "../rules/validatorSet.js"
import { NODE_ID_SIZE, type NodeID } from "../types/id.js"

/** Bytes of a BLS key as sets hold it. */
export const KEY_SIZE = 96

/**
 * A subnet's validator set through a stretch of heights, with the words in which it is told. An entry is a node with one key: one
 * that had two keys has two. A spell is what an entry weighed from one change to its next.
 *
 * Once past, an era never changes, so it is kept as it is read: one run of bytes, columns in the machine's own byte order and
 * then texts. The set of any height is copied together from it, without a step for each member where nothing is special.
 */
export interface SetEra {
  readonly bytes: Uint8Array
  /** The first and the last height. */
  readonly from: bigint
  readonly upTo: bigint
  /** What each spell weighed; 0: the entry was no member. */
  readonly weights: BigUint64Array
  /** When each spell began, in blocks since `from`: the oldest of each entry at 0. */
  readonly since: Uint32Array
  /** Where the spells of each entry begin, newest first; at the end, how many there are. So for all starts. */
  readonly starts: Uint32Array
  /** What each spell weighed in decimal digits; none where it was no member. */
  readonly digits: Uint8Array
  readonly digitStarts: Uint32Array
  /** Each entry as a member of a JSON object, with a comma in front: `,"NodeID-…":` and the digits of its model. */
  readonly lines: Uint8Array
  readonly lineStarts: Uint32Array
  /** Each entry's key in the same way, `,"NodeID-…":"0x…"`; nothing where it has none. */
  readonly keyLines: Uint8Array
  readonly keyStarts: Uint32Array
  /** The entries' node IDs and keys, which are zeros where there is none. */
  readonly nodeIDs: Uint8Array
  readonly publicKeys: Uint8Array
}

/** How long the parts of an era are. */
export interface EraSizes {
  readonly entries: number
  readonly spells: number
  /** Bytes. */
  readonly digits: number
  readonly lines: number
  readonly keyLines: number
}

const HEADER_SIZE = 40

/** An era with room for its columns and texts, which are still to be filled in. */
export function blankEra(from: bigint, upTo: bigint, sizes: EraSizes): SetEra {
  const { entries, spells, digits, lines, keyLines } = sizes
  const columns = 8 * spells + 4 * (spells + entries + 1 + spells + 1 + 2 * (entries + 1))
  const texts = digits + lines + keyLines + entries * (NODE_ID_SIZE + KEY_SIZE)
  const bytes = new Uint8Array(HEADER_SIZE + columns + texts)
  new BigUint64Array(bytes.buffer, 0, 2).set([from, upTo])
  new Uint32Array(bytes.buffer, 16, 5).set([entries, spells, digits, lines, keyLines])
  return eraIn(bytes)
}

/** The era that these bytes are, which are not copied unless columns would lie askew. */
export function eraIn(kept: Uint8Array): SetEra {
  const bytes = kept.byteOffset % 8 === 0 ? kept : kept.slice()
  const { buffer, byteOffset } = bytes
  const [from, upTo] = new BigUint64Array(buffer, byteOffset, 2) as unknown as [bigint, bigint]
  const counts = new Uint32Array(buffer, byteOffset + 16, 5) as unknown as [number, number, number, number, number]
  const [entries, spells, digits, lines, keyLines] = counts
  let at = byteOffset + HEADER_SIZE
  const next = <T>(Column: new (buffer: ArrayBufferLike, at: number, length: number) => T, width: number, length: number): T => {
    const column = new Column(buffer, at, length)
    at += width * length
    return column
  }
  // Evaluated in this order, which is that of the bytes: the widest columns first.
  return {
    bytes,
    from,
    upTo,
    weights: next(BigUint64Array, 8, spells),
    since: next(Uint32Array, 4, spells),
    starts: next(Uint32Array, 4, entries + 1),
    digitStarts: next(Uint32Array, 4, spells + 1),
    lineStarts: next(Uint32Array, 4, entries + 1),
    keyStarts: next(Uint32Array, 4, entries + 1),
    digits: next(Uint8Array, 1, digits),
    lines: next(Uint8Array, 1, lines),
    keyLines: next(Uint8Array, 1, keyLines),
    nodeIDs: next(Uint8Array, 1, entries * NODE_ID_SIZE),
    publicKeys: next(Uint8Array, 1, entries * KEY_SIZE),
  }
}

/** How many digits a spell's weight has; none: the entry was no member. */
export function digitsOf({ digitStarts }: SetEra, spell: number): number {
  return (digitStarts[spell + 1] as number) - (digitStarts[spell] as number)
}

/** The spell whose digits stand in an entry's line: the newest in which it was a member. */
export function modelOf(era: SetEra, entry: number): number {
  const newest = era.starts[entry] as number
  return digitsOf(era, newest) === 0 ? newest + 1 : newest
}

/** Which spell each entry was in at a height of the era. */
export function spellsAt({ from, starts, since }: SetEra, height: bigint): Uint32Array {
  const blocks = Number(height - from)
  const spells = new Uint32Array(starts.length - 1)
  for (let entry = 0; entry < spells.length; entry++) {
    let spell = starts[entry] as number
    while ((since[spell] as number) > blocks) spell++
    spells[entry] = spell
  }
  return spells
}

/** The set at a height of the era. */
export function setIn(era: SetEra, height: bigint): ValidatorSet {
  const set: ValidatorSet = new Map()
  for (const [entry, spell] of spellsAt(era, height).entries()) {
    const weight = era.weights[spell] as bigint
    if (weight > 0n) set.set(nodeIDAt(era, entry), { weight, publicKey: publicKeyAt(era, entry) })
  }
  return set
}

function nodeIDAt({ nodeIDs }: SetEra, entry: number): NodeID {
  return toHex(nodeIDs.subarray(entry * NODE_ID_SIZE, (entry + 1) * NODE_ID_SIZE)) as NodeID
}

/** In a list of one, or none. */
function publicKeyAt({ publicKeys, keyStarts }: SetEra, entry: number): readonly Uint8Array[] {
  if (keyStarts[entry] === keyStarts[entry + 1]) return []
  // A copy: who keeps a key is not to keep the era.
  return [publicKeys.slice(entry * KEY_SIZE, (entry + 1) * KEY_SIZE)]
}
