import { spawnSync } from "node:child_process"
import { needs } from "./needs.js"

/** True if tests may mount a disk of their own, which needs root. */
export const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0

/** Options of a test that mounts a small disk. */
export const needsMount = needs(canMount, "the right to mount a disk")
