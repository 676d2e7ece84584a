import { setImmediate } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import type { Block } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import type { Json } from "../../src/core/lib/json.js"
import { project, rebuildReadModel } from "../../src/core/readmodel/fold.js"
import type { ServedChain } from "../../src/node/serve.js"
import type { Publisher } from "../../src/postgres/publisher.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { timeOf } from "../fixtures/goldenChain.js"
import { newDatabase, noPostgres, noteNoPostgres, type TestDatabase } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { openGoldenData, replayGolden } from "../fixtures/readModel.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"
import { type TestNode, testNode } from "../fixtures/rpcNode.js"
import { noteMissing } from "../missing.js"
import { hasShared, readShared } from "../shared.js"

interface Call {
  readonly method: string
  readonly params: { readonly [name: string]: Json }
}

const isSoak = process.env.SERAC_SOAK !== undefined
const all = ["local-v1.13.0", "local-v1.14.2", "history-v1.14.2", "helicon-v1.15.0"]
const folders = (isSoak ? all : ["local-v1.14.2"]).filter((name) => hasShared(`golden/${name}/record.json`))
const replacements = isSoak ? 100 : 3

noteMissing(folders.length > 0, "../shared/golden")
noteNoPostgres()

/** Methods whose answer is drawn, or speaks of the node. */
const OTHERS: ReadonlySet<string> = new Set(["platform.sampleValidators", "platform.issueTx"])

describe.skipIf(noPostgres !== undefined).each(folders)("%s", (folder) => {
  test(`three read servers give the recorded answers, after ${replacements} publishers followed each other`, async () => {
    const database = await newDatabase()
    const servers: ServedChain[] = []
    const growing = new GrowingChain(folder, database)
    try {
      await growing.start()
      for (let i = 0; i < 3; i++) servers.push(await startReader(database.url, "avalanchego"))
      await growing.growWhileReplaced(replacements)
      await Promise.all(servers.map((server) => caughtUp(server, growing.height)))
      await compareAnswers(folder, servers)
    } finally {
      for (const server of servers) await server.stop()
      await growing.stop()
      await database.close()
    }
  }, 600_000)
})

/** A recorded chain that grows block by block, and its publisher. */
class GrowingChain {
  readonly #database: TestDatabase
  readonly #golden: ReturnType<typeof openGoldenData>
  readonly #chain: Chain
  #publisher: Publisher
  #now = 0n

  constructor(folder: string, database: TestDatabase) {
    this.#database = database
    this.#golden = openGoldenData(folder)
    const { store, data } = this.#golden
    rebuildReadModel(store, data.genesis)
    this.#chain = new Chain({ rules: data.rules, state: store, project })
    this.#publisher = this.#open()
  }

  get height(): bigint {
    return this.#chain.lastAccepted.height
  }

  async start(): Promise<void> {
    await published(this.#publisher, 0n)
  }

  /** Accepts all blocks, and replacements the publisher's connection at so many moments; another publisher takes over each time. */
  async growWhileReplaced(times: number): Promise<void> {
    const blocks = this.#golden.blocks.slice(1)
    let accepted = 0
    for (let i = 1; i <= times; i++) {
      const until = Math.floor((blocks.length * i) / times)
      for (; accepted < until || this.#chain.waitingProposal; accepted++) this.#accept(blocks[accepted] as Block)
      this.#chain.flush()
      this.#publisher.wake()
      for (let turns = i % 7; turns > 0; turns--) await setImmediate()
      await this.#replace()
    }
    await published(this.#publisher, this.height)
  }

  async stop(): Promise<void> {
    await this.#publisher.stop()
  }

  #accept(block: Block): void {
    this.#now = timeOf(block) ?? this.#now
    this.#chain.verify(block, { now: this.#now })
    this.#chain.accept(block.id)
  }

  #open(): Publisher {
    const { store, data } = this.#golden
    return startPublisher(
      { store, data },
      { url: this.#database.url, limits: { blocks: 200, size: 1 << 24 }, snapshotEvery: 100 },
    )
  }

  /** Kills the publisher at any moment, while the next one already waits for its lock. */
  async #replace(): Promise<void> {
    const ended = this.#publisher
    this.#publisher = this.#open()
    await ended.stop()
  }
}

/** Every recorded call has the answer that a node with a whole store gives, which test/golden holds to the recorded one. */
async function compareAnswers(folder: string, servers: readonly ServedChain[]): Promise<void> {
  const { store, rules, genesis } = replayGolden(folder)
  const node = testNode({ store, rules, genesis, methods: platformMethods, port: { uptimeOf: () => undefined } })
  const names = new Set(platformMethods.map(({ name }) => name as string))
  const { calls } = readShared<{ calls: readonly Call[] }>(`golden/${folder}/record.json`)
  const asked = calls.filter(({ method }) => names.has(method) && !OTHERS.has(method))
  expect(asked.length).toBeGreaterThan(10)
  for (const [i, call] of asked.entries()) await compareCall(call, node, servers[i % servers.length] as ServedChain)
}

async function compareCall({ method, params }: Call, node: TestNode, server: ServedChain): Promise<void> {
  const { result, error } = await ask(server, method, params).then(({ body }) => body)
  const expected = await node.call(method, params)
  const plain = (value: unknown) =>
    JSON.parse(JSON.stringify(value ?? null, (_, each) => (typeof each === "bigint" ? String(each) : each)))
  expect({ method, params, result: plain(result), error: plain(error) }).toEqual({
    method,
    params,
    result: plain(expected.result),
    error: plain(expected.error),
  })
}
