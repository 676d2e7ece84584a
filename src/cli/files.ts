import { accessSync, constants, existsSync, statSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Invalid } from "../core/lib/invalid.js"
import { readBoundedFile } from "../files/readBoundedFile.js"
import { writeWholeFile } from "../files/writeWholeFile.js"
import { cliError } from "./errors.js"

/** Limit of a configuration, a genesis file or a structure to decode, bytes. Mainnet's genesis file has 3 MB. */
export const MAX_INPUT = 64 << 20

/** Reads a named file of up to `limit` bytes, and unpacks gzip. Throws `cli.unreadable_file` and `files.too_large`. */
export function readNamedFile(path: string, limit: number = MAX_INPUT): Uint8Array {
  try {
    return readBoundedFile(path, limit)
  } catch (error) {
    if (error instanceof Invalid) throw error
    throw cliError("cli.unreadable_file", { file: path, reason: reasonOf(error) })
  }
}

/** Reads a file that may be missing, as `readNamedFile` does; returns `undefined` if it is. */
export function readFileIfThere(path: string, limit: number): Uint8Array | undefined {
  return existsSync(path) ? readNamedFile(path, limit) : undefined
}

/** Writes a file atomically, readable by its owner only. The old file stays if there is no room. Throws `cli.unwritable_file`. */
export function writeNamedFile(path: string, bytes: Uint8Array): void {
  try {
    const isPipe = statSync(path, { throwIfNoEntry: false })?.isFile() === false
    if (isPipe) writeFileSync(path, bytes)
    else writeWholeFile(path, bytes)
  } catch (error) {
    throw cliError("cli.unwritable_file", { file: path, reason: reasonOf(error) })
  }
}

/** Checks that a file can be written here later, without changing an existing one. Throws `cli.unwritable_file`. */
export function checkWritable(path: string): void {
  try {
    if (existsSync(path)) accessSync(path, constants.W_OK)
    else accessSync(dirname(resolve(path)), constants.W_OK)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error("EISDIR: it is a directory")
  } catch (error) {
    throw cliError("cli.unwritable_file", { file: path, reason: reasonOf(error) })
  }
}

/** Returns the system's reason of a failure, without the path that it repeats: `ENOENT: no such file or directory`. */
export function reasonOf(error: unknown): string {
  return (error as Error).message.split(", ")[0] as string
}
