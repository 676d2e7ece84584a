import { statfsSync } from "node:fs"
import { storeError } from "../errors.js"
import { requireWorkingVolume } from "./childProcess.js"

/** File systems that several machines may mount at a time, by the type that Linux gives (`statfs`). LMDB's locks and maps do not work across machines. */
const SHARED: ReadonlyMap<number, string> = new Map([
  [0x6969, "nfs"],
  [0xff53_4d42, "cifs"],
  [0xfe53_4d42, "smb2"],
  [0x517b, "smb"],
  [0x00c3_6400, "ceph"],
  [0x0bd0_0bd0, "lustre"],
  [0x4750_4653, "gpfs"],
  [0x0116_1970, "gfs2"],
  [0x7461_636f, "ocfs2"],
  [0x1983_0326, "beegfs"],
  [0x5346_414f, "afs"],
])

/** File systems of local disks and of memory, on which LMDB works: ext, xfs, btrfs, zfs, f2fs, bcachefs, overlay, tmpfs and ramfs. */
const LOCAL: readonly number[] = [
  0xef53, 0x5846_5342, 0x9123_683e, 0x2fc1_2fc1, 0xf2f5_2010, 0xca45_1a4e, 0x794c_7630, 0x0102_1994, 0x8584_58f6,
]

/** Returns the type of the file system of a directory; `undefined` on other systems than Linux, where the numbers differ. */
const typeOf = (dir: string): number | undefined => (process.platform === "linux" ? statfsSync(dir).type >>> 0 : undefined)

/**
 * Throws `store.shared_volume` if other machines may write to the volume of a directory, because no lock excludes them, and
 * `store.unsuitable_volume` if LMDB does not work there. A child process tries what is neither known as shared nor as local, in some 50 ms.
 */
export function requireSuitableVolume(dir: string, allowsShared: boolean, type = typeOf(dir)): void {
  if (type === undefined || LOCAL.includes(type)) return
  const shared = SHARED.get(type)
  if (shared !== undefined && !allowsShared) throw storeError("store.shared_volume", { dir, type: shared })
  requireWorkingVolume(dir, shared ?? `0x${type.toString(16)}`)
}
