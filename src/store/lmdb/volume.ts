import { readFileSync, realpathSync } from "node:fs"
import { storeError } from "../errors.js"

/** File systems that several machines may mount at a time. LMDB's locks and maps do not work across machines. */
const SHARED: ReadonlySet<string> = new Set([
  "nfs",
  "nfs4",
  "cifs",
  "smb3",
  "smbfs",
  "ncpfs",
  "afs",
  "ceph",
  "lustre",
  "gpfs",
  "gfs2",
  "ocfs2",
  "beegfs",
  "fuse.sshfs",
  "fuse.glusterfs",
  "fuse.s3fs",
  "fuse.rclone",
  "fuse.ceph",
])

/** File systems on which LMDB works: those of local disks and of memory. On others a child process tries it, which takes some 50 ms. */
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

/** Returns whether LMDB works on a file system. An unknown one, as on other systems than Linux, is taken for one of a local disk. */
export const isLocalVolume = (type: string | undefined): boolean => type === undefined || LOCAL.has(type)

/** Throws `store.shared_volume` if a directory is on a volume that other machines may write to, because no lock would exclude them. */
export function requireOwnVolume(dir: string, type: string | undefined): void {
  if (type !== undefined && SHARED.has(type)) throw storeError("store.shared_volume", { dir, type })
}

/** Returns the type of the file system of a path, from the mounts as Linux lists them (`/proc/self/mountinfo`). */
export function volumeType(dir: string, mounts: string = mountsOfThisProcess()): string | undefined {
  const path = realPath(dir)
  let found: { readonly point: string; readonly type: string } | undefined
  for (const line of mounts.split("\n")) {
    const [before = "", after = ""] = line.split(" - ")
    const point = unescaped(before.split(" ")[4] ?? "")
    const type = after.split(" ")[0]
    if (point === "" || type === undefined || !isWithin(path, point)) continue
    // Of two mounts at one place the later one is visible.
    if (found === undefined || point.length >= found.point.length) found = { point, type }
  }
  return found?.type
}

function isWithin(path: string, point: string): boolean {
  return point === "/" || path === point || path.startsWith(`${point}/`)
}

/** Spaces and similar characters are written as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
}

function realPath(dir: string): string {
  try {
    return realpathSync(dir)
  } catch {
    return dir
  }
}

function mountsOfThisProcess(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
  } catch {
    return ""
  }
}
