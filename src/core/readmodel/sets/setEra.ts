/**
 * A subnet's validator set through a stretch of heights, in the words in which it is told. An entry is a node with one key: one that
 * had two keys has two. A spell is what an entry weighed from one change to its next.
 *
 * Once past, an era never changes, so it is kept as it is read: one run of bytes, columns in the machine's own byte order and
 * then texts. The set of any height is copied together from it, almost without a step for each member.
 */
export interface SetEra {
  readonly bytes: Uint8Array
  /** The first and the last height. */
  readonly from: bigint
  readonly upTo: bigint
  /** When each spell began, in blocks since `from`: the oldest of each entry at 0. */
  readonly since: Uint32Array
  /** Where the spells of each entry begin, newest first; at the end, how many there are. So for all starts. */
  readonly starts: Uint32Array
  /** The model of each entry: its newest spell as a member. */
  readonly models: Uint32Array
  /** What each spell weighed, in decimal digits; none: the entry was no member. */
  readonly digits: Uint8Array
  readonly digitStarts: Uint32Array
  /** The entries by the names of their nodes, each as a member of a JSON object: `,"NodeID-…":` and the digits of its model. */
  readonly lines: Uint8Array
  readonly lineStarts: Uint32Array
  /** Each entry's key in the same way, `,"NodeID-…":"0x…"`; nothing where it has none. */
  readonly keyLines: Uint8Array
  readonly keyStarts: Uint32Array
  /** The entries that have a key, in the order in which Warp messages name signers; those that share one are neighbours. */
  readonly byKey: Uint32Array
}

/** How long the parts of an era are. */
export interface EraSizes {
  readonly entries: number
  /** Entries that have a key. */
  readonly keyed: number
  readonly spells: number
  /** Bytes. */
  readonly digits: number
  readonly lines: number
  readonly keyLines: number
}

/** Two heights and six sizes. */
const HEADER_SIZE = 2 * 8 + 6 * 4

/** An era with room for its columns and texts, which are still to be filled in. */
export function blankEra(from: bigint, upTo: bigint, { entries, keyed, spells, digits, lines, keyLines }: EraSizes): SetEra {
  const columns = spells + (spells + 1) + entries + 3 * (entries + 1) + keyed
  const bytes = new Uint8Array(HEADER_SIZE + 4 * columns + digits + lines + keyLines)
  new BigUint64Array(bytes.buffer, 0, 2).set([from, upTo])
  new Uint32Array(bytes.buffer, 16, 6).set([entries, keyed, spells, digits, lines, keyLines])
  return eraIn(bytes)
}

/** The era that these bytes are, which are not copied unless columns would lie askew. */
export function eraIn(kept: Uint8Array): SetEra {
  const bytes = kept.byteOffset % 8 === 0 ? kept : kept.slice()
  const { buffer, byteOffset } = bytes
  const [from = 0n, upTo = 0n] = new BigUint64Array(buffer, byteOffset, 2)
  const [entries = 0, keyed = 0, spells = 0, digits = 0, lines = 0, keyLines = 0] = new Uint32Array(buffer, byteOffset + 16, 6)
  let at = byteOffset + HEADER_SIZE
  const column = (length: number): Uint32Array => {
    at += 4 * length
    return new Uint32Array(buffer, at - 4 * length, length)
  }
  const text = (length: number): Uint8Array => {
    at += length
    return new Uint8Array(buffer, at - length, length)
  }
  // In the order in which they lie.
  return {
    bytes,
    from,
    upTo,
    since: column(spells),
    starts: column(entries + 1),
    models: column(entries),
    digitStarts: column(spells + 1),
    lineStarts: column(entries + 1),
    keyStarts: column(entries + 1),
    byKey: column(keyed),
    digits: text(digits),
    lines: text(lines),
    keyLines: text(keyLines),
  }
}

/** How many digits a spell's weight has; none: the entry was no member. */
export function digitsOf({ digitStarts }: SetEra, spell: number): number {
  return (digitStarts[spell + 1] as number) - (digitStarts[spell] as number)
}

/** An era at one height. */
export interface EraMoment {
  /** Which spell each entry was in. */
  readonly spells: Uint32Array
  /** Entries whose lines are not as long as they were then: those that were no members, and those whose weight had more or fewer digits. */
  readonly unlike: readonly number[]
}

/** An era at one of its heights. */
export function momentOf({ from, starts, since, models, digitStarts }: SetEra, height: bigint): EraMoment {
  const blocks = Number(height - from)
  const spells = new Uint32Array(models.length)
  const unlike: number[] = []
  const digitsOf = (spell: number): number => (digitStarts[spell + 1] as number) - (digitStarts[spell] as number)
  for (let entry = 0; entry < spells.length; entry++) {
    let spell = starts[entry] as number
    while ((since[spell] as number) > blocks) spell++
    spells[entry] = spell
    const model = models[entry] as number
    if (spell !== model && digitsOf(spell) !== digitsOf(model)) unlike.push(entry)
  }
  return { spells, unlike }
}
