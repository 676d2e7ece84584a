import { Keystore } from "../src/keystore/keystore.js"
import { argon2id } from "../src/keystore/passwordHash.js"
import { entropyOf, knowledgeOf } from "../src/keystore/strength/entropy.js"
import { loadWords } from "../src/keystore/strength/words.js"
import { keystoreTables } from "../src/keystore/tables.js"
import { MemoryStore } from "../src/store/memory/memoryStore.js"
import { measure, type Report } from "./harness.js"

const PASSWORD = "Fuji-Test-1234"
const ROUNDS = 5
const EXPORTS = 8

/** Measures the time to estimate the strength of a password, to hash it, and to check many at once while other calls wait. */
export const keystoreReports: readonly Report[] = [
  {
    name: "keystore",
    async run(print) {
      const loading = performance.now()
      const knowledge = knowledgeOf(await loadWords())
      print(`keystore, words loaded once, when first needed: ${(performance.now() - loading).toFixed(0)} ms`)
      for (const [name, password] of [
        ["an everyday password", PASSWORD],
        ["one with every sign for a letter", "4@8({[<3691!|70$5+%2".repeat(3)],
      ] as const) {
        print(`keystore, judge ${name}: ${measure({ run: () => entropyOf(password, knowledge) }).micros.toFixed(0)} µs`)
      }
      const salt = new Uint8Array(16)
      await argon2id(PASSWORD, salt)
      print(`keystore, hash a password (argon2id, 64 MiB): ${(await millisOf(() => argon2id(PASSWORD, salt))).toFixed(1)} ms`)
      const keystore = new Keystore(new MemoryStore({ tables: [], tablesBesideChain: keystoreTables }))
      await keystore.createUser("bob", PASSWORD, "avalanchego")
      await keystore.createUser("eve", PASSWORD, "avalanchego")
      const { each, delay } = await crowd((i) => keystore.exportUser(i % 2 ? "bob" : "eve", PASSWORD, "avalanchego"))
      print(
        `keystore, ${EXPORTS} exports at once: ${each.toFixed(1)} ms each, the event loop waited ${delay.toFixed(1)} ms at most`,
      )
    },
  },
]

/** The median time of a call, in milliseconds. */
async function millisOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1]!
}

/** Many calls at once: the share of each in the whole time, and the longest wait of any other call (milliseconds). */
async function crowd(run: (index: number) => Promise<unknown>): Promise<{ each: number; delay: number }> {
  let delay = 0
  let last = performance.now()
  const watch = () => {
    delay = Math.max(delay, performance.now() - last)
    last = performance.now()
    timer = setImmediate(watch)
  }
  let timer = setImmediate(watch)
  const start = performance.now()
  await Promise.all(Array.from({ length: EXPORTS }, (_, i) => run(i)))
  clearImmediate(timer)
  return { each: (performance.now() - start) / EXPORTS, delay }
}
