import { PAGE_HEADER, PageKind } from "../pageFile.js"
import { TREE_BYTES } from "./metaPages.js"

const NODE_HEADER = 8
/** The flag of a node whose data is on pages of its own, which these 24 bytes name. */
export const ELSEWHERE = 0x01
const ELSEWHERE_BYTES = 24
/** The flag of a node whose data describes another tree. */
export const SUBTREE = 0x02

/** A fault in a file that LMDB could not have written. */
export class PageFault extends Error {}

/**
 * Reads two bytes within a page, least significant first. A start reads tens of thousands of them before V8 compiles anything, when Node's own
 * reader takes several times as long.
 */
const u16At = (bytes: Buffer, offset: number): number => (bytes[offset] as number) | ((bytes[offset + 1] as number) << 8)

/**
 * A page of a tree in LMDB's data format: a head, a list of offsets, and nodes that fill the page from its end. A leaf's node has a key and
 * a value, a branch's a key and the number of a page.
 */
export class TreePage {
  readonly number: number
  readonly isLeaf: boolean
  /** The number of nodes. */
  readonly size: number
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number

  /** Reads the page at an offset among these bytes. Throws `PageFault` if it is another page, or not a page of a tree. */
  constructor(bytes: Buffer, start: number, { number, pageSize }: { readonly number: number; readonly pageSize: number }) {
    const kind = bytes.readUInt16LE(start + 18)
    if (kind !== PageKind.leaf && kind !== PageKind.branch) throw new PageFault(`page ${number} is of the wrong kind`)
    this.number = number
    this.isLeaf = kind === PageKind.leaf
    this.#bytes = bytes
    this.#start = start
    this.#end = start + pageSize
    this.size = this.#checkNodes()
    if (this.size === 0) throw new PageFault(`page ${number} is empty`)
  }

  /** Returns the offset of a node among the bytes. */
  node(index: number): number {
    const first = this.#start + PAGE_HEADER
    return first + u16At(this.#bytes, first + index * 2)
  }

  flagsOf(node: number): number {
    return this.#bytes.readUInt16LE(node + 4)
  }

  keyOf(node: number): Buffer {
    return this.#bytes.subarray(node + NODE_HEADER, this.dataOf(node))
  }

  /** Returns the offset of the data of a leaf's node among the bytes. */
  dataOf(node: number): number {
    return node + NODE_HEADER + u16At(this.#bytes, node + 6)
  }

  dataSizeOf(node: number): number {
    return this.#bytes.readUInt32LE(node)
  }

  /** Branches have 48 bits of a page's number where leaves have the size of a value and flags. */
  childOf(node: number): number {
    return this.#bytes.readUIntLE(node, 6)
  }

  /**
   * Throws `PageFault` if the keys do not ascend. The first key of a branch is skipped, because it covers every key before the second.
   */
  checkOrder(): void {
    const bytes = this.#bytes
    const first = this.isLeaf ? 0 : 1
    if (this.size <= first) return
    let before = this.node(first)
    let beforeEnd = this.dataOf(before)
    for (let i = first + 1; i < this.size; i++) {
      const after = this.node(i)
      const afterEnd = this.dataOf(after)
      let a = before + NODE_HEADER
      let b = after + NODE_HEADER
      while (a < beforeEnd && b < afterEnd && bytes[a] === bytes[b]) {
        a++
        b++
      }
      const ascends = b < afterEnd && (a === beforeEnd || (bytes[a] as number) < (bytes[b] as number))
      if (!ascends) throw new PageFault(`the rows of page ${this.number} are out of order`)
      before = after
      beforeEnd = afterEnd
    }
  }

  /** Counts the nodes, and checks that all of them are within the page. */
  #checkNodes(): number {
    const bytes = this.#bytes
    const [lower, upper] = [bytes.readUInt16LE(this.#start + 20), bytes.readUInt16LE(this.#start + 22)]
    const first = this.#start + PAGE_HEADER + upper
    if (lower % 2 !== 0 || lower > upper || first > this.#end) throw new PageFault(`the bounds of page ${this.number} are none`)
    for (let i = 0; i < lower / 2; i++) {
      const node = this.node(i)
      const isWithin = node >= first && node + NODE_HEADER <= this.#end && node + this.#sizeOf(node) <= this.#end
      if (!isWithin) throw new PageFault(`a row of page ${this.number} lies outside of it`)
    }
    return lower / 2
  }

  #sizeOf(node: number): number {
    const size = NODE_HEADER + u16At(this.#bytes, node + 6)
    if (!this.isLeaf) return size
    const flags = this.flagsOf(node)
    if (flags === ELSEWHERE) return size + ELSEWHERE_BYTES
    return size + (flags === SUBTREE ? TREE_BYTES : this.dataSizeOf(node))
  }
}
