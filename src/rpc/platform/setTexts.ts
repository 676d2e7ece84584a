import type { SetEra, Spell } from "../../readmodel/setEra.js"
import type { NodeID } from "../../types/id.js"
import { type Dialect, Raw } from "../method.js"
import { keyText, nodeText } from "./nodeTexts.js"

/** One node through an era. What an answer says of a spell is written when first asked for, and is ready from then on. */
interface Line {
  readonly nodeID: NodeID
  /** In quotes. */
  readonly name: string
  readonly spells: readonly Spell[]
  readonly weights: (string | undefined)[]
}

/** An era in words. */
interface EraText {
  /** In the order of names. */
  readonly lines: readonly Line[]
  /** The heights at which a key came or went, newest first: in between, the object of keys is the same. */
  readonly keyChanges: readonly bigint[]
  lastKeys: { readonly since: bigint | undefined; readonly bytes: Uint8Array } | undefined
}

const texts: Readonly<Record<Dialect, WeakMap<SetEra, EraText>>> = { contract: new WeakMap(), avalanchego: new WeakMap() }

/** A validator set at a height of an era as JSON. */
export function printedSet(era: SetEra, height: bigint, dialect: Dialect): Raw {
  const text = textOf(era, dialect)
  if (dialect === "avalanchego") return new Raw(latin1(`{${joined(text, height, recordOf)}}`))
  return new Raw(latin1(`{"validators":{${joined(text, height, weightOf)}},"publicKeys":`), keysAt(text, height))
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1")

function textOf(era: SetEra, dialect: Dialect): EraText {
  const known = texts[dialect].get(era)
  if (known) return known
  const lines: Line[] = []
  const keyChanges = new Set<bigint>()
  for (const [nodeID, spells] of era.spells) {
    lines.push({ nodeID, name: `"${nodeText(nodeID)}"`, spells, weights: [] })
    for (let i = 0; i + 1 < spells.length; i++) {
      const [spell, before] = [spells[i] as Spell, spells[i + 1] as Spell]
      if (spell.publicKey !== before.publicKey || spell.weight === 0n || before.weight === 0n) keyChanges.add(spell.since)
    }
  }
  lines.sort((a, b) => (a.name < b.name ? -1 : 1))
  const text: EraText = { lines, keyChanges: [...keyChanges].sort((a, b) => (a > b ? -1 : 1)), lastKeys: undefined }
  texts[dialect].set(era, text)
  return text
}

/** The members of an object, as each line spells its own at a height; no member where the node was none. */
function joined({ lines }: EraText, height: bigint, memberOf: (line: Line, at: number) => string | undefined): string {
  const members: string[] = []
  for (const line of lines) {
    const { spells } = line
    let at = 0
    while ((spells[at] as Spell).since > height) at++
    if ((spells[at] as Spell).weight === 0n) continue
    const member = memberOf(line, at)
    if (member !== undefined) members.push(member)
  }
  return members.join()
}

function weightOf({ name, spells, weights }: Line, at: number): string {
  weights[at] ??= `${name}:${(spells[at] as Spell).weight}`
  return weights[at]
}

function recordOf({ nodeID, name, spells, weights }: Line, at: number): string {
  const {
    weight,
    publicKey: [key],
  } = spells[at] as Spell
  weights[at] ??= `${name}:{"publicKey":${key ? `"${keyText(nodeID, key)}"` : null},"weight":"${weight}"}`
  return weights[at]
}

function keysAt(text: EraText, height: bigint): Uint8Array {
  const since = text.keyChanges.find((each) => each <= height)
  if (!text.lastKeys || text.lastKeys.since !== since) {
    text.lastKeys = { since, bytes: latin1(`{${joined(text, height, keyOf)}}}`) }
  }
  return text.lastKeys.bytes
}

function keyOf({ nodeID, name, spells }: Line, at: number): string | undefined {
  const [key] = (spells[at] as Spell).publicKey
  return key && `${name}:"${keyText(nodeID, key)}"`
}
