import { NO_PAGE, PAGE_HEADER, type PageFile, PageKind } from "../pageFile.js"

const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
const [LEAST_PAGE_SIZE, MOST_PAGE_SIZE] = [256, 65_536]

/** Offsets of the parts of a meta page. */
const at = {
  flags: 18,
  magic: PAGE_HEADER,
  version: PAGE_HEADER + 4,
  freeTree: PAGE_HEADER + 24,
  mainTree: PAGE_HEADER + 72,
  lastPage: PAGE_HEADER + 120,
  transaction: PAGE_HEADER + 128,
} as const
const META_BYTES = PAGE_HEADER + 144

/** LMDB's description of one of its trees (`MDB_db`). */
export interface Tree {
  /** True if keys are integers in the machine's byte order, which do not sort as bytes. */
  readonly hasNumberKeys: boolean
  readonly depth: number
  readonly branchPages: bigint
  readonly leafPages: bigint
  readonly overflowPages: bigint
  readonly entries: bigint
  /** The root page; `NO_PAGE` if the tree is empty. */
  readonly root: bigint
}

/** The content of a meta page: the whole state of the file after one commit. */
export interface MetaPage {
  readonly pageSize: number
  readonly freeTree: Tree
  readonly mainTree: Tree
  readonly lastPage: bigint
  readonly transaction: bigint
}

/** The size of the description of a tree. */
export const TREE_BYTES = 48

const NUMBER_KEYS = 0x08

/** Reads the description of a tree. */
export function readTree(bytes: Buffer, offset: number): Tree {
  const number = (index: number) => bytes.readBigUInt64LE(offset + 8 + index * 8)
  return {
    hasNumberKeys: (bytes.readUInt16LE(offset + 4) & NUMBER_KEYS) !== 0,
    depth: bytes.readUInt16LE(offset + 6),
    branchPages: number(0),
    leafPages: number(1),
    overflowPages: number(2),
    entries: number(3),
    root: number(4),
  }
}

/** Returns whether a file begins like one of LMDB's, in the format that the store writes. */
export function isLmdbFile(file: PageFile): boolean {
  const head = file.read(0, at.version + 4)
  return head.length === at.version + 4 && hasMark(head)
}

/** The page size of new files. */
export const PAGE_SIZE = 4096

/** Returns the bytes of a file without any table, as LMDB itself begins one: two meta pages. */
export function emptyFile(): Uint8Array {
  const bytes = Buffer.alloc(2 * PAGE_SIZE)
  for (const page of [0, 1]) {
    const meta = bytes.subarray(page * PAGE_SIZE)
    meta.writeUInt8(page, 0)
    meta.writeUInt16LE(PageKind.meta, at.flags)
    meta.writeUInt32LE(MAGIC, at.magic)
    meta.writeUInt32LE(DATA_VERSION, at.version)
    meta.writeUInt32LE(PAGE_SIZE, at.freeTree)
    meta.writeUInt16LE(NUMBER_KEYS, at.freeTree + 4)
    for (const tree of [at.freeTree, at.mainTree]) meta.writeBigUInt64LE(NO_PAGE, tree + 40)
    meta.writeBigUInt64LE(1n, at.lastPage)
  }
  return bytes
}

/** Returns the newer of the two meta pages; if one of them is malformed, the reason. */
export function newestMeta(file: PageFile): MetaPage | { readonly fault: string } {
  const first = readMeta(file.read(0, META_BYTES))
  if (first === undefined) return { fault: "the first meta page is none" }
  const second = readMeta(file.read(first.pageSize, META_BYTES))
  if (second === undefined || second.pageSize !== first.pageSize) return { fault: "the second meta page is none" }
  const newest = first.transaction >= second.transaction ? first : second
  // The older one may be malformed because LMDB could not write it: it then has the trees of a commit that failed.
  const isWhole = [newest.freeTree.root, newest.mainTree.root].every((root) => isInUse(root, newest.lastPage))
  return isWhole ? newest : { fault: "the newest meta page names a page that cannot be in use" }
}

function isInUse(root: bigint, lastPage: bigint): boolean {
  return root === NO_PAGE || (root >= 2n && root <= lastPage)
}

function readMeta(bytes: Buffer): MetaPage | undefined {
  if (bytes.length < META_BYTES || !hasMark(bytes) || bytes.readUInt16LE(at.flags) !== PageKind.meta) return undefined
  const pageSize = bytes.readUInt32LE(at.freeTree)
  if (pageSize < LEAST_PAGE_SIZE || pageSize > MOST_PAGE_SIZE || (pageSize & (pageSize - 1)) !== 0) return undefined
  const [freeTree, mainTree] = [readTree(bytes, at.freeTree), readTree(bytes, at.mainTree)]
  const lastPage = bytes.readBigUInt64LE(at.lastPage)
  return {
    pageSize,
    // The flags of the free tree's description are those of the whole file. Its keys are always numbers.
    freeTree: { ...freeTree, hasNumberKeys: true },
    mainTree,
    lastPage,
    transaction: bytes.readBigUInt64LE(at.transaction),
  }
}

function hasMark(bytes: Buffer): boolean {
  return bytes.readUInt32LE(at.magic) === MAGIC && bytes.readUInt32LE(at.version) === DATA_VERSION
}
