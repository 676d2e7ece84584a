import { compressKey } from "../../crypto/compressKey.js"
import { equalBytes, latin1 } from "../../lib/bytes.js"
import { toHexText } from "../../types/hexText.js"
import { type NodeID, nodeIDText } from "../../types/id.js"
import { blankEra, type SetEra } from "./setEra.js"

/** What a node was from some height on: its weight (0: no member) and its key in a list of one, or none. */
export interface Spell {
  since: bigint
  readonly weight: bigint
  publicKey: readonly Uint8Array[]
}

/** How nodes and their keys are written. Whoever writes the same ones often may remember them. */
export interface Names {
  node(nodeID: NodeID): string
  /** Of a key of 96 bytes, in its short form. */
  key(nodeID: NodeID, publicKey: Uint8Array): string
}

/** Every name made anew. */
export const plainNames: Names = {
  node: nodeIDText,
  key: (_nodeID, publicKey) => toHexText(compressKey(publicKey), "hexnc"),
}

/** One entry of an era: a node while it had one key. */
interface Entry {
  readonly nodeID: NodeID
  readonly name: string
  readonly publicKey: Uint8Array | undefined
  readonly spells: { since: bigint; readonly weight: bigint }[]
}

/** Writes down an era: the spells of every node, newest first, of which the oldest began with the era or before. */
export function eraOfSpells(
  { from, upTo }: { readonly from: bigint; readonly upTo: bigint },
  nodes: Iterable<readonly [NodeID, readonly Spell[]]>,
  names: Names,
): SetEra {
  const entries: Entry[] = []
  for (const [nodeID, spells] of nodes) entries.push(...entriesOf(nodeID, names.node(nodeID), spells))
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const { digits, lines, keyLines, digitStarts, lineStarts, keyStarts } = textsOf(entries, names)
  const byKey = inOrderOfKeys(entries)
  const sizes = { entries: entries.length, keyed: byKey.length, spells: digitStarts.length - 1 }
  const era = blankEra(from, upTo, { ...sizes, digits: digits.length, lines: lines.length, keyLines: keyLines.length })
  fillSpells(era, entries)
  era.digitStarts.set(digitStarts)
  era.lineStarts.set(lineStarts)
  era.keyStarts.set(keyStarts)
  era.byKey.set(byKey)
  era.digits.set(Buffer.from(digits, "latin1"))
  era.lines.set(Buffer.from(lines, "latin1"))
  era.keyLines.set(Buffer.from(keyLines, "latin1"))
  return era
}

/** A node's spells, told apart by its keys; where it had another key or was no member, an entry weighs nothing. */
function entriesOf(nodeID: NodeID, name: string, spells: readonly Spell[]): Entry[] {
  const entries: Entry[] = []
  for (const { weight, publicKey } of spells) {
    const key = publicKey[0]
    if (weight > 0n && !entries.some((entry) => isSame(entry.publicKey, key))) {
      entries.push({ nodeID, name, publicKey: key, spells: [] })
    }
  }
  for (const entry of entries) {
    for (const { since, weight, publicKey } of spells) {
      const own = isSame(entry.publicKey, publicKey[0]) ? weight : 0n
      const newer = entry.spells.at(-1)
      // Two spells of one weight are one, that began with the older.
      if (newer?.weight === own) newer.since = since
      else entry.spells.push({ since, weight: own })
    }
  }
  return entries
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && equalBytes(a, b))
}

function textsOf(entries: readonly Entry[], names: Names) {
  let [digits, lines, keyLines] = ["", "", ""]
  const digitStarts = [0]
  const lineStarts = [0]
  const keyStarts = [0]
  for (const { nodeID, name, publicKey, spells } of entries) {
    let model = ""
    for (const { weight } of spells) {
      const own = weight === 0n ? "" : weight.toString()
      if (model === "") model = own
      digits += own
      digitStarts.push(digits.length)
    }
    lines += `,"${name}":${model}`
    lineStarts.push(lines.length)
    if (publicKey) keyLines += `,"${name}":"${names.key(nodeID, publicKey)}"`
    keyStarts.push(keyLines.length)
  }
  return { digits, lines, keyLines, digitStarts, lineStarts, keyStarts }
}

/** Those that have a key, sorted by it in its long form, and so by name where they share one. */
function inOrderOfKeys(entries: readonly Entry[]): readonly number[] {
  const keyed: { readonly place: number; readonly key: string }[] = []
  for (const [place, { publicKey }] of entries.entries()) {
    // One character for each byte: texts sort as bytes do, and faster.
    if (publicKey) keyed.push({ place, key: latin1(publicKey) })
  }
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ place }) => place)
}

function fillSpells({ from, starts, since, models }: SetEra, entries: readonly Entry[]): void {
  let at = 0
  for (const [i, { spells }] of entries.entries()) {
    models[i] = at + spells.findIndex(({ weight }) => weight > 0n)
    for (const spell of spells) since[at++] = Number(spell.since - from)
    starts[i + 1] = at
  }
}
