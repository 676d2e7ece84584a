import { afterEach, describe, expect, test } from "vitest"
import { toHexText } from "../../src/core/types/hexText.js"
import type { Node } from "../../src/node/node.js"
import { openDatabase } from "../../src/postgres/connection.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres } from "../fixtures/postgres.js"
import { givenServer, type PostgresServer, startPostgres } from "../fixtures/postgresServer.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"
import { needs } from "../needs.js"

const blocks = [...longChain(localNetwork(), 30)]

/** Starts a replica that the primary streams to. */
function startReplica(primary: PostgresServer): Promise<PostgresServer> {
  return startPostgres({
    settings: { wal_retrieve_retry_interval: "100ms" },
    prepare: (dir, run) =>
      run("pg_basebackup", ["-D", dir, "-d", primary.url("postgres"), "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"]),
  })
}

/** Calls a server repeatedly and checks that each answer is correct or 503, and that heights never decrease. */
function askAgainAndAgain(server: Node) {
  let isStopped = false
  let answers = 0
  const work = async () => {
    for (let height = 0n; !isStopped; ) {
      const now = await ask(server, "platform.getHeight")
      if (now.status === 200) {
        const answered = BigInt(now.body.result.height)
        expect(answered).toBeGreaterThanOrEqual(height)
        height = answered
      }
      const block = blocks[Number(height) - 1]
      const past = await ask(server, "platform.getBlockByHeight", { height: String(height), encoding: "hex" })
      if (past.status === 200 && block) expect(past.body.result.block).toBe(toHexText(block.bytes, "hex"))
      else expect([200, 503]).toContain(past.status)
      answers++
    }
    return answers
  }
  const done = work()
  done.catch(() => {})
  return () => {
    isStopped = true
    return done
  }
}

describe(
  "a primary with a streaming replica",
  givenServer === undefined ? needsPostgres : needs(false, "a PostgreSQL server that the tests start"),
  () => {
    const closing: (() => Promise<unknown>)[] = []
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close()
    })

    test("a server that reads the replica follows through kills of either, and through a failover", async () => {
      const primary = await startPostgres()
      closing.push(() => primary.remove())
      const chain = openTestChain()
      const grow = (height: number) => {
        acceptAll(chain.chain, blocks.slice(Number(chain.chain.lastAccepted.height), height))
        chain.chain.flush()
        publisher.wake()
        return caughtUp(reader, BigInt(height))
      }
      const publisher = startPublisher(chain, { url: primary.url("postgres") })
      closing.push(() => publisher.stop())
      await published(publisher, 0n)
      const replica = await startReplica(primary)
      closing.push(() => replica.remove())
      const reader = await startReader(replica.url("postgres"))
      closing.push(() => reader.stop())
      await grow(5)
      const stopAsking = askAgainAndAgain(reader)
      for (const [i, server] of [replica, primary, replica, primary].entries()) {
        await server.stop("SIGQUIT")
        await server.start()
        await grow(10 + 5 * i)
      }
      // The primary does not return: its replica is promoted, and a publisher continues there.
      await primary.stop("SIGQUIT")
      const sql = await openDatabase(replica.url("postgres"), { max: 1, name: "test" })
      closing.push(() => sql.end({ timeout: 1 }))
      await sql`select pg_promote()`
      const next = startPublisher(chain, { url: replica.url("postgres") })
      closing.push(() => next.stop())
      acceptAll(chain.chain, blocks.slice(25))
      chain.chain.flush()
      next.wake()
      await caughtUp(reader, 30n)
      expect(await stopAsking()).toBeGreaterThan(10)
      expect([...(await sql`select count(*), max(height) from serac.blocks`)]).toEqual([{ count: 31n, max: 30n }])
    })
  },
)
