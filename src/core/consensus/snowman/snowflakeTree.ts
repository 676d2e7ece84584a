import { hexToBytes } from "../../lib/bytes.js"
import type { ID } from "../../types/id.js"
import type { SnowParameters } from "./parameters.js"

const ID_BITS = 256

/** Votes by block. */
export type Votes = ReadonlyMap<ID, number>

/** Bit i of an ID: the least significant of the first byte is bit 0. */
function bitOf(id: ID, i: number): 0 | 1 {
  return ((Number.parseInt(id[(i >> 3) * 2 + ((i & 7) < 4 ? 1 : 0)] as string, 16) >> (i & 3)) & 1) as 0 | 1
}

/** The first bit from `from` up to `to` (not included) in which two IDs differ; `undefined` if they agree. */
function firstDifference(a: ID, b: ID, from: number, to: number): number | undefined {
  const [x, y] = [hexToBytes(a), hexToBytes(b)]
  for (let i = from; i < to; i++) if ((((x[i >> 3]! ^ y[i >> 3]!) >> (i & 7)) & 1) === 1) return i
  return undefined
}

/** The candidates that agree up to the end of a node. */
interface Branch {
  /** The preferred one of them. */
  preference: ID
  /** The child must be reset before it next records a success. */
  resetsChild: boolean
  /** The next node; `undefined` after the last bit. */
  child: Node | undefined
}

/** The bits `from` to `to` (not included): those that all candidates below share, or one bit in which they differ. */
interface Node {
  readonly from: number
  readonly to: number
  /** One branch if the candidates share the bits, otherwise one for each value of the bit. */
  readonly branches: readonly [Branch] | readonly [Branch, Branch]
  preferred: 0 | 1
  confidence: number
}

const preferenceOf = ({ branches, preferred }: Node): ID => (branches[preferred] as Branch).preference
const branchOf = ({ from, branches }: Node, id: ID): Branch => branches[branches.length === 1 ? 0 : bitOf(id, from)] as Branch

/**
 * Decides between the children of one block, bit by bit of their IDs (Snowflake): each node has a counter of consecutive successful polls,
 * and is decided when the counter reaches beta. The first child is preferred at first.
 */
export class SnowflakeTree {
  readonly #parameters: SnowParameters
  #root: Node
  #resetsRoot = false

  constructor(parameters: SnowParameters, first: ID) {
    this.#parameters = parameters
    this.#root = sharedBits(0, ID_BITS, { preference: first, resetsChild: false, child: undefined })
  }

  get preference(): ID {
    return preferenceOf(this.#root)
  }

  get isFinalized(): boolean {
    return this.#isDecided(this.#root)
  }

  /** Adds a candidate, unless it contradicts decided bits. */
  add(id: ID): void {
    if (firstDifference(id, this.preference, 0, this.#root.from) === undefined) this.#root = this.#add(this.#root, id)
  }

  /** Records a poll with a majority for this instance. True if it was a success. */
  recordPoll(votes: Votes): boolean {
    const { node, isSuccess } = this.#record(this.#root, this.#matching(votes, this.#root, 0), this.#resetsRoot)
    this.#root = node
    this.#resetsRoot = false
    return isSuccess
  }

  /** Resets the confidence everywhere, before the next poll is recorded. */
  recordUnsuccessfulPoll(): void {
    this.#resetsRoot = true
  }

  #isDecided(node: Node): boolean {
    return node.confidence >= this.#parameters.beta
  }

  /** Returns the votes that agree with the decided bits from this one to the start of a node. */
  #matching(votes: Votes, node: Node, from: number): Votes {
    if (from >= node.from) return votes
    const preference = preferenceOf(node)
    return new Map([...votes].filter(([id]) => firstDifference(id, preference, from, node.from) === undefined))
  }

  #add(node: Node, id: ID): Node {
    if (node.branches.length === 1) {
      if (this.#isDecided(node)) return node
      const at = firstDifference(id, preferenceOf(node), node.from, node.to)
      if (at !== undefined) return split(node, node.branches[0], at, id)
    }
    const branch = branchOf(node, id)
    const { child, preference } = branch
    if (child && firstDifference(id, preference, node.to, child.from) === undefined) branch.child = this.#add(child, id)
    return node
  }

  /** Records votes that agree up to a node. Returns the node that takes its place, which is its child once it is decided. */
  #record(node: Node, votes: Votes, resets: boolean): { readonly node: Node; readonly isSuccess: boolean } {
    const { branches } = node
    if (resets) {
      node.confidence = 0
      for (const branch of branches) branch.resetsChild = true
    }
    const votesOf = (branch: Branch): Votes => new Map([...votes].filter(([id]) => branchOf(node, id) === branch))
    const [first, second] = branches
    const winner = second && sum(votesOf(second)) > sum(votesOf(first)) ? second : first
    for (const branch of branches) if (branch !== winner) branch.resetsChild = true
    const own = votesOf(winner)
    const count = sum(own)
    const { alphaPreference, alphaConfidence } = this.#parameters
    if (count < alphaPreference) {
      node.confidence = 0
      winner.resetsChild = true
      return { node, isSuccess: false }
    }
    if (branches[node.preferred] !== winner) {
      node.preferred = winner === first ? 0 : 1
      node.confidence = 0
    }
    node.confidence = count >= alphaConfidence ? node.confidence + 1 : 0
    if (winner.child) {
      const { node: child } = this.#record(winner.child, this.#matching(own, winner.child, node.to), winner.resetsChild)
      if (this.#isDecided(node)) return { node: child, isSuccess: true }
      winner.child = child
      winner.preference = preferenceOf(child)
    }
    winner.resetsChild = false
    return { node, isSuccess: true }
  }
}

function sharedBits(from: number, to: number, branch: Branch, confidence = 0): Node {
  return { from, to, branches: [branch], preferred: 0, confidence }
}

/**
 * Splits shared bits at the one in which a new candidate differs. All parts of the old branch keep the counter; the new branch starts at zero.
 */
function split({ from, to, confidence }: Node, { preference, resetsChild, child }: Branch, at: number, newcomer: ID): Node {
  const after = at + 1
  const rest = after < to ? sharedBits(after, to, { preference, resetsChild, child }, confidence) : child
  const newBits =
    after < ID_BITS ? sharedBits(after, ID_BITS, { preference: newcomer, resetsChild: false, child: undefined }) : undefined
  const own: Branch = { preference, resetsChild, child: rest }
  const other: Branch = { preference: newcomer, resetsChild, child: newBits }
  const preferred = bitOf(preference, at)
  const fork: Node = { from: at, to: after, branches: preferred === 0 ? [own, other] : [other, own], preferred, confidence }
  return at > from ? sharedBits(from, at, { preference, resetsChild, child: fork }, confidence) : fork
}

export function sum(votes: ReadonlyMap<unknown, number>): number {
  let total = 0
  for (const count of votes.values()) total += count
  return total
}
