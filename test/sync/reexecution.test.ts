import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import type { OuterBlock } from "../../src/core/consensus/proposer/outerBlock.js"
import { outerIDAt, requireOuterBlock } from "../../src/core/consensus/proposer/wrapperStore.js"
import { silentLog } from "../../src/core/lib/log.js"
import { heightOf, tables } from "../../src/core/state/tables.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { storedChain } from "../../src/datadir/storedChain.js"
import { openFork } from "../../src/sources/fork/openFork.js"
import { replay } from "../../src/sync/replay.js"
import { chainToReplay } from "../../src/tools/chainToReplay.js"
import { checkStore } from "../../src/tools/check/checkChain.js"
import { peerIdentity } from "../fixtures/peerIdentity.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { ask, caughtUp, startReader } from "../fixtures/readServer.js"
import { attempts } from "../fuzz/random.js"
import { ChainMaker, type MakeOptions } from "../simulator/chainMaker.js"
import { future, past } from "../simulator/followRun.js"
import { type SimulatedGenesis, simulatedGenesis } from "../simulator/simulatedGenesis.js"
import { SafetyRun } from "../simulator/validators/safetyRun.js"

const START = 1_750_000_000n
const HOUR = 3_600n
/** The machine's clock: later than every block here. */
const NOW = Number(START + 1000n * HOUR) * 1000
const SAFETY_RUNS = 100
/** The validators of `past` and `future`. */
const keys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`, i))
const network = simulatedGenesis(keys.map(({ nodeID }) => nodeID))
const folder = mkdtempSync(join(tmpdir(), "serac-reexecution-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A block that the network accepted at a time, as every node with a right clock does. */
interface Accepted extends MakeOptions {
  /** The time that its wrapper names. */
  readonly wrapper: bigint
  readonly at: bigint
}

/** Three blocks: a payment whose change is locked for half an hour, one that spends it, and one more. */
function chainOf({ wrapper, at, ahead }: Accepted): OuterBlock[] {
  const maker = new ChainMaker(network, keys)
  const first = maker.next(START, { lock: { kind: "owners", until: START + HOUR / 2n } })
  const second = maker.make(wrapper, { ahead })
  maker.chain.verify(second, { nowSeconds: at, isBootstrapping: false })
  maker.chain.accept(second.id)
  return [first, second, maker.next(at + HOUR)]
}

/** What the network accepted although a block's own time, or its wrapper's, is not the time of its acceptance. */
const chains: readonly (readonly [string, () => readonly OuterBlock[]])[] = [
  [
    "a wrapper names an old time, and the block spends what was unlocked since",
    () => chainOf({ wrapper: START + 1n, at: START + HOUR }),
  ],
  [
    "the block's own time is capped, and its wrapper has the present one",
    () => chainOf({ wrapper: START + HOUR, ahead: 1n - HOUR, at: START + HOUR }),
  ],
  [
    "a wrapper names an old time, and the block the present one",
    () => chainOf({ wrapper: START + 1n, ahead: HOUR - 1n, at: START + HOUR }),
  ],
  ["blocks that spend outputs in the second in which their locks end", () => [...past, ...future]],
]

/** Replays blocks into a new data directory. */
async function replayed({ genesis }: SimulatedGenesis, blocks: readonly OuterBlock[], trustSignatures: boolean, isBare = false) {
  const dir = mkdtempSync(join(folder, "chain-"))
  const store = openStore(chainDir(dir), { isLazy: true })
  const outer = await chainToReplay(store, { networkID: 12345, genesisBytes: genesis.bytes(), now: 0n, trustSignatures })
  const entries = (async function* () {
    for (const [place, { bytes, inner }] of blocks.entries()) yield { text: toHexText(isBare ? inner.bytes : bytes), place }
  })()
  await replay(entries, outer, { now: () => NOW })
  await store.close()
  return dir
}

/** Replays, checks and forks a chain. Returns its directory. */
async function expectExecutable(
  genesis: SimulatedGenesis,
  blocks: readonly OuterBlock[],
  trustSignatures = false,
): Promise<string> {
  const dir = await replayed(genesis, blocks, trustSignatures)
  const height = BigInt(blocks.length)
  const store = openStore(chainDir(dir), { readOnly: true })
  expect(blocks.map((block) => outerIDAt(store.latest, block.height))).toEqual(blocks.map(({ id }) => id))
  expect(requireOuterBlock(store.latest, height).bytes).toEqual(blocks.at(-1)?.bytes)
  await store.close()
  await checkStore(chainDir(dir), { deepIn: mkdtempSync(join(folder, "deep-")), begin: () => () => {} })
  const request = { dataDir: undefined, fork: { from: dir, height: height - 1n }, choice: {}, log: silentLog, wall: () => NOW }
  const fork = await openFork(request)
  expect(fork.store.latest.get(tables.lastAccepted, null)?.id).toBe(blocks.at(-2)?.inner.id)
  await fork.store.close()
  const bare = openStore(chainDir(await replayed(genesis, blocks, trustSignatures, true)), { readOnly: true })
  expect([heightOf(bare.latest), outerIDAt(bare.latest, height)]).toEqual([height, blocks.at(-1)?.inner.id])
  await bare.close()
  return dir
}

/** The network of simulated validators, and the blocks that they accepted in half a minute, with faults and with locks that end meanwhile. */
function simulated(seed: number): [SimulatedGenesis, OuterBlock[]] {
  const run = new SafetyRun({ seed, validators: 5, chaosMs: 8_000, maxLatencyMs: 100 })
  run.simulation.runFor(30_000)
  // Few networks decide hardly anything while a fifth of the stake is faulty.
  run.simulation.runUntil(() => run.hasEverywhere(3n), 300_000)
  const [node] = run.honest
    .filter(({ isUp }) => isUp)
    .toSorted((a, b) => Number(b.chain.lastAccepted.height - a.chain.lastAccepted.height))
  const { store, chain } = node as (typeof run.honest)[number]
  const heights = Array.from({ length: Number(chain.lastAccepted.height) }, (_, i) => BigInt(i + 1))
  return [run.network, heights.map((height) => requireOuterBlock(store.latest, height))]
}

/** Publishes the chain of a directory, up to its last block. */
async function expectPublishable(dir: string, count: number, url: string): Promise<void> {
  const store = openStore(chainDir(dir))
  const publisher = startPublisher({ store, data: storedChain(store) }, { url })
  await published(publisher, BigInt(count))
  await publisher.stop()
  await store.close()
}

describe("what a network accepted can be executed again later, by the machine's clock", () => {
  test.each(chains)("replayed, checked and forked: %s", async (_, blocksOf) => {
    await expectExecutable(network, blocksOf())
  })

  test.each(chains)("published and read: %s", needsPostgres, async (_, blocksOf) => {
    const blocks = blocksOf()
    const database = await newDatabase()
    await expectPublishable(await replayed(network, blocks, false), blocks.length, database.url)
    const server = await startReader(database.url)
    await caughtUp(server, BigInt(blocks.length))
    expect((await ask(server, "platform.getHeight")).body.result).toEqual({ height: String(blocks.length) })
    await server.stop()
    await database.close()
  })

  for (let seed = 1; seed <= attempts(SAFETY_RUNS, 50); seed++) {
    test(`the chain of simulated validators, with locks that end in the run: seed ${seed}`, async () => {
      await expectExecutable(...simulated(seed), true)
    })

    // Its transactions are not signed, which a read server would notice.
    test(`the same chain, published: seed ${seed}`, needsPostgres, async () => {
      const [genesis, blocks] = simulated(seed)
      const database = await newDatabase()
      await expectPublishable(await replayed(genesis, blocks, true), blocks.length, database.url)
      await database.close()
    })
  }
})
