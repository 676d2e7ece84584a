import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { LOCAL_START_TIME } from "../../src/core/genesis/local.js"
import type { Log } from "../../src/core/lib/log.js"
import { silentLog } from "../../src/core/lib/log.js"
import { identityText } from "../../src/core/networks/chainIdentity.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { networkChainIDOf, newChainID } from "../../src/datadir/storedIdentity.js"
import { devOf } from "../../src/producer/dev.fixture.js"
import { type PrivateNode, type PrivateNodeOptions, startPrivateNode } from "../../src/sources/private/privateNode.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase, type TestDatabase } from "../fixtures/postgres.js"
import { openTestChain, published, startPublisher, type TestChain } from "../fixtures/publishedChain.js"
import { contentOf } from "../fixtures/publishedContent.js"
import { caughtUp, startReader } from "../fixtures/readServer.js"

const temporary = () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-identity-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const database = async (): Promise<TestDatabase> => {
  const made = await newDatabase()
  onTestFinished(() => made.close())
  return made
}

/** A chain of a network with 12 blocks. */
function networkChain(): TestChain {
  const made = openTestChain()
  acceptAll(made.chain, [...longChain(localNetwork(), 12)])
  made.chain.flush()
  return made
}

/** Publishes a chain to its last block. */
async function publish(chain: TestChain, url: string, height: bigint, more: object = {}): Promise<void> {
  const publisher = startPublisher(chain, { url, ...more })
  try {
    await published(publisher, height)
  } finally {
    await publisher.stop()
  }
}

interface LogLine {
  readonly event: string
  readonly data: unknown
}

/** A log that remembers its warnings. */
function warningsOf(lines: LogLine[]): Log {
  return { ...silentLog, warn: (event: string, data?: unknown) => void lines.push({ event, data }) }
}

const options = { dialect: "contract", isPublic: false, log: silentLog, wall: () => Number(LOCAL_START_TIME) * 1000 } as const

/** Starts a private chain with the genesis of the local network, as `networkChain` has it. */
async function startPrivate(publish: string, more: Partial<PrivateNodeOptions> = {}) {
  const node = await startPrivateNode({
    ...options,
    choice: { now: LOCAL_START_TIME, networkID: 12345, ruleFlags: {} },
    producer: { startTime: LOCAL_START_TIME + 1000n },
    publish,
    ...more,
  })
  onTestFinished(() => node.stop())
  return node
}

const tipOf = async ({ sql }: TestDatabase) => (await sql`select height, reverts from serac.tip`)[0]

/** Waits until the last block of a private chain is published. */
async function publishedBy(node: PrivateNode, { sql }: TestDatabase): Promise<void> {
  for (;;) {
    const [tip] = await sql<{ height: bigint }[]>`select height from serac.tip`
    if (tip?.height === node.height()) return
  }
}

describe("a database knows whose chain it has", needsPostgres, () => {
  test("a private chain and a fork are refused where a network's chain with the same genesis is published, and remove nothing", async () => {
    const made = await database()
    const network = networkChain()
    await publish(network, made.url, 12n)
    const before = await contentOf(made.sql)
    await expect(startPrivate(made.url)).rejects.toMatchObject({
      code: "postgres.other_chain",
      data: { expected: expect.stringMatching(/^private, local, /), got: expect.stringMatching(/^followed, local, 12345-/) },
    })
    const from = temporary()
    const copy = openTestChain(openStore(chainDir(from)))
    acceptAll(copy.chain, [...longChain(localNetwork(), 12)])
    copy.chain.flush()
    await copy.store.close()
    await expect(startPrivate(made.url, { fork: { from } })).rejects.toMatchObject({
      code: "postgres.other_chain",
      data: { expected: expect.stringMatching(/^fork, local, /) },
    })
    expect(await contentOf(made.sql)).toEqual(before)
  })

  test("--replace removes the other chain and says what it removed; a read server of the other chain ends", async () => {
    const made = await database()
    await publish(networkChain(), made.url, 12n)
    const reader = await startReader(made.url)
    onTestFinished(() => reader.stop())
    await caughtUp(reader, 12n)
    const warnings: LogLine[] = []
    const node = await startPrivate(made.url, { replaces: true, log: warningsOf(warnings) })
    await devOf(node).mine({ blocks: 1, filler: true })
    await publishedBy(node, made)
    expect(warnings).toEqual([
      {
        event: "another chain was removed from the database (--replace)",
        data: expect.objectContaining({ kind: "followed", network: "local", height: 12n }),
      },
    ])
    await expect(reader.failed).rejects.toMatchObject({ code: "postgres.replaced" })
    const [chain] = await made.sql`select kind, identity from serac.chain`
    const [blocks] = await made.sql`select count(*), max(height) from serac.blocks`
    expect([chain?.kind, blocks]).toEqual(["private", { count: node.height() + 1n, max: node.height() }])
    await expect(startPrivate(made.url)).rejects.toMatchObject({ code: "postgres.other_chain" })
  })

  test("a private chain is published again after a restart, from its backup and after a revert, and a fork of it is refused", async () => {
    const made = await database()
    const dataDir = temporary()
    const first = await startPrivate(made.url, { dataDir })
    await devOf(first).mine({ blocks: 2, filler: true })
    await publishedBy(first, made)
    await first.stop()
    const again = await startPrivate(made.url, { dataDir })
    await devOf(again).mine({ blocks: 1, filler: true })
    await publishedBy(again, made)
    const early = await devOf(again).snapshot()
    await devOf(again).mine({ blocks: 2, filler: true })
    await publishedBy(again, made)
    await devOf(again).revert(early.id)
    await publishedBy(again, made)
    expect(await tipOf(made)).toEqual({ height: early.height, reverts: 1n })
    await again.stop()
    await expect(startPrivate(made.url, { fork: { from: dataDir } })).rejects.toMatchObject({ code: "postgres.other_chain" })
    expect(await tipOf(made)).toEqual({ height: early.height, reverts: 1n })
  })

  test("a standby of another identity is refused while a publisher holds the database", async () => {
    const made = await database()
    const holder = startPublisher(networkChain(), { url: made.url })
    onTestFinished(() => holder.stop())
    await published(holder, 12n)
    await expect(startPrivate(made.url)).rejects.toMatchObject({ code: "postgres.other_chain" })
    expect(holder.status).toMatchObject({ phase: "publishing", height: 12n, problem: undefined })
  })

  test("nodes of one network and copies of one private chain may publish in turn, whatever their kind", async () => {
    for (const own of [undefined, newChainID()]) {
      const made = await database()
      for (const kind of ["joined", "followed"] as const) {
        const chain = networkChain()
        chain.store.putMeta({ identity: identityText({ kind, id: own ?? networkChainIDOf(chain.store) }) })
        await publish(chain, made.url, 12n)
      }
      expect(await tipOf(made)).toEqual({ height: 12n, reverts: 0n })
    }
  })
})
