import * as fs from "node:fs"

/**
 * The system calls that a store makes itself, besides those of LMDB: it writes, syncs, links, renames and removes only through them. Tests
 * pass others, which fail on demand.
 */
export interface StoreFiles {
  open(path: string, flags: string | number, mode?: number): number
  write(handle: number, bytes: Uint8Array, position: number): number
  /** Removes the content of a file. */
  truncate(handle: number): void
  sync(handle: number): void
  close(handle: number): void
  link(from: string, to: string): void
  rename(from: string, to: string): void
  remove(path: string): void
  /** Returns the free bytes of the disk of a path for this process. */
  freeBytes(path: string): number
}

/** The calls of this system. */
export const systemFiles: StoreFiles = {
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
  write: (handle, bytes, position) => fs.writeSync(handle, bytes, 0, bytes.length, position),
  truncate: (handle) => fs.ftruncateSync(handle),
  sync: (handle) => fs.fsyncSync(handle),
  close: (handle) => fs.closeSync(handle),
  link: (from, to) => fs.linkSync(from, to),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.rmSync(path, { force: true }),
  freeBytes: (path) => {
    const { bavail, bsize } = fs.statfsSync(path)
    return bavail * bsize
  },
}

/** Writes a new file exclusively, and syncs it to the disk. Throws the system's error; nothing is left then. */
export function writeNewFile(files: StoreFiles, path: string, bytes: Uint8Array, mode: number): void {
  const handle = files.open(path, "wx", mode)
  try {
    writeAll(files, handle, bytes, 0)
    files.sync(handle)
  } catch (error) {
    files.remove(path)
    throw error
  } finally {
    files.close(handle)
  }
}

/** Writes all of these bytes. A disk that takes only some of them is asked again, so that it reports the reason. */
export function writeAll(files: StoreFiles, handle: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += files.write(handle, bytes.subarray(done), position + done)
}

/** Makes the entries of a directory durable. Systems that cannot do so keep them durable by themselves. */
export function syncDirectory(files: StoreFiles, dir: string): void {
  let handle: number
  try {
    handle = files.open(dir, "r")
  } catch (error) {
    if (["EISDIR", "EPERM", "EACCES"].includes((error as { code?: string }).code ?? "")) return
    throw error
  }
  try {
    files.sync(handle)
  } finally {
    files.close(handle)
  }
}

/** Makes the content of a file durable. */
export function syncFile(files: StoreFiles, path: string): void {
  const handle = files.open(path, "r+")
  try {
    files.sync(handle)
  } finally {
    files.close(handle)
  }
}
