import * as fs from "node:fs"

/**
 * The system calls that a store makes itself, besides those of LMDB: it writes, syncs, links, renames and removes only through them. Tests
 * pass others, which fail on demand.
 */
export const systemFiles = {
  open: (path: string, flags: string, mode?: number): number => fs.openSync(path, flags, mode),
  write: (handle: number, bytes: Uint8Array, position: number): number => fs.writeSync(handle, bytes, 0, bytes.length, position),
  /** Removes the content of a file. */
  truncate: (handle: number): void => fs.ftruncateSync(handle),
  sync: (handle: number): void => fs.fsyncSync(handle),
  close: (handle: number): void => fs.closeSync(handle),
  link: (from: string, to: string): void => fs.linkSync(from, to),
  rename: (from: string, to: string): void => fs.renameSync(from, to),
  remove: (path: string): void => fs.rmSync(path, { force: true }),
  /** Returns the free bytes of the disk of a path for this process. */
  freeBytes: (path: string): number => {
    const { bavail, bsize } = fs.statfsSync(path)
    return bavail * bsize
  },
}

export type StoreFiles = Readonly<typeof systemFiles>

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
  syncAndClose(files, handle)
}

export function syncFile(files: StoreFiles, path: string): void {
  syncAndClose(files, files.open(path, "r+"))
}

function syncAndClose(files: StoreFiles, handle: number): void {
  try {
    files.sync(handle)
  } finally {
    files.close(handle)
  }
}
