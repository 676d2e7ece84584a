import type { StatePort } from "../../chain/statePort.js"
import { Diff } from "../../state/diff.js"
import type { ID } from "../../types/id.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "../proposer/outerBlock.js"
import { wrapperTables } from "../proposer/tables.js"

/** Heights from first to last, both included. */
export interface HeightRange {
  readonly first: bigint
  readonly last: bigint
}

/** Adds a range to ranges in ascending order. Adjacent ranges are joined. */
function addRange(ranges: readonly HeightRange[], { first, last }: HeightRange): HeightRange[] {
  const touching = ranges.filter((range) => range.last + 1n >= first && range.first <= last + 1n)
  const merged = {
    first: touching.reduce((low, range) => (range.first < low ? range.first : low), first),
    last: touching.reduce((high, range) => (range.last > high ? range.last : high), last),
  }
  const rest = ranges.filter((range) => !touching.includes(range))
  return [...rest, merged].sort((a, b) => (a.first < b.first ? -1 : 1))
}

function dropUpTo(ranges: readonly HeightRange[], height: bigint): HeightRange[] {
  return ranges
    .filter(({ last }) => last > height)
    .map((range) => (range.first > height ? range : { first: height + 1n, last: range.last }))
}

/** The maximum size of fetched blocks that are also kept in memory in decoded form, bytes. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024

/** The blocks that were fetched and not executed yet, in the store, so that an interrupted sync continues where it stopped. */
export class FetchedBlocks {
  readonly #state: StatePort
  #ranges: readonly HeightRange[]
  /** Blocks that need not be decoded again: the first that arrived, because the lowest are fetched first. */
  readonly #kept = new Map<bigint, OuterBlock>()
  #keptBytes = 0

  /** `lastAcceptedHeight` is the height of the chain; blocks that were executed since the ranges were written are omitted. */
  constructor(state: StatePort, lastAcceptedHeight: bigint) {
    this.#state = state
    this.#ranges = dropUpTo(state.latest.get(wrapperTables.fetchedRanges, null) ?? [], lastAcceptedHeight)
  }

  get ranges(): readonly HeightRange[] {
    return this.#ranges
  }

  get count(): bigint {
    return this.#ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n)
  }

  has(height: bigint): boolean {
    return this.#ranges.some(({ first, last }) => first <= height && height <= last)
  }

  /** Returns the block at a height. Its signature was verified when it arrived. */
  get(height: bigint): OuterBlock | undefined {
    const kept = this.#kept.get(height)
    if (kept) return kept
    const bytes = this.has(height) ? this.#state.latest.get(wrapperTables.fetchedBlocks, height) : undefined
    return bytes && readOuterBlock(bytes, VERIFIED_BEFORE)
  }

  /** Returns the blocks from one height up to another, up to the first missing one. They stay in memory until they are executed. */
  readAhead(first: bigint, last: bigint): OuterBlock[] {
    const blocks: OuterBlock[] = []
    for (let height = first; height <= last; height++) {
      const block = this.get(height)
      if (!block) break
      if (!this.#kept.has(height)) this.#keep(block)
      blocks.push(block)
    }
    return blocks
  }

  /** Stores blocks of descending heights without a gap. */
  put(blocks: readonly OuterBlock[]): void {
    const [newest] = blocks
    const oldest = blocks.at(-1)
    if (!newest || !oldest) return
    const diff = new Diff(this.#state.latest)
    for (const { height, bytes } of blocks) diff.put(wrapperTables.fetchedBlocks, height, bytes)
    this.#ranges = addRange(this.#ranges, { first: oldest.height, last: newest.height })
    diff.put(wrapperTables.fetchedRanges, null, [...this.#ranges])
    this.#state.commit(diff.edits)
    for (const block of blocks) this.#keep(block)
  }

  #keep(block: OuterBlock): void {
    if (this.#keptBytes + block.bytes.length > MAX_KEPT_BYTES) return
    this.#forget(block.height)
    this.#kept.set(block.height, block)
    this.#keptBytes += block.bytes.length
  }

  #forget(height: bigint): void {
    this.#keptBytes -= this.#kept.get(height)?.bytes.length ?? 0
    this.#kept.delete(height)
  }

  /** Forgets all blocks from a height down: they turned out not to belong to the chain. */
  dropFrom(height: bigint): void {
    const diff = new Diff(this.#state.latest)
    const range = this.#ranges.find(({ first, last }) => first <= height && height <= last)
    for (let at = range?.first ?? height + 1n; at <= height; at++) {
      diff.delete(wrapperTables.fetchedBlocks, at)
      this.#forget(at)
    }
    const above = range && range.last > height ? [{ first: height + 1n, last: range.last }] : []
    this.#ranges = [...this.#ranges.filter((each) => each !== range), ...above].sort((a, b) => (a.first < b.first ? -1 : 1))
    diff.put(wrapperTables.fetchedRanges, null, [...this.#ranges])
    this.#state.commit(diff.edits)
  }

  /** Records in the changes of an accepted block that it no longer waits. */
  recordExecuted(changes: Diff, height: bigint): void {
    changes.delete(wrapperTables.fetchedBlocks, height)
    this.#forget(height)
    // The ranges are written with the next fetched blocks; until then they include some executed ones.
    this.#ranges = dropUpTo(this.#ranges, height)
  }

  /** Returns the blocks whose parents are missing, given the last accepted height: parent's ID and height, lowest first. */
  missingParents(lastAcceptedHeight: bigint): { readonly id: ID; readonly height: bigint }[] {
    return this.#ranges
      .filter(({ first }) => first > lastAcceptedHeight + 1n)
      .map(({ first }) => ({ id: (this.get(first) as OuterBlock).parentID, height: first - 1n }))
  }
}
