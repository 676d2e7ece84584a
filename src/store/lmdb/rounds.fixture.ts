import { writeSync } from "node:fs"
import { Invalid } from "../../core/lib/invalid.js"
import { isFinalFailure } from "../errors.js"
import { groupsIn, nextGroup } from "./groups.fixture.js"
import { openLmdbStore } from "./openLmdbStore.js"

/**
 * A program that opens the store in a directory and prints `open`, then commits a number of groups and prints the number of each committed
 * group. If a commit fails it prints the reason and tries again, as a node does; if nothing can be written any more it ends. At the end it
 * closes the store and prints `closed`.
 */
const [dir, rounds] = process.argv.slice(2) as [string, string]
const say = (line: string) => writeSync(1, `${line}\n`)

async function main(): Promise<void> {
  const store = openLmdbStore({ dir })
  say("open")
  for (let attempt = 0; attempt < Number(rounds) * 2 && groupsIn(store.latest) < BigInt(rounds); attempt++) {
    try {
      store.commit(nextGroup(store.latest))
      say(`${groupsIn(store.latest)}`)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      say(error.code)
      if (isFinalFailure(error)) break
    }
  }
  await store.close()
  say("closed")
}

main().catch((error) => {
  say(error instanceof Invalid ? error.code : `fault ${error}`)
  process.exitCode = 1
})
