import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { packageFile } from "../core/crypto/load.js"
import { storeError } from "./errors.js"
import { LOCK_FILE } from "./holderNote.js"

/** File systems on which LMDB works: those of local disks and of memory. */
const LOCAL: ReadonlySet<string> = new Set([
  "bcachefs",
  "btrfs",
  "ext2",
  "ext3",
  "ext4",
  "f2fs",
  "jfs",
  "nilfs2",
  "overlay",
  "ramfs",
  "reiserfs",
  "tmpfs",
  "xfs",
  "zfs",
])

/** Flags of LMDB: the path names a file (`MDB_NOSUBDIR`), and the environment is only read (`MDB_RDONLY`). */
const [FILE, READING] = [0x4000, 0x20000]

/** The program of the child process: it locks and maps the files of an environment and reads nothing, so damaged pages do no harm. */
const PROGRAM = `
const [, lmdb, path, flags] = process.argv
const options = { path, mapSize: 1 << 20, maxReaders: 1024, keyBytes: Buffer.alloc(4096) }
new (require(lmdb).nativeAddon.Env)().open(options, Number(flags), 0)
`

/** A directory to probe. */
export interface VolumeProbe {
  readonly dir: string
  /** The type of its file system; `undefined` if it is not known. */
  readonly type: string | undefined
  /** Only reads the store that is there. */
  readonly readOnly: boolean
  /** The file that LMDB makes and that is removed afterwards. */
  readonly name?: string
}

/**
 * Throws `store.unsuitable_volume` if LMDB cannot work in a directory. Some file systems cannot lock files (`fcntl`), or cannot map them into
 * memory that processes share, and lmdb 3.5.6 ends the process with SIGSEGV there. So a child process tries it first, except on the usual
 * file systems, because the child takes some 50 ms.
 */
export function requireWorkingVolume({ dir, type, readOnly, name = newName() }: VolumeProbe): void {
  if (type === undefined || LOCAL.has(type)) return
  const path = join(dir, name)
  const words = readOnly ? [dir, `${READING}`] : [path, `${FILE}`]
  const { status } = spawnSync(process.execPath, ["-e", PROGRAM, packageFile("lmdb"), ...words], { stdio: "ignore" })
  if (!readOnly) for (const file of [path, `${path}-lock`]) rmSync(file, { force: true, recursive: true })
  if (status !== 0) throw storeError("store.unsuitable_volume", { dir, type })
}

const newName = () => `${LOCK_FILE}.${randomBytes(6).toString("hex")}.probe`
