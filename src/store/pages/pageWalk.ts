import { NO_PAGE, PAGE_HEADER, type PageFile } from "../pageFile.js"
import { type MetaPage, readTree, type Tree } from "./metaPages.js"
import { type OnPage, PageClaims } from "./pageClaims.js"
import { ELSEWHERE, PageFault, SUBTREE, TreePage } from "./pageNodes.js"

/** Number of pages that are read at a time in the order of the file. */
const WINDOW = 256

/**
 * Reads every page that a commit of an LMDB file uses, and checks the trees: pages have their own number, their content is within them,
 * keys ascend, every page belongs to one tree only and is within the file, their number is that of the trees' descriptions, and no page in
 * use is listed as free. LMDB itself checks none of this, and a signal ends the process if something is wrong. Pages that lead to others
 * are read first, then the leaves in the order of the file. Throws `PageFault`.
 */
export function walkPages(file: PageFile, meta: MetaPage, onPage: OnPage = () => {}): void {
  const walk = new Walk(file, meta, onPage)
  walk.branches()
  walk.leaves()
}

/**
 * Reads only the pages that lead to others: those of the free list, of the list of tables, and the branches of every table, some hundredths
 * of the file. It checks that the leaves are within the file and belong to one place. Throws `PageFault`.
 */
export function walkBranches(file: PageFile, meta: MetaPage, onPage: OnPage = () => {}): void {
  new Walk(file, meta, onPage).branches()
}

/** Returns the names of the tables of a file, from the pages that list them. Throws `PageFault`. */
export function tableNames(file: PageFile, meta: MetaPage): readonly string[] {
  const walk = new Walk(file, meta, () => {})
  walk.listOfTables()
  return [...walk.subtrees.keys()]
}

/** A tree with its counts. */
interface TreeCounts {
  readonly name: string
  readonly tree: Tree
  /** The number, from 1 on, of a tree whose leaves are read in the order of the file; 0 if they are read with its branches. */
  readonly number: number
  branches: bigint
  leaves: bigint
  longPages: bigint
  entries: bigint
}

class Walk {
  readonly subtrees = new Map<string, Tree>()
  readonly #file: PageFile
  readonly #meta: MetaPage
  readonly #claims: PageClaims
  readonly #found: TreeCounts[] = []
  readonly #freeLists: Buffer[] = []
  readonly #onPage: OnPage

  constructor(file: PageFile, meta: MetaPage, onPage: OnPage) {
    this.#file = file
    this.#meta = meta
    this.#onPage = onPage
    this.#claims = new PageClaims(file, meta, onPage)
  }

  listOfTables(): void {
    this.#small(this.#meta.mainTree, "the list of tables")
  }

  branches(): void {
    this.#small(this.#meta.freeTree, "free pages")
    this.listOfTables()
    for (const [name, tree] of this.subtrees) {
      const found = newlyFound(name, tree, this.#found.length + 1)
      this.#found.push(found)
      if (tree.root !== NO_PAGE) this.#page(Number(tree.root), tree.depth, found)
      if (!hasItsPages(found)) throw new PageFault(`the pages of ${name} are not as many as noted`)
    }
    this.#claims.checkFree(this.#freeLists)
  }

  /** Reads the leaves of all tables in the order of the file. */
  leaves(): void {
    const { pageSize } = this.#meta
    const window = Buffer.allocUnsafe(WINDOW * pageSize)
    for (let from = this.#claims.nextLeaf(2); from !== undefined; ) {
      const bytes = window.subarray(0, this.#file.readInto(window, from * pageSize))
      const end = Math.min(from + Math.floor(bytes.length / pageSize), this.#claims.pages)
      if (end === from) throw new PageFault(`page ${from} is cut`)
      for (let number = from; number < end; number++) {
        const leafOf = this.#claims.leafOf(number)
        if (leafOf === 0) continue
        this.#leaf(bytes, (number - from) * pageSize, number, this.#found[leafOf - 1] as TreeCounts)
        this.#onPage()
      }
      from = this.#claims.nextLeaf(end)
    }
    for (const found of this.#found) checkRows(found)
  }

  /** Reads a tree that lists something, including its leaves. */
  #small(tree: Tree, name: string): void {
    const found = newlyFound(name, tree, 0)
    if (tree.root !== NO_PAGE) this.#page(Number(tree.root), tree.depth, found)
    if (!hasItsPages(found)) throw new PageFault(`the pages of ${name} are not as many as noted`)
    checkRows(found)
  }

  #page(number: number, depth: number, found: TreeCounts): void {
    this.#claims.claim(number, depth === 1 ? found.number : 0)
    if (depth > 1) this.#branch(number, depth, found)
    else if (found.number === 0) this.#leaf(this.#read(number), 0, number, found)
    if (depth === 1) found.leaves++
  }

  #read(number: number): Buffer {
    const { pageSize } = this.#meta
    const bytes = this.#file.read(number * pageSize, pageSize)
    if (bytes.length !== pageSize) throw new PageFault(`page ${number} is cut`)
    return bytes
  }

  #branch(number: number, depth: number, found: TreeCounts): void {
    const bytes = this.#read(number)
    this.#claims.checkHead(bytes, 0, number)
    const { pageSize } = this.#meta
    const page = new TreePage(bytes, 0, { number, pageSize })
    if (page.isLeaf) throw new PageFault(`page ${number} is of the wrong kind`)
    if (!found.tree.hasNumberKeys) page.checkOrder()
    found.branches++
    for (let i = 0; i < page.size; i++) this.#page(page.childOf(page.node(i)), depth - 1, found)
  }

  #leaf(bytes: Buffer, start: number, number: number, found: TreeCounts): void {
    this.#claims.checkHead(bytes, start, number)
    const page = new TreePage(bytes, start, { number, pageSize: this.#meta.pageSize })
    if (!page.isLeaf) throw new PageFault(`page ${number} is of the wrong kind`)
    if (!found.tree.hasNumberKeys) page.checkOrder()
    found.entries += BigInt(page.size)
    for (let i = 0; i < page.size; i++) {
      const node = page.node(i)
      const flags = page.flagsOf(node)
      if (flags !== 0 || found.tree === this.#meta.freeTree) this.#special(bytes, page, node, found)
    }
  }

  /** Handles a row with a long value, of the list of tables, or of the list of free pages. */
  #special(bytes: Buffer, page: TreePage, node: number, found: TreeCounts): void {
    const { freeTree, mainTree, pageSize } = this.#meta
    const [flags, data, size] = [page.flagsOf(node), page.dataOf(node), page.dataSizeOf(node)]
    if (flags === ELSEWHERE) {
      const first = Number(bytes.readBigUInt64LE(data))
      found.longPages += BigInt(this.#claims.claimLong(first, Number(bytes.readBigUInt64LE(data + 16)), size))
      if (found.tree === freeTree) this.#freeLists.push(this.#file.read(first * pageSize + PAGE_HEADER, size))
    } else if (flags === 0) this.#freeLists.push(bytes.subarray(data, data + size))
    else if (flags === SUBTREE && found.tree === mainTree)
      this.subtrees.set(page.keyOf(node).toString().replace(/\0$/, ""), readTree(bytes, data))
    else throw new PageFault(`a row has unknown flags (${flags})`)
  }
}

const newlyFound = (name: string, tree: Tree, number: number): TreeCounts => ({
  ...{ name, tree, number },
  ...{ branches: 0n, leaves: 0n, longPages: 0n, entries: 0n },
})

const hasItsPages = ({ tree, branches, leaves }: TreeCounts): boolean =>
  branches === tree.branchPages && leaves === tree.leafPages

function checkRows({ name, tree, longPages, entries }: TreeCounts): void {
  if (longPages !== tree.overflowPages || entries !== tree.entries)
    throw new PageFault(`the rows of ${name} are not as many as noted`)
}
