import { type SetEra, sizeOf, spellsAt } from "../../../readmodel/setEra.js"
import type { NodeID } from "../../../types/id.js"
import { Raw } from "../../method.js"
import type { Dialect } from "../../schema/param.js"
import { keyText, nodeText } from "./nodeTexts.js"

/**
 * An era in words, as bytes: what an answer says of each spell stands ready in one place, so that an answer is copied together
 * (1,500 members in 0.1 ms) and leaves nothing to clean up.
 */
interface EraText {
  /** The places of the nodes in the order of their names. */
  readonly order: Uint32Array
  /** Each spell as a member of a JSON object, with a comma in front; nothing where the node was no member. */
  readonly bytes: Uint8Array
  /** Where each spell begins among the bytes, and the end. */
  readonly starts: Uint32Array
  /** The heights at which a key came or went, newest first: in between, the object of keys is the same. */
  readonly keyChanges: readonly bigint[]
  lastKeys: { readonly since: bigint | undefined; readonly bytes: Uint8Array } | undefined
}

const texts: Readonly<Record<Dialect, WeakMap<SetEra, EraText>>> = { contract: new WeakMap(), avalanchego: new WeakMap() }

/** A validator set at a height of an era as JSON. */
export function printedSet(era: SetEra, height: bigint, dialect: Dialect): Raw {
  const text = textOf(era, dialect)
  if (dialect === "avalanchego") return new Raw(membersAt(era, text, height, ["", "}"]))
  const validators = membersAt(era, text, height, ['{"validators":', '},"publicKeys":'])
  return new Raw(validators, keysAt(era, text, height))
}

function textOf(era: SetEra, dialect: Dialect): EraText {
  const known = texts[dialect].get(era)
  if (known) return known
  const { nodeIDs, starts: spells } = era
  const memberOf = dialect === "contract" ? weightOf : recordOf
  const starts = new Uint32Array(sizeOf(era) + 1)
  let all = ""
  const names = nodeIDs.map(nodeText)
  for (const [node, nodeID] of nodeIDs.entries()) {
    const name = `,"${names[node]}":`
    for (let spell = spells[node] as number; spell < (spells[node + 1] as number); spell++) {
      if (era.weights[spell] !== 0n) all += name + memberOf(era, nodeID, spell)
      starts[spell + 1] = all.length
    }
  }
  const order = Uint32Array.from(names.keys()).sort((a, b) => ((names[a] as string) < (names[b] as string) ? -1 : 1))
  const text: EraText = { order, bytes: latin1(all), starts, keyChanges: keyChangesOf(era), lastKeys: undefined }
  texts[dialect].set(era, text)
  return text
}

const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1")

const weightOf = ({ weights }: SetEra, _nodeID: NodeID, spell: number): string => `${weights[spell]}`

function recordOf({ weights, publicKeys }: SetEra, nodeID: NodeID, spell: number): string {
  const key = publicKeys[spell]?.[0]
  return `{"publicKey":${key ? `"${keyText(nodeID, key)}"` : null},"weight":"${weights[spell]}"}`
}

function keyChangesOf({ from, starts, since, weights, publicKeys }: SetEra): bigint[] {
  const blocks = new Set<number>()
  for (let node = 0; node + 1 < starts.length; node++) {
    for (let spell = starts[node] as number; spell + 1 < (starts[node + 1] as number); spell++) {
      const isSame = publicKeys[spell] === publicKeys[spell + 1] && weights[spell] !== 0n && weights[spell + 1] !== 0n
      if (!isSame) blocks.add(since[spell] as number)
    }
  }
  return [...blocks].sort((a, b) => b - a).map((each) => from + BigInt(each))
}

/** The object of all members at a height, between two texts; its brace is opened here and closed by the second text. */
function membersAt(
  era: SetEra,
  { order, bytes, starts }: EraText,
  height: bigint,
  [before, after]: [string, string],
): Uint8Array {
  const spells = spellsAt(era, height)
  let size = 0
  for (const spell of spells) size += (starts[spell + 1] as number) - (starts[spell] as number)
  const out = Buffer.allocUnsafe(before.length + Math.max(size, 1) + after.length)
  const first = out.write(before, "latin1")
  let at = first
  for (const node of order) {
    const spell = spells[node] as number
    const end = starts[spell + 1] as number
    // A loop: on so few bytes it is several times as fast as copy() or set().
    for (let i = starts[spell] as number; i < end; i++) out[at++] = bytes[i] as number
  }
  // The brace takes the place of the first comma.
  out.write("{", first, "latin1")
  out.write(after, Math.max(at, first + 1), "latin1")
  return out
}

function keysAt(era: SetEra, text: EraText, height: bigint): Uint8Array {
  const since = text.keyChanges.find((each) => each <= height)
  if (!text.lastKeys || text.lastKeys.since !== since) text.lastKeys = { since, bytes: keysOf(era, text.order, height) }
  return text.lastKeys.bytes
}

function keysOf(era: SetEra, order: Uint32Array, height: bigint): Uint8Array {
  const members: string[] = []
  const spells = spellsAt(era, height)
  for (const node of order) {
    const spell = spells[node] as number
    const nodeID = era.nodeIDs[node] as NodeID
    const key = era.publicKeys[spell]?.[0]
    if (key && era.weights[spell] !== 0n) members.push(`"${nodeText(nodeID)}":"${keyText(nodeID, key)}"`)
  }
  return latin1(`{${members.join()}}}`)
}
