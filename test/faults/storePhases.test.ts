import { expect, onTestFinished, test, vi } from "vitest"
import { outerBytesAt } from "../../src/core/consensus/proposer/wrapperStore.js"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import type { Log, LogData } from "../../src/core/lib/log.js"
import { tables } from "../../src/core/state/tables.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { type Node, startNode } from "../../src/node/node.js"
import type { NodeOptions } from "../../src/node/options.js"
import { devOf } from "../../src/producer/dev.fixture.js"
import { followedNodeChain } from "../../src/sources/followed/follow.js"
import { joinedNodeChain } from "../../src/sources/joined/joinedNode.js"
import { defaultNetworkSettings } from "../../src/sources/joined/networkSettings.js"
import { startPrivateChain } from "../../src/sources/private/privateNode.js"
import { StoreFailures } from "../../src/sources/storeFailures.js"
import { storeError } from "../../src/store/errors.js"
import { MemoryStore } from "../../src/store/memory/memoryStore.js"
import type { Store } from "../../src/store/store.js"
import { openSource } from "../../src/sync/follow/openSource.js"
import { replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { ChainServer } from "../fixtures/chainServer.js"
import { changeOf, firstUnspent, localNetwork, longChain, payment } from "../fixtures/longChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { tlsIdentity } from "../fixtures/tlsIdentity.js"
import { isSoak } from "../fuzz/random.js"
import { simulatedGenesis } from "../simulator/simulatedGenesis.js"

/** The writes of a phase that fail, counted from its beginning: single ones, and several attempts one after the other. */
const FAILING: ReadonlySet<number> = new Set(isSoak ? [1, 2, 3, 5, 6, 9, 13, 14, 20] : [1, 3])

/** The number of blocks to fetch, in parts of 16: enough for all of these writes. */
const BLOCKS = isSoak ? 300 : 100

/** A store in memory whose writes fail where the test says so, and the log of a node on it. */
function failingStore() {
  const store = new MemoryStore({ tables: nodeTables, tablesBesideChain })
  let writes: number | undefined
  let failed = 0
  let failure: Error | undefined
  const guarded =
    <Args extends unknown[], Result>(write: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (writes !== undefined && FAILING.has(++writes)) {
        failed++
        failure = storeError("store.disk_full")
        throw failure
      }
      const result = write(...args)
      failure = undefined
      return result
    }
  const commit = guarded((...args: Parameters<Store["commit"]>) => store.commit(...args))
  const failing = new Proxy<Store>(store, {
    get(target, name) {
      if (name === "failure") return failure
      if (name === "commit") return commit
      const value: unknown = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
  const lines: (readonly [level: string, event: string, data: LogData | undefined])[] = []
  const write = (level: string) => (event: string, data?: LogData) => void lines.push([level, event, data])
  const log: Log = { isEnabled: () => true, error: write("error"), warn: write("warn"), info: write("info"), debug: () => {} }
  return {
    store: failing,
    log,
    /** Begins to fail writes. */
    arm: () => {
      writes = 0
      lines.length = 0
    },
    failed: () => failed,
    lines,
    heightOnDisk: () => store.latest.get(tables.lastAccepted, null)?.height,
  }
}

type FailingStore = ReturnType<typeof failingStore>

/** Checks that every failure is named as one of the disk, that nothing else is blamed, and that writing was resumed as often. */
function expectDiskBlamed({ lines, failed }: FailingStore): void {
  expect(failed()).toBe(FAILING.size)
  const problems = lines.filter(([level]) => level !== "info")
  const { message } = storeError("store.disk_full")
  for (const problem of problems)
    expect(problem).toEqual(["error", "the store cannot be written", { code: "store.disk_full", reason: message }])
  const resumed = lines.filter(([, event]) => event === "the store is written again")
  expect([problems.length > 0, resumed.length]).toEqual([true, problems.length])
}

/** Starts a node on a failing store. */
async function started<N extends Node>(
  { store, log }: FailingStore,
  start: (store: Store, common: Omit<NodeOptions, "wall">) => Promise<N>,
): Promise<N> {
  const faults: unknown[] = []
  const node = await start(store, { log, dialect: "contract", isPublic: false })
  node.failed.catch((error) => faults.push(error))
  onTestFinished(async () => {
    await node.stop()
    expect(faults).toEqual([])
  })
  await node.begun
  return node
}

/** Joins the network of a server. */
async function joined(failing: FailingStore, server: ChainServer, publish?: string): Promise<Node> {
  await server.start()
  onTestFinished(() => server.stop())
  const { join, choice, wall } = server.joinedNodeOptions("")
  return started(failing, (store, common) => startNode(store, { ...common, join, choice, wall, publish }, joinedNodeChain))
}

const untilHeight = (node: Node, height: bigint) =>
  vi.waitFor(() => expect(node.height()).toBe(height), { timeout: 60_000, interval: 20 })

function expectBlocksOf(server: ChainServer, { store }: FailingStore): void {
  for (let height = 0n; height <= server.height; height++)
    expect(outerBytesAt(store.latest, height), `block ${height}`).toEqual(server.bytesAt(height))
}

/** The phases: each fails some writes, and ends when all blocks are there. */
const phases: Readonly<Record<string, (failing: FailingStore) => Promise<void>>> = {
  async bootstrapping(failing) {
    const server = new ChainServer()
    server.make(BLOCKS)
    const node = await joined(failing, server)
    failing.arm()
    await untilHeight(node, server.height)
    expectBlocksOf(server, failing)
  },

  async following(failing) {
    const server = new ChainServer()
    server.make(3)
    const node = await joined(failing, server)
    await untilHeight(node, server.height)
    failing.arm()
    while (failing.failed() < FAILING.size) {
      server.make(1)
      await untilHeight(node, server.height)
    }
    expectBlocksOf(server, failing)
  },

  async validating(failing) {
    const identity = tlsIdentity("ec")
    const network = simulatedGenesis([identity.nodeID], 424_243)
    const began = Date.now()
    const node = await started(failing, (store, common) =>
      startNode(
        store,
        {
          ...common,
          join: {
            bootstrappers: [],
            host: "127.0.0.1",
            port: 0,
            publicIp: { ip: Uint8Array.of(127, 0, 0, 1), port: 0 },
            dialsPrivate: true,
            parameters: { ...defaultSnowParameters, k: 1, alphaPreference: 1, alphaConfidence: 1, beta: 1 },
            network: defaultNetworkSettings,
          },
          identity: {
            "staking-tls-key-file-content": Buffer.from(identity.pem.key).toString("base64"),
            "staking-tls-cert-file-content": Buffer.from(identity.pem.cert).toString("base64"),
          },
          choice: { networkID: 424_243, genesisText: network.genesisText, now: network.genesis.timestamp },
          wall: () => Number(network.genesis.timestamp) * 1000 + 60_000 + (Date.now() - began),
        },
        joinedNodeChain,
      ),
    )
    failing.arm()
    let unspent = firstUnspent
    for (let height = 1n; failing.failed() < FAILING.size; height++) {
      const tx = payment(unspent, network.rules)
      unspent = changeOf(tx)
      const params = { tx: toHexText(tx.bytes), encoding: "hex" }
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "platform.issueTx", params }))
      await vi.waitFor(async () => {
        const reply = await node.api.handle("/ext/bc/P", body)
        expect(Buffer.concat(reply?.body ?? []).toString()).toContain("txID")
      })
      await untilHeight(node, height)
    }
  },

  async copying(failing) {
    const devnet = await startDevnet({ accounts: 0 })
    onTestFinished(() => devnet.stop())
    await devnet.dev.mine({ blocks: 30, filler: true })
    const { signal } = new AbortController()
    const { source, networkID, upgradeText } = await openSource(devnet.url, {}, signal)
    const genesisBlockID = await source.blockIDAt(0n, signal)
    const chain = await source.chain?.(signal)
    const identity = { kind: "followed" as const, id: chain?.header.id ?? "" }
    const copied = { genesisBytes: chain?.genesis, ruleFlags: chain?.header.rules ?? {}, identity }
    const choice = { now: 0n, networkID, upgrades: upgradeText, genesisBlockID, ...copied }
    const follow = { urls: [devnet.url], http: {} }
    const node = await started(failing, (store, common) =>
      startNode(store, { ...common, follow, choice, wall: Date.now }, followedNodeChain),
    )
    failing.arm()
    for (let height = 31n; failing.failed() < FAILING.size; height++) {
      await devnet.dev.mine({ blocks: 1, filler: true })
      await untilHeight(node, height)
    }
  },

  async replaying(failing) {
    await replayed(failing)
  },

  async "producing blocks"(failing) {
    const node = await started(failing, (store, common) =>
      startPrivateChain(store, { ...common, choice: { now: 1_790_000_000n }, wall: () => 1_790_000_000_000 }),
    )
    failing.arm()
    const mine = () => devOf(node).mine({ blocks: 1, filler: true })
    while (failing.failed() < FAILING.size) {
      const height = node.height()
      const refused = await mine().then(
        () => undefined,
        ({ code }) => code,
      )
      expect([undefined, "store.disk_full"]).toContain(refused)
      expect(node.height()).toBe(refused === undefined ? height + 1n : height)
      // The node resumes by itself.
      if (refused !== undefined)
        await vi.waitFor(() => expect(failing.lines.at(-1)?.[1]).toBe("the store is written again"), 10_000)
    }
    await mine()
    expect(failing.heightOnDisk()).toBe(node.height())
  },
}

async function replayed(failing: FailingStore): Promise<void> {
  const { store, log, arm, heightOnDisk } = failing
  const blocks = [...longChain(localNetwork(), 60)]
  async function* entries() {
    for (const [i, { bytes }] of blocks.entries()) yield { text: toHexText(bytes), place: i + 1 }
  }
  const failures = new StoreFailures(log, () => performance.now())
  const retry = (write: () => Promise<void>) => failures.retry(write)
  const choice = { now: 0n, genesisBlockID: blocks[0]?.parentID, trustSignatures: true }
  const chain = await chainToReplay(store, choice)
  arm()
  // By this clock, which is read twice for each block, three blocks make a group.
  let time = 0
  expect(await replay(entries(), chain, { now: () => (time += 200), retry })).toEqual({ executed: 60, skipped: 0 })
  expect(heightOnDisk()).toBe(60n)
}

test.each(Object.keys(phases))(
  "while %s, a failed write is that of the disk, and is tried again until it succeeds",
  async (name) => {
    const failing = failingStore()
    await phases[name]?.(failing)
    expectDiskBlamed(failing)
  },
  120_000,
)

test("while publishing, a failed write of the chain delays the blocks and loses none", {
  ...needsPostgres,
  timeout: 120_000,
}, async () => {
  const failing = failingStore()
  const database = await newDatabase()
  onTestFinished(() => database.close())
  const server = new ChainServer()
  server.make(BLOCKS)
  const node = await joined(failing, server, database.url)
  failing.arm()
  await untilHeight(node, server.height)
  const published = async () => (await database.sql`select count(*)::int as count from blocks`)[0]?.count
  await vi.waitFor(async () => expect(await published()).toBe(BLOCKS + 1), { timeout: 60_000, interval: 100 })
  expectDiskBlamed(failing)
})
