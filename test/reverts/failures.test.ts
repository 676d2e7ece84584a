import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { subscribe } from "../../src/client/events/subscribe.js"
import { silentLog } from "../../src/core/lib/log.js"
import { localEvents } from "../../src/devnet/localEvents.js"
import { type Node, startNode } from "../../src/node/node.js"
import { blockFeed } from "../../src/services/events/blockFeed.js"
import { servedNodeChain } from "../../src/sources/served/serve.js"
import { LmdbWriter } from "../../src/store/lmdb/lmdbWriter.js"
import { SCHEMA } from "../../src/store/meta.js"
import { ChainModel } from "../fixtures/chainModel.js"
import { type CuttableServer, cuttableServer } from "../fixtures/cuttableServer.js"
import { FailingStore } from "../fixtures/failingStore.js"
import {
  type BackChain,
  following,
  type OpenClient,
  pageClient,
  returning,
  shapes,
  sseClient,
  startWriter,
  watching,
  webSocketClient,
} from "../fixtures/goingBack.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { startReader } from "../fixtures/readServer.js"
import { isSoak } from "../fuzz/random.js"
import { startCopy } from "../sync/followNodes.js"

/** What answers clients, and the chain that it answers for. */
interface FrontEnd {
  readonly chain: BackChain
  readonly node: Node
  /** What is between the front end and the chain, by name. Each fails at a step; it resolves when that has happened. */
  readonly between: Readonly<Record<string, (step: number) => Promise<unknown>>>
  stop(): Promise<void>
}

/** The bytes after which a connection is cut: in the head of an answer, in an event, between events, and in the middle of a revert. */
const CUTS = [1, 60, 250, 700, 1500]
/** The reads that fail. */
const READS = [1, 2, 3, 5, 9]
/** The commits that fail: a copy goes back with one, executes blocks again with others, and remembers with one that its readers were told. */
const COMMITS = [1, 2, 3, 4, 5]

/** The URL of a proxy without the slash at its end, to which clients add their paths. */
const urlOf = ({ url }: CuttableServer) => url.replace(/\/$/, "")

const cutting =
  (proxy: CuttableServer) =>
  (step: number): Promise<unknown> =>
    proxy.cutAfter(CUTS[step] as number, "received")

const http = { port: 0, hasPage: false }

async function startWriterAlone(): Promise<FrontEnd> {
  const chain = await startWriter()
  return { chain, node: chain.node, between: {}, stop: () => chain.node.stop() }
}

/** A server of the directory of a chain that another process extends: it looks at the store by itself. */
async function startServer(): Promise<FrontEnd> {
  const chain = await startWriter()
  chain.store.putMeta({ schema: SCHEMA })
  const failing = new FailingStore(chain.store)
  const options = {
    isPublic: true,
    dialect: "contract" as const,
    http,
    log: silentLog,
    wall: () => Date.now(),
    reader: { isSignedIn: true },
  }
  const node = await startNode(failing.store, options, servedNodeChain)
  const stop = async () => {
    await node.stop()
    await chain.node.stop()
  }
  return { chain, node, between: { "the directory cannot be read": (step) => failing.failAt(READS[step] as number) }, stop }
}

/** Lets a commit to a store on the disk, which only copies have here, fail in the middle; resolves when it has failed. */
function unwritable(step: number): Promise<unknown> {
  const { commit } = LmdbWriter.prototype
  let left = COMMITS[step] as number
  return new Promise<void>((resolve) => {
    vi.spyOn(LmdbWriter.prototype, "commit").mockImplementation(function (this: LmdbWriter, given) {
      if (--left !== 0) return commit.call(this, given)
      resolve()
      const begin = () => {
        throw Object.assign(new Error("no space left on the device"), { code: "ENOSPC" })
      }
      return commit.call(this, { ...given, begin })
    })
  })
}

/** A copy of a chain, or a copy of a copy: what it follows is behind a proxy. */
const startCopies = (count: number) => async (): Promise<FrontEnd> => {
  const folder = mkdtempSync(join(tmpdir(), "serac-copies-fail-"))
  const chain = await startWriter()
  const proxies: CuttableServer[] = []
  const copies: Node[] = []
  let source = chain.url
  for (let i = 0; i < count; i++) {
    const proxy = await cuttableServer(source)
    const copy = await startCopy([urlOf(proxy)], join(folder, `${i}`), { http })
    proxies.push(proxy)
    copies.push(copy)
    source = copy.listening?.url as string
  }
  const stop = async () => {
    for (const copy of copies.toReversed()) await copy.stop()
    for (const proxy of proxies) await proxy.close()
    await chain.node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const cuts = Object.fromEntries(proxies.map((proxy, i) => [`connection ${i} to the chain is cut`, cutting(proxy)]))
  return { chain, node: copies.at(-1) as Node, between: { ...cuts, "a copy cannot be written": unwritable }, stop }
}

async function startReadServer(): Promise<FrontEnd> {
  const database = await newDatabase()
  const [ofWriter, ofReader] = [await cuttableServer(database.url), await cuttableServer(database.url)]
  const chain = await startWriter({ publish: ofWriter.url })
  await vi.waitFor(async () => expect(await database.sql`select block_id from serac.tip`).toHaveLength(1), { timeout: 20_000 })
  const node = await startReader(ofReader.url)
  const stop = async () => {
    await node.stop()
    await chain.node.stop()
    for (const each of [ofWriter, ofReader, database]) await each.close()
  }
  const between = {
    "its connection to the database is cut": cutting(ofReader),
    "that of the publisher is cut": cutting(ofWriter),
  }
  return { chain, node, between, stop }
}

type Clients = Readonly<Record<string, (url: string, chain: BackChain) => OpenClient>>

/** Clients that come back when their stream ends. */
const streams: Clients = {
  "server-sent events": (url) => returning(sseClient(url)),
  "a WebSocket": (url) => returning(webSocketClient(url)),
}
const all: Clients = {
  ...streams,
  subscribe: (url) => following((options) => subscribe(url, options)),
  "serac watch": (url, chain) => watching(url, () => chain.grow(1)),
  "the page": (url) => returning(pageClient(url)),
}

type Row = readonly [name: string, start: () => Promise<FrontEnd>, clients: Clients, needs: typeof needsPostgres]

const frontEnds: readonly Row[] = [
  ["the writer", startWriterAlone, all, {}],
  ["a server of the directory", startServer, streams, {}],
  ["a copy", startCopies(1), streams, {}],
  ["a copy of a copy", startCopies(2), streams, {}],
  ["a read server", startReadServer, streams, needsPostgres],
]

/** All steps in a soak, and otherwise one of them for each shape. */
const stepsOf = (shape: string): readonly number[] =>
  isSoak ? [...CUTS.keys()] : [shapes.findIndex(([name]) => name === shape) % CUTS.length]

const settled = async (chain: BackChain, model: ChainModel) => {
  const ids = chain.ids()
  await expect.poll(() => [model.torn, model.ids], { timeout: 20_000 }).toEqual([undefined, ids])
}

/** Runs a shape with a client, while something fails at a step: the client has the chain in the end, and the front end is healthy. */
async function goesBack(
  { chain, node }: Pick<FrontEnd, "chain" | "node">,
  open: OpenClient,
  run: (chain: BackChain) => Promise<unknown>,
  fail: () => Promise<unknown>,
): Promise<void> {
  await chain.begin()
  const model = new ChainModel()
  const client = await open(model)
  await settled(chain, model)
  const failed = fail()
  await run(chain)
  // There may be less to tell than is due until the failure: more blocks follow, but none after it.
  while (!(await Promise.race([failed.then(() => true), settled(chain, model).then(() => false)]))) await chain.grow(1)
  await settled(chain, model)
  vi.restoreAllMocks()
  await expect.poll(async () => (await fetch(`${node.listening?.url}/ext/health`)).status, { timeout: 20_000 }).toBe(200)
  await client.stop()
}

/** Lets a node fail to open its store for a read; resolves when it has failed. */
const unreadable =
  ({ api: { contexts } }: Node) =>
  (step: number): Promise<unknown> => {
    const opened = contexts.open.bind(contexts)
    let left = READS[step] as number
    return new Promise<void>((resolve) => {
      vi.spyOn(contexts, "open").mockImplementation(() => {
        if (--left !== 0) return opened()
        resolve()
        throw new Error("the store cannot be read")
      })
    })
  }

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(frontEnds)("%s", (_name, start, clients, needs) => {
  describe("tells it", needs, () => {
    let frontEnd: FrontEnd
    let proxy: CuttableServer
    beforeAll(async () => {
      frontEnd = await start()
      proxy = await cuttableServer(frontEnd.node.listening?.url as string)
    })
    afterAll(async () => {
      await proxy?.close()
      await frontEnd?.stop()
    })

    describe.each(Object.entries(clients))("%s", (_client, client) => {
      test.each(shapes)("although something fails at each step while the chain %s", async (shape, run) => {
        const { chain, node, between } = frontEnd
        const failures = {
          "the client's connection is cut": cutting(proxy),
          "the store cannot be read": unreadable(node),
          ...between,
        }
        for (const [what, fail] of Object.entries(failures))
          for (const step of stepsOf(shape))
            await goesBack(frontEnd, client(urlOf(proxy), chain), run, () => fail(step)).catch((error) => {
              throw new Error(`${what}, step ${step}: ${error.message}`, { cause: error })
            })
      })
    })
  })
})

test.each(shapes)(
  "a subscription in the process tells it although the store cannot be read while the chain %s",
  async (shape, run) => {
    const { chain, node, stop } = await startWriterAlone()
    const events = localEvents(blockFeed(node.api.node, () => node.api.contexts.open()))
    const open = following(async (options) => events.subscribe(options))
    for (const step of stepsOf(shape)) await goesBack({ chain, node }, open, run, () => unreadable(node)(step))
    events.close()
    await stop()
  },
)
