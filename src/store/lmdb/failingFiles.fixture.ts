import { type StoreFiles, systemFiles } from "./storeFiles.js"

/** The refusals by the names of system errors. */
export const CODES_BY_ERROR: Readonly<Record<string, string>> = {
  EIO: "store.io_error",
  ENOSPC: "store.disk_full",
  EROFS: "store.read_only_disk",
}

/** Returns system calls of which the n-th fails with this error. Space is always scarce. */
export function failingAt(n: number, name: string): { readonly files: StoreFiles; readonly calls: () => number } {
  let calls = 0
  const failing =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      calls++
      if (calls === n) throw Object.assign(new Error(`${name}: injected`), { code: name })
      return call(...args)
    }
  const { open, write, truncate, sync, link, rename, remove, close } = systemFiles
  return {
    files: {
      open: failing(open),
      write: failing(write),
      truncate: failing(truncate),
      sync: failing(sync),
      link: failing(link),
      rename: failing(rename),
      remove: failing(remove),
      close,
      freeBytes: () => 0,
    },
    calls: () => calls,
  }
}
