import { writeSync } from "node:fs"
import { join } from "node:path"
import { Invalid } from "../../core/lib/invalid.js"
import { groupsIn, nextGroup } from "./groups.fixture.js"
import { openLmdbStore } from "./openLmdbStore.js"

/**
 * A program that opens the store in a directory and prints `open`, then commits group after group and prints the number of each committed
 * group. It runs until it is killed, or exits with the code of a failure. With `wait` it commits none; with `many` it opens one store after
 * the other in directories below instead; with `lazy` it makes a store that is flushed when it is closed.
 */
const [dir, mode] = process.argv.slice(2) as [string, string | undefined]
const say = (line: string) => writeSync(1, `${line}\n`)

try {
  for (let i = 0; mode === "many"; i++) openLmdbStore({ dir: join(dir, `${i}`) })
  const store = openLmdbStore({ dir, isLazy: mode === "lazy" })
  say("open")
  if (mode === "wait") setInterval(() => {}, 1000)
  while (mode !== "wait") {
    store.commit(nextGroup(store.latest))
    say(`${groupsIn(store.latest)}`)
  }
} catch (error) {
  if (!(error instanceof Invalid)) throw error
  say(`${error.code} ${error.data.pid ?? ""}`.trim())
}
