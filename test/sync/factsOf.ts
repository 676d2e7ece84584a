import { hashedTables, tables } from "../../src/core/state/tables.js"
import { devTables } from "../../src/producer/tables.js"
import { openToRead } from "../../src/sources/fork/forkBase.js"
import { stateHash } from "../../src/store/maintenance/stateHash.js"

/** The state of a directory: its hash, its overrides, its rules and its ID; and whether it has secrets. */
export async function factsOf(dataDir: string) {
  const store = await openToRead(dataDir)
  try {
    return {
      hash: stateHash(store.latest, hashedTables),
      overrides: [...store.latest.rows(devTables.overrides)],
      l1Record: [[...store.latest.rows(tables.l1FeeRecord)], [...store.latest.rows(tables.l1MemberDiffs)]],
      rules: [store.getMeta("rules"), store.getMeta("upgrades")],
      id: JSON.parse(store.getMeta("identity") as string).id as string,
    }
  } finally {
    await store.close()
  }
}
