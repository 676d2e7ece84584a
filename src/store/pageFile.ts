import { closeSync, fstatSync, openSync, readSync } from "node:fs"

/** Bytes at the head of every page of an LMDB file (data format 2): number, transaction, padding, flags, and the bounds of its free space. */
export const PAGE_HEADER = 24

/** Flags of a page, which name its contents. */
export const PageKind = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08 } as const

/** The number that means no page. */
export const NO_PAGE = 0xffff_ffff_ffff_ffffn

/** An LMDB file that is read as plain bytes, before it is mapped into memory. */
export class PageFile {
  readonly #handle: number

  /** Opens the file. Throws the file system's error. */
  constructor(path: string) {
    this.#handle = openSync(path, "r")
  }

  get bytes(): number {
    return fstatSync(this.#handle).size
  }

  /** Reads `size` bytes at an offset of the file; fewer at its end. */
  read(position: number, size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size)
    return bytes.subarray(0, this.readInto(bytes, position))
  }

  /** Fills these bytes from an offset of the file, and returns the number of bytes that were read. */
  readInto(bytes: Buffer, position: number): number {
    return readSync(this.#handle, bytes, 0, bytes.length, position)
  }

  close(): void {
    closeSync(this.#handle)
  }
}
