import { describe, test } from "vitest"
import type { Block } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { project, rebuildReadModel } from "../../src/core/readmodel/fold.js"
import type { Node } from "../../src/node/node.js"
import type { Publisher } from "../../src/postgres/publisher.js"
import type { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import { goldenChains, timeOf } from "../fixtures/goldenChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { openGoldenData } from "../fixtures/readModel.js"
import { caughtUp, startReader } from "../fixtures/readServer.js"
import { attempts, isSoak, Random, seed } from "../fuzz/random.js"
import { expectBlock, expectRecordedAnswers } from "./recordedAnswers.js"

/** The number of publishers that die on each chain. */
const deaths = attempts(1000, 100)

/** Every call is compared in the long run, and otherwise each tenth. */
const STEP = isSoak ? 1 : 10

describe.each(goldenChains)("%s", needsPostgres, (folder) => {
  test(`three read servers give the recorded answers while ${deaths} publishers die`, async () => {
    const database = await newDatabase()
    const way = await cuttableServer(database.url)
    const servers: Node[] = []
    const growing = new GrowingChain(folder, way)
    try {
      await growing.start()
      for (let i = 0; i < 3; i++) servers.push(await startReader(database.url, "avalanchego"))
      await growing.growWhileDying(deaths, (height, i) => expectBlock(servers[i % 3] as Node, growing.block(height)))
      await Promise.all(servers.map((server) => caughtUp(server, growing.height)))
      await expectRecordedAnswers(folder, servers, STEP)
    } finally {
      for (const server of servers) await server.stop()
      await growing.stop()
      await way.close()
      await database.close()
    }
  }, 600_000)
})

/** A recorded chain that grows block by block, and its publisher, whose connection is cut again and again. */
class GrowingChain {
  readonly #golden: ReturnType<typeof openGoldenData<MemoryStore>>
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

  /** Accepts all blocks, while publishers are killed after any byte that they send to the server, and others take over. */
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
