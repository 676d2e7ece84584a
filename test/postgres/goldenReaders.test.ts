import { describe, expect, test } from "vitest"
import type { Block } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import type { Json } from "../../src/core/lib/json.js"
import { project, rebuildReadModel } from "../../src/core/readmodel/fold.js"
import { toHexText } from "../../src/core/types/hexText.js"
import type { ServedChain } from "../../src/node/serve.js"
import type { Publisher } from "../../src/postgres/publisher.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import { timeOf } from "../fixtures/goldenChain.js"
import { newDatabase, noteNoPostgres } from "../fixtures/postgres.js"
import { noPostgres } from "../fixtures/postgresServer.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { openGoldenData, replayGolden } from "../fixtures/readModel.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"
import { type TestNode, testNode } from "../fixtures/rpcNode.js"
import { noteMissing } from "../missing.js"
import { hasShared, readShared } from "../shared.js"
import { isSoak, Random, seed } from "../strangers/random.js"

interface Call {
  readonly method: string
  readonly params: { readonly [name: string]: Json }
}

const all = ["local-v1.14.2", "local-v1.13.0", "history-v1.14.2", "helicon-v1.15.0"]
/** All chains in the long run. */
const folders = all.slice(0, isSoak ? all.length : 1).filter((name) => hasShared(`golden/${name}/record.json`))
const deaths = isSoak ? 1000 : 100

noteMissing(folders.length > 0, "../shared/golden")
noteNoPostgres()

/** Methods whose answer is drawn, or speaks of the node. */
const OTHERS: ReadonlySet<string> = new Set(["platform.sampleValidators", "platform.issueTx"])

describe.skipIf(noPostgres !== undefined).each(folders)("%s", (folder) => {
  test(`three read servers give the recorded answers while ${deaths} publishers die`, async () => {
    const database = await newDatabase()
    const way = await cuttableServer(database.url)
    const servers: ServedChain[] = []
    const growing = new GrowingChain(folder, way)
    try {
      await growing.start()
      for (let i = 0; i < 3; i++) servers.push(await startReader(database.url, "avalanchego"))
      await growing.growWhileDying(deaths, (height, i) => expectBlock(servers[i % 3] as ServedChain, growing.block(height)))
      await Promise.all(servers.map((server) => caughtUp(server, growing.height)))
      await compareAnswers(folder, servers)
    } finally {
      for (const server of servers) await server.stop()
      await growing.stop()
      await way.close()
      await database.close()
    }
  }, 600_000)
})

/** A server that has reached a block returns it as it was published. */
async function expectBlock(server: ServedChain, block: Block): Promise<void> {
  const { status, body } = await ask(server, "platform.getBlockByHeight", { height: String(block.height), encoding: "hex" })
  if (status === 503) return
  // The server has not read the block yet.
  if (body.error) return expect(body.error.message).toContain("not found")
  expect(body.result.block).toBe(toHexText(block.bytes, "hex"))
}

/** A recorded chain that grows block by block, and its publisher, whose connection is cut again and again. */
class GrowingChain {
  readonly #golden: ReturnType<typeof openGoldenData>
  readonly #chain: Chain
  readonly #way: CuttableServer
  readonly #random = new Random(seed("dying publishers"))
  readonly #dead: Promise<void>[] = []
  #publisher: Publisher
  #now = 0n

  constructor(folder: string, way: CuttableServer) {
    this.#golden = openGoldenData(folder)
    this.#way = way
    const { store, data } = this.#golden
    rebuildReadModel(store, data.genesis)
    this.#chain = new Chain({ rules: data.rules, state: store, project })
    this.#publisher = this.#open()
  }

  get height(): bigint {
    return this.#chain.lastAccepted.height
  }

  block(height: number): Block {
    return this.#golden.blocks[height] as Block
  }

  async start(): Promise<void> {
    await published(this.#publisher, 0n)
  }

  /** Accepts all blocks, while publishers die at any byte of what they tell the server, and others take over. */
  async growWhileDying(times: number, look: (height: number, i: number) => Promise<void>): Promise<void> {
    const blocks = this.#golden.blocks.slice(1)
    let accepted = 0
    for (let i = 1; i <= times; i++) {
      const until = Math.floor((blocks.length * i) / times)
      for (; accepted < until || this.#chain.waitingProposal; accepted++) this.#accept(blocks[accepted] as Block)
      this.#chain.flush()
      await this.#die()
      if (accepted > 0) await look(1 + this.#random.below(accepted), i)
    }
    await published(this.#publisher, this.height)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#dead, this.#publisher.stop()])
  }

  #accept(block: Block): void {
    this.#now = timeOf(block) ?? this.#now
    this.#chain.verify(block, { now: this.#now })
    this.#chain.accept(block.id)
  }

  #open(): Publisher {
    const { store, data } = this.#golden
    return startPublisher({ store, data }, { url: this.#way.url, limits: { blocks: 3, size: 1 << 24 }, snapshotEvery: 100 })
  }

  /** Lets the publisher work until its connection is cut or everything is published, and replaces it. */
  async #die(): Promise<void> {
    const isCut = this.#way.cutAfter(this.#random.below(12_000))
    this.#publisher.wake()
    await Promise.race([isCut, published(this.#publisher, this.height)]).catch(() => {})
    this.#way.cut()
    this.#dead.push(this.#publisher.stop())
    this.#publisher = this.#open()
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
