import { readFileSync, writeFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { cliError } from "./errors.js"

/** The bytes of a file that someone named; gzip is unpacked. Throws `cli.unreadable_file`. */
export function readNamedFile(path: string): Uint8Array {
  try {
    const bytes = readFileSync(path)
    return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  } catch (error) {
    throw cliError("cli.unreadable_file", { file: path, reason: reasonOf(error) })
  }
}

/** Throws `cli.unwritable_file`. */
export function writeNamedFile(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes)
  } catch (error) {
    throw cliError("cli.unwritable_file", { file: path, reason: reasonOf(error) })
  }
}

/** Why the system refused, without the path it repeats: `ENOENT: no such file or directory`. */
export function reasonOf(error: unknown): string {
  return (error as Error).message.split(", ")[0] as string
}
