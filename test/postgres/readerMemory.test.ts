import { describe, expect, test } from "vitest"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"
import { memoryOfReader } from "../fixtures/readerMemory.js"
import { needsSoak } from "../fuzz/random.js"

/** The lengths of a chain whose number of UTXOs does not grow. */
const [SHORT, LONG] = [1000, 20_000]

/** Bytes of the cache of past rows, and bytes that a server may differ by from start to start. The blocks have 8 MB. */
const [CACHE, NOISE] = [64 << 20, 4 << 20]

describe("the memory of a read server", needsPostgres, () => {
  test(`is the same after ${SHORT} and after ${LONG} blocks, and grows by no more than its cache when all of them are read`, {
    ...needsSoak,
    timeout: 3_000_000,
  }, async () => {
    const database = await newDatabase()
    const made = openTestChain()
    const publisher = startPublisher(made, { url: database.url })
    try {
      const blocks = longChain(localNetwork(), LONG, 0n)[Symbol.iterator]()
      const publishUpTo = async (height: number) => {
        while (made.chain.lastAccepted.height < height) acceptAll(made.chain, [blocks.next().value!])
        made.chain.flush()
        publisher.wake()
        await published(publisher, BigInt(height))
      }
      await publishUpTo(SHORT)
      // The first server of a process leaves compiled code and pools behind.
      await memoryOfReader(database.url, SHORT)
      const short = await memoryOfReader(database.url, SHORT)
      await publishUpTo(LONG)
      const long = await memoryOfReader(database.url, LONG)
      console.info("bytes of a read server", { [SHORT]: short, [LONG]: long })
      expect(long.atStart - short.atStart).toBeLessThan(NOISE)
      expect(long.afterReads - long.atStart).toBeLessThan(CACHE)
    } finally {
      await publisher.stop()
      await database.close()
    }
  })
})
