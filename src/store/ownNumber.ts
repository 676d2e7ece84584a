import { load } from "../core/crypto/load.js"
import { storeError } from "./errors.js"

/** Flag of an environment or a transaction that only reads (`MDB_RDONLY`). */
const READING = 0x20000

/** The bytes that a key may have, and more. */
const KEY_BYTES = 4096

/** Native part of lmdb, from which its own `open` is built; its types do not name it. */
interface Native {
  readonly Env: new () => NativeEnv
  readonly Txn: new (env: NativeEnv, flags: number) => { abort(): void }
}

interface NativeEnv {
  open(options: object, flags: number, jsFlags: number): number
  close(): void
}

/**
 * Throws `store.same_pid` where a process in another container has the store open and has the process number there that this process has
 * here. LMDB tells its readers apart by these numbers, with a lock of the operating system for each. lmdb 3.5.6 waits for that lock for ten
 * seconds, and a failed timer of its own then ends the process; so a transaction is tried first, which fails at once.
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
