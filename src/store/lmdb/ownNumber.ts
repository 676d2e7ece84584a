import { load } from "../../platform/load.js"
import { storeError } from "../errors.js"

/** The flag of an environment or a transaction that only reads (`MDB_RDONLY`). */
const READING = 0x20000

/** The size of a buffer for keys, more than any key needs. */
const KEY_BYTES = 4096

/** The native part of lmdb, on which its own `open` is built. Its types do not declare it. */
interface Native {
  readonly Env: new () => NativeEnv
  readonly Txn: new (env: NativeEnv, flags: number) => { abort(): void }
}

interface NativeEnv {
  open(options: object, flags: number, jsFlags: number): number
  close(): void
}

/**
 * Throws `store.same_pid` if a process in another container has the store open and has the same process ID there as this process has here.
 * LMDB distinguishes its readers by these IDs, with a lock of the operating system for each. lmdb 3.5.6 waits ten seconds for that lock,
 * and a failed timer of its own then ends the process; so a transaction is tried first, which fails at once.
 */
export function requireOwnNumber(dir: string, mapSize: number): void {
  const { Env, Txn } = load<{ nativeAddon: Native }>("lmdb").nativeAddon
  const env = new Env()
  env.open({ path: dir, mapSize, maxReaders: 1024, keyBytes: Buffer.alloc(KEY_BYTES) }, READING, 0)
  try {
    new Txn(env, READING).abort()
  } catch (error) {
    if (!(error as Error).message.includes("temporarily unavailable")) throw error
    throw storeError("store.same_pid", { dir, pid: process.pid })
  } finally {
    env.close()
  }
}
