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

/** A run of bits, `from` to `to` (not included), that all candidates below it share. */
interface Run {
  readonly kind: "run"
  readonly from: number
  readonly to: number
  /** The preferred candidate below. */
  preference: ID
  confidence: number
  /** The child must be reset before it next records a success. */
  resetsChild: boolean
  /** Next node; `undefined` if the run reaches the last bit. */
  child: Node | undefined
}

interface Side {
  preference: ID
  resetsChild: boolean
  child: Node | undefined
}

/** A bit in which the candidates below it differ. */
interface Fork {
  readonly kind: "fork"
  readonly bit: number
  preferred: 0 | 1
  confidence: number
  readonly sides: readonly [Side, Side]
}

type Node = Run | Fork

const startOf = (node: Node): number => (node.kind === "run" ? node.from : node.bit)
const preferenceOf = (node: Node): ID => (node.kind === "run" ? node.preference : node.sides[node.preferred].preference)

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
    this.#root = run(first, 0, ID_BITS)
  }

  get preference(): ID {
    return preferenceOf(this.#root)
  }

  get isFinalized(): boolean {
    return this.#isDecided(this.#root)
  }

  /** Adds a candidate, unless it contradicts decided bits. */
  add(id: ID): void {
    if (firstDifference(id, this.preference, 0, startOf(this.#root)) === undefined) this.#root = this.#add(this.#root, id)
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

  /** Returns the votes that agree with the decided bits from a node's start to this bit. */
  #matching(votes: Votes, node: Node, from: number): Votes {
    const start = startOf(node)
    if (from >= start) return votes
    const preference = preferenceOf(node)
    return new Map([...votes].filter(([id]) => firstDifference(id, preference, from, start) === undefined))
  }

  #add(node: Node, id: ID): Node {
    if (node.kind === "fork") {
      const side = node.sides[bitOf(id, node.bit)]
      if (side.child && firstDifference(id, side.preference, node.bit + 1, startOf(side.child)) === undefined) {
        side.child = this.#add(side.child, id)
      }
      return node
    }
    if (this.#isDecided(node)) return node
    const at = firstDifference(id, node.preference, node.from, node.to)
    if (at !== undefined) return split(node, at, id)
    const { child } = node
    if (child && firstDifference(id, node.preference, node.to, startOf(child)) === undefined) node.child = this.#add(child, id)
    return node
  }

  #record(node: Node, votes: Votes, resets: boolean): { readonly node: Node; readonly isSuccess: boolean } {
    return node.kind === "run" ? this.#recordRun(node, votes, resets) : this.#recordFork(node, votes, resets)
  }

  #recordRun(node: Run, votes: Votes, resets: boolean) {
    const count = sum(votes)
    if (resets) {
      node.confidence = 0
      node.resetsChild = true
    }
    if (count < this.#parameters.alphaPreference) {
      node.confidence = 0
      node.resetsChild = true
      return { node, isSuccess: false }
    }
    this.#gainConfidence(node, count)
    if (node.child) {
      const { node: child } = this.#record(node.child, this.#matching(votes, node.child, node.to), node.resetsChild)
      if (this.#isDecided(node)) return { node: child, isSuccess: true }
      node.child = child
      node.preference = preferenceOf(child)
    }
    node.resetsChild = false
    return { node, isSuccess: true }
  }

  #recordFork(node: Fork, votes: Votes, resets: boolean) {
    if (resets) {
      node.confidence = 0
      for (const side of node.sides) side.resetsChild = true
    }
    const votesOf = (bit: 0 | 1): Votes => new Map([...votes].filter(([id]) => bitOf(id, node.bit) === bit))
    const split = [votesOf(0), votesOf(1)] as const
    const winner = sum(split[1]) > sum(split[0]) ? 1 : 0
    const count = sum(split[winner])
    node.sides[1 - winner]!.resetsChild = true
    const side = node.sides[winner]
    if (count < this.#parameters.alphaPreference) {
      node.confidence = 0
      side.resetsChild = true
      return { node, isSuccess: false }
    }
    if (node.preferred !== winner) {
      node.preferred = winner
      node.confidence = 0
    }
    this.#gainConfidence(node, count)
    if (side.child) {
      const { node: child } = this.#record(side.child, this.#matching(split[winner], side.child, node.bit + 1), side.resetsChild)
      if (this.#isDecided(node)) return { node: child, isSuccess: true }
      side.child = child
      side.preference = preferenceOf(child)
    }
    side.resetsChild = false
    return { node, isSuccess: true }
  }

  #gainConfidence(node: Node, votes: number): void {
    node.confidence = votes >= this.#parameters.alphaConfidence ? node.confidence + 1 : 0
  }
}

function run(preference: ID, from: number, to: number, child?: Node): Run {
  return { kind: "run", from, to, preference, confidence: 0, resetsChild: false, child }
}

/**
 * Splits a run at the bit in which a new candidate differs. The fork and the rest of the run keep the counter; the new branch starts at
 * zero.
 */
function split(node: Run, at: number, newcomer: ID): Node {
  const bit = bitOf(node.preference, at)
  const { confidence, resetsChild } = node
  const below = at + 1 < node.to ? { ...run(node.preference, at + 1, node.to, node.child), confidence, resetsChild } : node.child
  const own: Side = { preference: node.preference, resetsChild, child: below }
  const isLastBit = at + 1 === ID_BITS
  const other: Side = { preference: newcomer, resetsChild, child: isLastBit ? undefined : run(newcomer, at + 1, ID_BITS) }
  const fork: Fork = { kind: "fork", bit: at, preferred: bit, confidence, sides: bit === 0 ? [own, other] : [other, own] }
  return at > node.from ? { ...run(node.preference, node.from, at, fork), confidence, resetsChild } : fork
}

/** Returns the number of all votes. */
export function sum(votes: ReadonlyMap<unknown, number>): number {
  let total = 0
  for (const count of votes.values()) total += count
  return total
}
