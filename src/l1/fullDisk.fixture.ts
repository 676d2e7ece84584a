import { WriteGuard } from "../store/lmdb/writeGuard.js"
import { LmdbDatabase } from "../vmhost/database/lmdbDatabase.js"

// Writes rows of a size into the database of a plugin until four writes have failed, and prints the errors and the rows that were written and
// are there. It runs as a process of its own, whose files may have a limited size.

const [dir = "", count = "", size = ""] = process.argv.slice(2)
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const database = new LmdbDatabase(dir, 2 ** 36, new WriteGuard(dir, (error) => say({ final: (error as Error).message })))
const errors: string[] = []
let written = 0
for (let next = 0; errors.length < 4; ) {
  const puts = Array.from({ length: Number(count) }, () => {
    const key = Buffer.alloc(12)
    key.writeUInt32BE((next * 7919) % 1_000_003)
    key.writeUInt32BE(next++, 8)
    return { key, value: Buffer.alloc(Number(size), next) }
  })
  try {
    database.write({ puts, deletes: [] })
    written += puts.length
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    errors.push(code ?? message)
  }
}
const rows = [...database.rows(new Uint8Array(0), new Uint8Array(0))].length
await database.close()
say({ errors, isWhole: rows === written && written > 0 })
