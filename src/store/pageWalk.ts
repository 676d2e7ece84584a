import { type MetaPage, readTree, TREE_BYTES, type Tree } from "./metaPages.js"
import { NO_PAGE, PAGE_HEADER, type PageFile, PageKind } from "./pageFile.js"

const NODE_HEADER = 8
/** A node's data lies on pages of its own, which these 24 bytes name. */
const ELSEWHERE = 0x01
const ELSEWHERE_BYTES = 24
/** A node's data describes a further tree. */
const SUBTREE = 0x02

/** Something in a file that LMDB could not have written. */
export class PageFault extends Error {}

/** Called for each page that was looked at. */
export type OnPage = () => void

/**
 * Reads every page that a commit of an LMDB file uses, and makes sure that the trees are whole: pages are where they say they are,
 * what they hold lies within them, keys ascend, every page belongs to one tree alone and lies within the file, all are as many as the
 * trees' descriptions say, and no page in use is listed as free. LMDB itself looks at none of this: it ends the process with a signal where it is not so. Throws
 * `PageFault`. Returns the names of the trees in the main tree.
 */
export function walkPages(file: PageFile, meta: MetaPage, onPage: OnPage = () => {}): readonly string[] {
  return walkTrees(new Walk(file, meta, onPage), meta)
}

/**
 * Reads the pages alone that lead to others: those of the free list, of the list of tables, and the branches of every table, some hundredths of
 * the file. Of the leaves and of long values it makes sure that they lie within the file, and belong to one place. Throws `PageFault`.
 */
export function walkBranches(file: PageFile, meta: MetaPage): void {
  walkTrees(new Walk(file, meta, () => {}, false), meta)
}

function walkTrees(walk: Walk, meta: MetaPage): readonly string[] {
  walk.tree(meta.freeTree, "free pages")
  walk.tree(meta.mainTree, "the list of tables")
  for (const [name, tree] of walk.subtrees) walk.tree(tree, name)
  walk.checkFreePages()
  return [...walk.subtrees.keys()]
}

/** The names of the tables of a file, by the pages that list them alone. Throws `PageFault`. */
export function tableNames(file: PageFile, meta: MetaPage): readonly string[] {
  const walk = new Walk(file, meta, () => {})
  walk.tree(meta.mainTree, "the list of tables")
  return [...walk.subtrees.keys()]
}

interface Counts {
  branches: bigint
  leaves: bigint
  overflows: bigint
  entries: bigint
}

class Walk {
  readonly subtrees = new Map<string, Tree>()
  readonly #freeLists: Buffer[] = []
  readonly #file: PageFile
  readonly #meta: MetaPage
  readonly #pages: number
  readonly #seen: Uint8Array
  readonly #onPage: OnPage
  readonly #readsLeaves: boolean

  /** `readsLeaves`: whether the leaves of tables are read, too. */
  constructor(file: PageFile, meta: MetaPage, onPage: OnPage, readsLeaves = true) {
    this.#file = file
    this.#meta = meta
    this.#pages = Math.min(Math.floor(file.bytes / meta.pageSize), Number(meta.lastPage) + 1)
    this.#seen = new Uint8Array(this.#pages)
    this.#onPage = onPage
    this.#readsLeaves = readsLeaves
  }

  tree(tree: Tree, name: string): void {
    const counts: Counts = { branches: 0n, leaves: 0n, overflows: 0n, entries: 0n }
    if (tree.root !== NO_PAGE) this.#page(Number(tree.root), tree, tree.depth, counts)
    const hasItsPages = counts.branches === tree.branchPages && counts.leaves === tree.leafPages
    const hasItsRows = counts.overflows === tree.overflowPages && counts.entries === tree.entries
    if (!hasItsPages || (!hasItsRows && !this.#skipsLeavesOf(tree)))
      throw new PageFault(`the pages or rows of ${name} are not as many as noted`)
  }

  #skipsLeavesOf(tree: Tree): boolean {
    return !this.#readsLeaves && tree !== this.#meta.freeTree && tree !== this.#meta.mainTree
  }

  #page(number: number, tree: Tree, depth: number, counts: Counts): void {
    if (depth === 1 && this.#skipsLeavesOf(tree)) {
      this.#claim(number)
      counts.leaves++
      return
    }
    const page = this.#read(number)
    const kind = page.readUInt16LE(18)
    const isLeaf = kind === PageKind.leaf
    if ((!isLeaf && kind !== PageKind.branch) || isLeaf !== (depth === 1))
      throw new PageFault(`page ${number} is of the wrong kind`)
    const nodes = nodesOf(page, number, isLeaf)
    if (nodes.length === 0) throw new PageFault(`page ${number} is empty`)
    if (!tree.hasNumberKeys) checkOrder(page, nodes, number, isLeaf)
    if (isLeaf) {
      counts.leaves++
      counts.entries += BigInt(nodes.length)
      for (const node of nodes) this.#leafNode(page, node, tree, counts)
    } else {
      counts.branches++
      for (const node of nodes) this.#page(childOf(page, node), tree, depth - 1, counts)
    }
  }

  #leafNode(page: Buffer, node: number, tree: Tree, counts: Counts): void {
    const flags = page.readUInt16LE(node + 4)
    const keySize = page.readUInt16LE(node + 6)
    const data = node + NODE_HEADER + keySize
    const size = dataSizeOf(page, node)
    if (flags === ELSEWHERE) counts.overflows += this.#overflow(page, data, size, tree)
    else if (flags === 0 && tree === this.#meta.freeTree) this.#freeLists.push(page.subarray(data, data + size))
    else if (flags === SUBTREE && tree === this.#meta.mainTree) {
      const name = page.toString("utf8", node + NODE_HEADER, data).replace(/\0$/, "")
      this.subtrees.set(name, readTree(page, data))
    } else if (flags !== 0) throw new PageFault(`a row has unknown flags (${flags})`)
  }

  /** The pages of a long value: how many they are. */
  #overflow(page: Buffer, at: number, size: number, tree: Tree): bigint {
    const { pageSize, freeTree } = this.#meta
    const first = Number(page.readBigUInt64LE(at))
    const count = Number(page.readBigUInt64LE(at + 16))
    const head = this.#read(first)
    const isWhole =
      head.readUInt16LE(18) === PageKind.overflow &&
      // The number of its transaction is not compared: in a compacted copy it is that of the original.
      head.readUInt32LE(20) === count &&
      count === Math.floor((PAGE_HEADER - 1 + size) / pageSize) + 1
    if (!isWhole) throw new PageFault(`page ${first} is not the long value that a row says it is`)
    for (let i = 1; i < count; i++) this.#claim(first + i)
    if (tree === freeTree) this.#freeLists.push(this.#file.read(first * pageSize + PAGE_HEADER, size))
    return BigInt(count)
  }

  /** LMDB writes over pages that are listed as free: none of them may be in use, or be listed twice. */
  checkFreePages(): void {
    for (const list of this.#freeLists) {
      for (const [first, count] of freeRangesIn(list)) {
        if (first < 2n || first + count > this.#meta.lastPage + 1n) throw new PageFault(`page ${first} cannot be free`)
        for (let page = Number(first); page < Number(first + count); page++) {
          if (this.#seen[page] === 1) throw new PageFault(`page ${page} is in use and listed as free`)
          if (page < this.#pages) this.#seen[page] = 1
        }
      }
    }
  }

  #read(number: number): Buffer {
    this.#claim(number)
    const { pageSize } = this.#meta
    const page = this.#file.read(number * pageSize, pageSize)
    if (page.length !== pageSize || page.readBigUInt64LE(0) !== BigInt(number))
      throw new PageFault(`page ${number} is another page`)
    if (page.readBigUInt64LE(8) > this.#meta.transaction) throw new PageFault(`page ${number} is of a later commit`)
    return page
  }

  /** Each page belongs to one place. */
  #claim(number: number): void {
    if (number < 2 || number > Number(this.#meta.lastPage)) throw new PageFault(`page ${number} cannot be in use`)
    if (number >= this.#pages) throw new PageFault(`page ${number} lies behind the end of the file`)
    if (this.#seen[number] === 1) throw new PageFault(`page ${number} is in use twice`)
    this.#seen[number] = 1
    this.#onPage()
  }
}

/** The free pages of a list, as first page and count. An entry is a page; where it begins a range, a negative count stands before it. */
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

/** Where the nodes of a page begin, all of them within it. */
function nodesOf(page: Buffer, number: number, isLeaf: boolean): readonly number[] {
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
  const end = page.length
  if (lower % 2 !== 0 || lower > upper || PAGE_HEADER + upper > end) throw new PageFault(`the bounds of page ${number} are none`)
  return Array.from({ length: lower / 2 }, (_, i) => {
    const node = PAGE_HEADER + page.readUInt16LE(PAGE_HEADER + i * 2)
    if (node < PAGE_HEADER + upper || node + NODE_HEADER > end) throw new PageFault(`a row of page ${number} lies outside of it`)
    const size = NODE_HEADER + page.readUInt16LE(node + 6) + (isLeaf ? inlineSizeOf(page, node) : 0)
    if (node + size > end) throw new PageFault(`a row of page ${number} lies outside of it`)
    return node
  })
}

function inlineSizeOf(page: Buffer, node: number): number {
  const flags = page.readUInt16LE(node + 4)
  if (flags === ELSEWHERE) return ELSEWHERE_BYTES
  return flags === SUBTREE ? TREE_BYTES : dataSizeOf(page, node)
}

const dataSizeOf = (page: Buffer, node: number): number => page.readUInt32LE(node)

/** Branches hold 48 bits of a page's number where leaves hold the size of a value and flags. */
const childOf = (page: Buffer, node: number): number => page.readUIntLE(node, 6)

/** The first key of a branch is left out: it stands for everything before the second. */
function checkOrder(page: Buffer, nodes: readonly number[], number: number, isLeaf: boolean): void {
  for (let i = isLeaf ? 1 : 2; i < nodes.length; i++) {
    const [before, after] = [keyOf(page, nodes[i - 1] as number), keyOf(page, nodes[i] as number)]
    if (Buffer.compare(before, after) >= 0) throw new PageFault(`the rows of page ${number} are out of order`)
  }
}

function keyOf(page: Buffer, node: number): Buffer {
  return page.subarray(node + NODE_HEADER, node + NODE_HEADER + page.readUInt16LE(node + 6))
}
