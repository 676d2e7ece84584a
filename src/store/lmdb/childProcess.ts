import { spawnSync } from "node:child_process"
import { existsSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { parseJson } from "../../core/lib/parseJson.js"
import { packageFile } from "../../platform/load.js"
import { storeError } from "../errors.js"
import { DATA_FILE, READERS_FILE } from "./directory.js"
import { newPath } from "./holderNote.js"
import { META_DATABASE } from "./lmdbMeta.js"
import { TWO_PAGES } from "./openRoot.js"

/**
 * The program of the child process. It opens an LMDB environment. If it is one to read, it reads every row of every database, and checks the
 * order of the keys and the number of the rows and of the databases; to skim it reads the first and the last row of each. It prints the error, or
 * the names of the databases.
 */
const PROGRAM = `
const [, lmdb, path, action] = process.argv
const bytes = { encoding: "binary", keyEncoding: "binary" }
const isRead = action !== "open"
const print = (result) => require("node:fs").writeSync(1, JSON.stringify(result))
try {
  const root = require(lmdb).open({ path, noSubdir: !isRead, readOnly: isRead, maxDbs: 1024, maxReaders: 1024, overlappingSync: false, ...bytes })
  const names = isRead ? [...root.getKeys()].map((name) => Buffer.from(name).toString().replace(/\\0$/, "")) : []
  if (isRead && names.length !== root.getStats().entryCount) throw new Error("the list of databases is not complete")
  for (const name of names) {
    const database = root.openDB(name, bytes)
    if (action === "skim") {
      for (const reverse of [false, true]) for (const { value } of database.getRange({ limit: 1, reverse })) value.length
      continue
    }
    let [rows, last] = [0, undefined]
    for (const { key } of database.getRange()) {
      if (last !== undefined && Buffer.compare(last, key) >= 0) throw new Error("the keys of " + name + " are not in order")
      last = Buffer.from(key)
      rows++
    }
    const { entryCount } = database.getStats()
    if (rows !== entryCount) throw new Error(name + " has " + rows + " rows of " + entryCount)
  }
  print({ names })
} catch ({ message }) {
  print({ fault: message })
}
`

/** Signals that end a process which has read something that is no page of LMDB's. */
const CRASHES: readonly unknown[] = ["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"]

interface ChildResult {
  readonly names?: readonly string[]
  /** The error of LMDB, or the signal that ended the process. */
  readonly fault?: string
}

function runChild(path: string, action: "open" | "read" | "skim"): ChildResult {
  const { status, signal, error, stdout } = spawnSync(process.execPath, ["-e", PROGRAM, packageFile("lmdb"), path, action], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  })
  if (error) throw error
  if (signal !== null && !CRASHES.includes(signal)) throw new Error(`the process that reads the store was ended by ${signal}`)
  return status === 0 && stdout !== ""
    ? (parseJson(stdout) as ChildResult)
    : { fault: `LMDB ended with ${signal ?? `exit code ${status}`}` }
}

/**
 * Reads all rows of the store in a directory, or skims them, in a child process, because a signal ends the process that meets a damaged page.
 * Throws `store.damaged`, or `store.foreign` if the rows are those of another program.
 */
export function checkDataFile(dir: string, action: "read" | "skim" = "read"): void {
  const { size } = statSync(join(dir, DATA_FILE))
  if (size < TWO_PAGES) throw storeError("store.damaged", { dir, file: DATA_FILE, bytes: size })
  const hadReaders = existsSync(join(dir, READERS_FILE))
  const { names = [], fault } = runChild(dir, action)
  // A directory that is refused stays as it was.
  if (fault !== undefined && !hadReaders) rmSync(join(dir, READERS_FILE), { force: true })
  if (names.length > 0 && !names.includes(META_DATABASE)) throw storeError("store.foreign", { dir })
  if (fault !== undefined) throw storeError("store.damaged", { dir, file: DATA_FILE, fault })
}

/**
 * Throws `store.unsuitable_volume` if LMDB cannot work in a directory. Some file systems cannot lock files (`fcntl`), or cannot map them into
 * memory that processes share, and lmdb 3.5.6 ends the process with SIGSEGV there. So a child process tries it first.
 */
export function requireWorkingVolume(dir: string, type: string, path = newPath(dir, "probe")): void {
  const { fault } = runChild(path, "open")
  for (const file of [path, `${path}-lock`]) rmSync(file, { force: true, recursive: true })
  if (fault !== undefined) throw storeError("store.unsuitable_volume", { dir, type })
}
