import { PAGE_HEADER, type PageFile, PageKind } from "../pageFile.js"
import type { MetaPage } from "./metaPages.js"
import { PageFault } from "./pageNodes.js"

/** Called for each page that was read. */
export type OnPage = () => void

const IN_USE = 1

/** A record of the pages of a file that are in use, and of the head that each must have. */
export class PageClaims {
  /** Number of pages of the file. */
  readonly pages: number
  readonly #file: PageFile
  readonly #meta: MetaPage
  readonly #onPage: OnPage
  /** For each page: 0, `IN_USE`, or the number of the tree whose leaf it is, after `IN_USE`. */
  readonly #uses: Uint16Array

  constructor(file: PageFile, meta: MetaPage, onPage: OnPage) {
    this.#file = file
    this.#meta = meta
    this.#onPage = onPage
    this.pages = Math.min(Math.floor(file.bytes / meta.pageSize), Number(meta.lastPage) + 1)
    this.#uses = new Uint16Array(this.pages)
  }

  /**
   * Claims a page, which may belong to one place only. `leafOf` is the number, from 1 on, of the tree whose leaf it is. Throws `PageFault`.
   */
  claim(number: number, leafOf = 0): void {
    if (number < 2 || number > Number(this.#meta.lastPage)) throw new PageFault(`page ${number} cannot be in use`)
    if (number >= this.pages) throw new PageFault(`page ${number} lies behind the end of the file`)
    if (this.#uses[number] !== 0) throw new PageFault(`page ${number} is in use twice`)
    this.#uses[number] = IN_USE + leafOf
    // Leaves are read later.
    if (leafOf === 0) this.#onPage()
  }

  /** Returns the tree whose leaf a page is; 0 if it is not a leaf. */
  leafOf(number: number): number {
    return Math.max((this.#uses[number] as number) - IN_USE, 0)
  }

  /** Returns the next page from a page on that is a leaf; `undefined` if there is none. */
  nextLeaf(from: number): number | undefined {
    for (let page = from; page < this.pages; page++) if ((this.#uses[page] as number) > IN_USE) return page
    return undefined
  }

  /**
   * Claims the pages of a long value of `size` bytes, and returns their number. A value that replaced a longer one in the same transaction has
   * the pages of the longer one; LMDB does this with its list of free pages too.
   */
  claimLong(first: number, count: number, size: number): number {
    this.claim(first)
    const { pageSize } = this.#meta
    const head = this.#file.read(first * pageSize, PAGE_HEADER)
    this.checkHead(head, 0, first)
    const isWhole =
      head.readUInt16LE(18) === PageKind.overflow &&
      // The number of its transaction is not compared, because in a compacted copy it is that of the original.
      head.readUInt32LE(20) === count &&
      count > Math.floor((PAGE_HEADER - 1 + size) / pageSize)
    if (!isWhole) throw new PageFault(`page ${first} is not the long value that a row says it is`)
    for (let i = 1; i < count; i++) this.claim(first + i)
    return count
  }

  /** Checks that the head of a page at this offset is its own. */
  checkHead(bytes: Buffer, start: number, number: number): void {
    const isThere = bytes.length >= start + PAGE_HEADER
    if (!isThere || bytes.readUIntLE(start, 6) !== number || bytes.readUInt16LE(start + 6) !== 0)
      throw new PageFault(`page ${number} is another page`)
    if (bytes.readBigUInt64LE(start + 8) > this.#meta.transaction) throw new PageFault(`page ${number} is of a later commit`)
  }

  /** Checks that no free page is in use or listed twice, because LMDB overwrites free pages. */
  checkFree(lists: readonly Buffer[]): void {
    for (const list of lists) {
      for (const [first, count] of freeRangesIn(list)) {
        if (first < 2n || first + count > this.#meta.lastPage + 1n) throw new PageFault(`page ${first} cannot be free`)
        for (let page = Number(first); page < Number(first + count) && page < this.pages; page++) {
          if (this.#uses[page] !== 0) throw new PageFault(`page ${page} is in use and listed as free`)
          this.#uses[page] = IN_USE
        }
      }
    }
  }
}

/** Returns the free pages of a list, as first page and count. An entry is a page; if it begins a range, a negative count precedes it. */
function* freeRangesIn(list: Buffer): Iterable<readonly [bigint, bigint]> {
  const entries = list.length >= 8 ? list.readBigUInt64LE(0) : -1n
  if (entries < 0n || (entries + 1n) * 8n > BigInt(list.length)) throw new PageFault("a list of free pages is cut")
  let count = 1n
  for (let i = 1; i <= Number(entries); i++) {
    const entry = list.readBigInt64LE(i * 8)
    if (entry > 0n) yield [entry, count]
    count = entry < 0n ? -entry : 1n
  }
}
