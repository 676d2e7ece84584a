import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { Block } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { LOCAL_START_TIME } from "../../src/core/genesis/local.js"
import { LOCAL_ID } from "../../src/core/networks/names.js"
import { project } from "../../src/core/readmodel/fold.js"
import type { Rules } from "../../src/core/rules/context.js"
import { openStore } from "../../src/datadir/openStore.js"
import { openCopy } from "../../src/datadir/storedChain.js"
import type { Node } from "../../src/node/node.js"
import type { Store } from "../../src/store/store.js"
import { bundle } from "../child.js"
import { acceptAll, goldenChains } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase, type TestDatabase } from "../fixtures/postgres.js"
import { contentOf } from "../fixtures/publishedContent.js"
import { openGoldenData } from "../fixtures/readModel.js"
import { caughtUp, startReader } from "../fixtures/readServer.js"
import { isSoak, needsSoak, Random, seed } from "../fuzz/random.js"
import { expectBlock, expectRecordedAnswers } from "./recordedAnswers.js"

/** The number of publishers that are killed, and the number of blocks that each may publish before that. */
const KILLS = isSoak ? 250 : 10
const AHEAD = 3

describe("a publisher that is killed", needsPostgres, () => {
  const program = bundle("test/postgres/publishProcess.ts")

  /** Kills publishers of the chain in a directory, of which each pass publishes the whole chain, until enough have died. */
  async function killAll(killing: Omit<KillOptions, "program" | "random" | "kills">): Promise<void> {
    const random = new Random(seed("killed publishers"))
    for (let kills = 0; kills < KILLS; ) {
      const done = await killWhilePublishing({ program, random, kills: KILLS - kills, ...killing })
      expect(done).toBeGreaterThan(0)
      kills += done
    }
  }

  test(`has published every block exactly once after ${KILLS} kills, at whatever moment it is killed`, async () => {
    const dir = temporary()
    const store = openStore(dir)
    const data = openCopy(store, { networkID: LOCAL_ID, now: LOCAL_START_TIME })
    await fill(store, data.rules, [...longChain(localNetwork(), 2 * AHEAD * KILLS)])
    await killAll({ dir })
  }, 3_000_000)

  test.each(goldenChains)(
    `leaves three read servers with the recorded answers of %s after ${KILLS} kills`,
    { ...needsSoak, timeout: 3_000_000 },
    async (folder) => {
      const dir = temporary()
      const store = openStore(dir)
      const { data, blocks } = openGoldenData(folder, store)
      await fill(store, data.rules, blocks.slice(1))
      await killAll({ dir, readers: { blocks, folder } })
    },
  )
})

/** Accepts blocks into a store, and closes it. */
async function fill(store: Store, rules: Rules, blocks: readonly Block[]): Promise<void> {
  const chain = new Chain({ rules, state: store, project })
  acceptAll(chain, blocks)
  chain.flush()
  await store.close()
}

function temporary(): string {
  const dir = mkdtempSync(join(tmpdir(), "serac-killed-publisher-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, "chain")
}

interface KillOptions {
  readonly random: Random
  /** The program that publishes. */
  readonly program: string
  /** The directory of the chain's store. */
  readonly dir: string
  /** The number of kills at most. The chain may be published before. */
  readonly kills: number
  /** The blocks of a recorded chain, whose answers three read servers must give. */
  readonly readers?: { readonly blocks: readonly Block[]; readonly folder: string }
}

/** Publishes a chain once with publishers that are killed and once without kills, and compares the rows. Returns the number of kills. */
async function killWhilePublishing({ random, program, dir, kills, readers }: KillOptions): Promise<number> {
  const [killed, whole] = [await newDatabase(), await newDatabase()]
  const servers: Node[] = []
  const start = (url: string) => spawn(process.execPath, [program, url, dir], { stdio: ["ignore", "ignore", "inherit"] })
  try {
    const finish = async (url: string) => expect((await once(start(url), "exit"))[0]).toBe(0)
    await finish(whole.url)
    const height = await tipOf(whole)
    const killAfter = await killer(killed)
    let done = 0
    for (let left = height + 1n; left > 0n && done < kills; left = height - (await tipOf(killed))) {
      if (await killAfter(start(killed.url), 1 + random.below(AHEAD))) done++
      if (!readers) continue
      while (servers.length < 3) servers.push(await startReader(killed.url, "avalanchego"))
      const at = 1 + random.below(readers.blocks.length - 1)
      await expectBlock(servers[done % 3] as Node, readers.blocks[at] as Block)
    }
    await finish(killed.url)
    expect(await contentOf(killed.sql)).toEqual(await contentOf(whole.sql))
    await Promise.all(servers.map((server) => caughtUp(server, height)))
    if (readers) await expectRecordedAnswers(readers.folder, servers)
    return done
  } finally {
    for (const server of servers) await server.stop()
    await killed.close()
    await whole.close()
  }
}

/** The height of the last published block; -1 if there is none. */
async function tipOf({ sql }: TestDatabase): Promise<bigint> {
  const [found] = await sql`select to_regclass('serac.tip') as tip`
  const [row] = found?.tip ? await sql<{ height: bigint }[]>`select height from serac.tip` : []
  return row?.height ?? -1n
}

/** Returns a function that kills a publisher after `tips` new tips, and returns false if the publisher ended before. */
async function killer({ sql }: TestDatabase): Promise<(child: ChildProcess, tips: number) => Promise<boolean>> {
  let left = 0
  let onTip: () => void = () => {}
  await sql.listen("serac_tip", () => {
    if (--left === 0) onTip()
  })
  return async (child, tips) => {
    const exited = once(child, "exit")
    left = tips
    onTip = () => void child.kill("SIGKILL")
    const [code, signal] = await exited
    expect(code ?? signal).toBeOneOf([0, "SIGKILL"])
    await endBackends(sql)
    return signal !== null
  }
}

/**
 * Ends the server's processes of a publisher that was killed, which otherwise notice its death only when they write to it. They may commit
 * one more block before they end.
 */
async function endBackends(sql: TestDatabase["sql"]): Promise<void> {
  const end = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'serac publish' and datname = current_database()`
  while ((await end()).length > 0) await new Promise(setImmediate)
}
