import { randomBytes } from "node:crypto"
import { cpSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
import { LmdbDatabase } from "../vmhost/database/lmdbDatabase.js"
import { l1Dir, l1Folder, readRecords, writeRecord } from "./l1Record.js"

/**
 * Copies the L1s of a data directory while `work` copies its chain, whether a node has them open or not. Each L1 is consistent in itself.
 * The L1s come first, so that the copied P-Chain has every height that their blocks name. If anything fails, nothing of the L1s is left.
 * Returns the names of the L1s. Throws `vm.damaged_record`.
 */
export async function copyingL1s(dataDir: string, target: string, work: () => Promise<void>): Promise<readonly string[]> {
  const from = l1Folder(dataDir)
  const part = `${target}.l1.${randomBytes(6).toString("hex")}.part`
  try {
    const records = readRecords(from, (refusal) => {
      throw refusal
    })
    for (const record of records) {
      writeRecord(part, record)
      const [source, copy] = [l1Dir(from, record.chainID), l1Dir(part, record.chainID)]
      const database = new LmdbDatabase(join(source, "db"), Number.POSITIVE_INFINITY)
      try {
        makeOwnerDirectory(join(copy, "db"))
        await database.copyTo(join(copy, "db"))
      } finally {
        await database.close()
      }
      cpSync(join(source, "vm"), join(copy, "vm"), { recursive: true })
    }
    await work()
    if (records.length > 0) renameSync(part, l1Folder(target))
    return records.map(({ name }) => name)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw error
  }
}
