import { spawn } from "node:child_process"
import { once } from "node:events"
import { describe, expect, test } from "vitest"
import { bundle } from "../child.js"
import { newDatabase, noteNoPostgres } from "../fixtures/postgres.js"
import { noPostgres } from "../fixtures/postgresServer.js"
import { contentOf } from "../fixtures/publishedContent.js"
import { attempts, Random, seed } from "../strangers/random.js"

noteNoPostgres()

const KILLS = 100
/** The number of blocks that each publisher may publish before it is killed, and the length of the chain. */
const AHEAD = 5
const LENGTH = AHEAD * attempts(KILLS)

describe.skipIf(noPostgres !== undefined)("a publisher that is killed", () => {
  test("has published every block exactly once, at whatever moment it is killed", async () => {
    const program = bundle("test/postgres/publishProcess.ts")
    const random = new Random(seed("killed publishers"))
    const [killed, whole] = [await newDatabase(), await newDatabase()]
    const start = (url: string, height: number, ...stays: string[]) =>
      spawn(process.execPath, [program, url, String(height), ...stays], { stdio: ["ignore", "ignore", "inherit"] })
    try {
      let left = 0
      let onTip: () => void = () => {}
      await killed.sql.listen("serac_tip", () => {
        if (left-- === 0) onTip()
      })
      let kills = 0
      for (let kill = 0; kill < attempts(KILLS); kill++) {
        const child = start(killed.url, AHEAD * (kill + 1), "stay")
        const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>
        left = random.below(AHEAD)
        onTip = () => void child.kill("SIGKILL")
        if ((await exited)[1] === "SIGKILL") kills++
        await killed.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'serac publish'`
      }
      onTip = () => {}
      expect(kills).toBe(attempts(KILLS))
      for (const { url } of [killed, whole]) expect((await once(start(url, LENGTH), "exit"))[0]).toBe(0)
      expect(await contentOf(killed.sql)).toEqual(await contentOf(whole.sql))
    } finally {
      await killed.close()
      await whole.close()
    }
  }, 600_000)
})
