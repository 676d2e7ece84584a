import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { nodeClient } from "../../src/client/client.js"
import { BenchList } from "../../src/core/consensus/engine/benchList.js"
import { Engine } from "../../src/core/consensus/engine/engine.js"
import { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { outerBytesAt } from "../../src/core/consensus/proposer/wrapperStore.js"
import { networkError } from "../../src/core/networks/errors.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { chainDir } from "../../src/datadir/places.js"
import { startJoinedNode } from "../../src/sources/joined/joinedNode.js"
import { openLmdbStore } from "../../src/store/lmdb/openLmdbStore.js"
import { buildSerac } from "../cli/serac.js"
import { ChainServer } from "../fixtures/chainServer.js"
import { isSoak, Random, seed } from "../fuzz/random.js"
import { expectJudged, type Judge, judgedTest } from "../judge.js"
import { needsMount } from "../mount.js"
import { type RunningNode, startNode } from "./node.js"

const folder = mkdtempSync(join(tmpdir(), "serac-joined-faults-"))
let built: ReturnType<typeof buildSerac>
let server: ChainServer

beforeAll(() => {
  built = buildSerac()
})
beforeEach(async () => {
  server = new ChainServer()
  await server.start()
})
afterEach(() => server.stop())
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Joins the network of the server, in a separate process. */
function joinNetwork(dataDir: string, ...flags: string[]): Promise<RunningNode> {
  const genesisFile = join(folder, `${server.nodeIDText}.json`)
  writeFileSync(genesisFile, server.network.genesisText)
  return startNode(built.bin, [
    "node",
    `--data-dir=${dataDir}`,
    `--network-id=${server.network.rules.networkID}`,
    `--genesis-file=${genesisFile}`,
    "--staking-host=127.0.0.1",
    "--staking-port=0",
    `--bootstrap-ips=127.0.0.1:${server.address.port}`,
    `--bootstrap-ids=${server.nodeIDText}`,
    "--serve-while-syncing",
    ...flags,
  ])
}

const heightAt = async (node: RunningNode) => (await node.call("platform.getHeight")).result?.height

/** Waits until a node has all blocks and follows. */
async function untilCaughtUp(node: RunningNode): Promise<void> {
  const isFollowing = async () => {
    expect(await heightAt(node)).toBe(server.height.toString())
    expect((await node.health()).checks.bootstrapped?.error).toBeUndefined()
  }
  await vi.waitFor(isFollowing, { timeout: 120_000, interval: 50 })
}

/** Checks that the store has the blocks of the server, byte for byte, and that AvalancheGo's VM computes the same state. */
async function expectSameChain(dataDir: string, judge: Judge): Promise<void> {
  const store = openLmdbStore({ dir: chainDir(dataDir), tables: nodeTables, tablesBesideChain })
  for (let height = 0n; height <= server.height; height++) {
    expect(outerBytesAt(store.latest, height), `block ${height}`).toEqual(server.bytesAt(height))
  }
  judge(() => expectJudged(store, { networkID: server.network.rules.networkID, genesis: server.network.genesisText }))
  await store.close()
}

const kills = isSoak ? 20 : 1

/** Number of blocks to fetch: more than twenty answers of the server. */
const PAST = 320

judgedTest(
  `a node that is killed ${kills} time(s) while it catches up, and as often while it follows, ends with the same chain`,
  async (judge) => {
    const random = new Random(seed("moments of killing a joined node"))
    const dataDir = join(folder, "killed")
    server.make(PAST)
    const kill = async (node: RunningNode) => {
      setTimeout(() => node.process.kill("SIGKILL"), random.below(20))
      expect(await node.ended).toBe("SIGKILL")
    }
    for (let i = 0; i < kills; i++) {
      // New blocks each time, so that there is always something to fetch; often all are fetched, and some are executed.
      server.make(32)
      const fetched = server.answered("getAncestors", 1 + random.below(30))
      const node = await joinNetwork(dataDir)
      await Promise.race([fetched, untilCaughtUp(node).catch(() => {})])
      await kill(node)
    }
    for (let i = 0; i < kills; i++) {
      const node = await joinNetwork(dataDir)
      await untilCaughtUp(node)
      // A new block is noticed with one query, and decided after some twenty more.
      const decided = server.answered("pullQuery", 1 + random.below(25))
      server.make(1)
      await decided
      await kill(node)
    }
    const node = await joinNetwork(dataDir)
    await untilCaughtUp(node)
    expect(await node.stop()).toBe(0)
    await expectSameChain(dataDir, judge)
  },
  600_000,
)

/** Fills a disk until a write of the following node fails, and then frees the space. */
async function fillWhileFollowing(node: RunningNode, disk: string, failure: () => Promise<string>): Promise<void> {
  const used = Number(execFileSync("du", ["-sk", disk]).toString().split("\t")[0])
  execFileSync("mount", ["-o", `remount,size=${used + 8}k`, disk])
  const isFullOrCaughtUp = async () =>
    expect((await failure()) !== "" || (await heightAt(node)) === server.height.toString()).toBe(true)
  // The store uses the free pages of its file first.
  while ((await failure()) === "") {
    server.make(20)
    await vi.waitFor(isFullOrCaughtUp, { timeout: 60_000, interval: 20 })
  }
  expect(await failure()).toContain("store.disk_full")
  expect((await node.call("platform.getHeight")).status).toBe(200)
  execFileSync("mount", ["-o", "remount,size=16M", disk])
  await untilCaughtUp(node)
}

describe("a disk that is full", needsMount, () => {
  judgedTest(
    "a node whose disk is full again and again while it catches up (in soak also while it follows) answers reads, is unhealthy, blames only the disk, and continues when there is room",
    async (judge) => {
      const disk = mkdtempSync(join(folder, "small-"))
      let size = 700
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}k`, "tmpfs", disk])
      onTestFinished(() => void spawnSync("umount", ["--lazy", disk]))
      const dataDir = join(disk, "d")
      server.make(400)
      const node = await joinNetwork(dataDir, "--min-free-disk=0")
      const failure = async () => (await node.health()).checks.database?.error ?? ""
      const failures: string[] = []
      // There is a little more room after each failure.
      const growWhereFull = async () => {
        const problem = await failure()
        if (problem !== "") {
          failures.push(problem.slice(0, "store.disk_full".length))
          size += 200
          execFileSync("mount", ["-o", `remount,size=${size}k`, disk])
        }
        expect(await heightAt(node)).toBe(server.height.toString())
      }
      await vi.waitFor(growWhereFull, { timeout: 120_000, interval: 500 })
      expect([failures.length > 1, new Set(failures)]).toEqual([true, new Set(["store.disk_full"])])
      execFileSync("mount", ["-o", "remount,size=16M", disk])
      await untilCaughtUp(node)
      expect(await failure()).toBe("")
      expect(node.log()).not.toContain("the network accepted")
      if (isSoak) await fillWhileFollowing(node, disk, failure)
      expect(await node.stop()).toBe(0)
      await expectSameChain(dataDir, judge)
    },
    300_000,
  )
})

/** A node in this process, whose clock the test sets. */
async function nodeWithClock(dataDir: string) {
  let offset = 0
  const node = await startJoinedNode({
    ...server.joinedNodeOptions(dataDir),
    dialect: "avalanchego",
    wall: () => Date.now() + offset,
  })
  onTestFinished(() => node.stop())
  const call = nodeClient(async (path, body) =>
    Buffer.concat((await node.api.handle(path, Buffer.from(body)))?.body ?? []).toString(),
  )
  const untilCaughtUp = () => vi.waitFor(() => expect(node.height()).toBe(server.height), { timeout: 60_000, interval: 20 })
  const stepClock = (milliseconds: number) => {
    offset += milliseconds
  }
  return { ...node, call, untilCaughtUp, stepClock }
}

const HOUR = 3_600_000

judgedTest(
  "a node continues to follow after its clock was set back and forth, and after all peers disconnected and returned",
  async (judge) => {
    const dataDir = join(folder, "stepped")
    server.make(20)
    const node = await nodeWithClock(dataDir)
    await node.untilCaughtUp()
    const clockProblem = async () => (await node.call("health.health")).checks.clock?.error
    for (const [step, problem] of [
      [-HOUR, /clock is \d+ s behind/],
      [2 * HOUR, /clock is \d+ s ahead/],
      [-HOUR, undefined],
    ] as const) {
      node.stepClock(step)
      server.make(2)
      await node.untilCaughtUp()
      if (problem) expect(await clockProblem()).toMatch(problem)
      else expect(await clockProblem()).toBeUndefined()
    }
    const peers = async () => (await node.call("info.peers")).numPeers
    await server.stop()
    await vi.waitFor(async () => expect(await peers()).toBe(0), { timeout: 30_000, interval: 20 })
    expect((await node.call("health.health")).checks.network?.error).toContain("not connected to a minimum of 1 peer(s) only 0")
    server.make(5)
    await server.start()
    await node.untilCaughtUp()
    expect(await peers()).toBe(1)
    await node.stop()
    await expectSameChain(dataDir, judge)
  },
  120_000,
)

test("a fault while a decided block is accepted is not blamed on the peer that completed the poll, and is in the health check", async () => {
  server.make(20)
  const node = await nodeWithClock(join(folder, "accept"))
  await node.untilCaughtUp()
  await vi.waitFor(() => expect(node.api.node.isBootstrapped?.()).toBe(true), 20_000)
  let isDisconnected = false
  void server.connectionEnded().then(() => {
    isDisconnected = true
  })
  server.make(1)
  // The server, in this process, has accepted the block.
  vi.spyOn(OuterChain.prototype, "accept").mockImplementationOnce(() => {
    throw networkError("network.unknown_upgrade", { text: "a refusal that no code expects" })
  })
  const problem = async () => (await node.call("health.health")).checks.P?.error
  await vi.waitFor(async () => expect(`${await problem()}`).toContain("a decided block could not be accepted"), 20_000)
  await node.untilCaughtUp()
  expect([isDisconnected, /serac_faults_total (\d+)/.exec(node.api.metrics.print())?.[1]]).toEqual([false, "1"])
}, 120_000)

test("a validator that was benched counts as online again after a fault, because the list of benched ones is new", async () => {
  const spies = [
    vi.spyOn(BenchList.prototype, "isBenched").mockReturnValue(true),
    vi.spyOn(BenchList.prototype, "benched", "get").mockReturnValue([server.identity.nodeID]),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  server.make(20)
  const node = await nodeWithClock(join(folder, "benched"))
  await node.untilCaughtUp()
  const isOnline = async () => (await node.call("platform.getCurrentValidators")).validators[0]?.connected
  expect(await isOnline()).toBe(false)
  spies[0]?.mockRestore()
  vi.spyOn(Engine.prototype, "tick").mockImplementationOnce(() => {
    throw new TypeError("a fault")
  })
  await vi.waitFor(async () => expect(await isOnline()).toBe(true), 20_000)
}, 120_000)

test("a fault in the message of a peer ends the connection, one in the work of the chain is in the health check; both are counted, and the node continues from what is written", async () => {
  server.make(20)
  const node = await nodeWithClock(join(folder, "faults"))
  await node.untilCaughtUp()
  const faults = () => /serac_faults_total (\d+)/.exec(node.api.metrics.print())?.[1]
  const chainProblem = async () => (await node.call("health.health")).checks.P?.error
  const failOnce = (method: "message" | "tick") =>
    vi.spyOn(Engine.prototype, method).mockImplementationOnce(() => {
      throw new TypeError(`a fault in ${method}`)
    })
  const disconnected = server.connectionEnded()
  failOnce("message")
  await disconnected
  server.make(2)
  await node.untilCaughtUp()
  expect([faults(), await chainProblem()]).toEqual(["1", undefined])
  failOnce("tick")
  await vi.waitFor(async () =>
    expect(await chainProblem()).toBe("the chain met an error inside Serac: TypeError: a fault in tick"),
  )
  server.make(2)
  await node.untilCaughtUp()
  expect(faults()).toBe("2")
}, 120_000)
