import { describe, expect, test } from "vitest"
import { decodeBlock } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { Engine } from "../../src/core/consensus/engine/engine.js"
import { windowerFor } from "../../src/core/consensus/proposer/checkProposer.js"
import { type OuterBlock, readOuterBlock, VERIFIED_BEFORE } from "../../src/core/consensus/proposer/outerBlock.js"
import { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { SLOT_SECONDS, slotOf } from "../../src/core/consensus/proposer/windower.js"
import { wrapBlock } from "../../src/core/consensus/proposer/wrapBlock.js"
import type { OuterParent } from "../../src/core/consensus/proposer/wrapperRules.js"
import { answerAboutChain, chitsOf } from "../../src/core/consensus/responder.js"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { Invalid, valueOrInvalid } from "../../src/core/lib/invalid.js"
import { printJson } from "../../src/core/lib/json.js"
import { isActive } from "../../src/core/networks/upgrades.js"
import type { ChainMessage, OutgoingMessage } from "../../src/core/p2p/message.js"
import type { Rules } from "../../src/core/rules/context.js"
import { toHexText } from "../../src/core/types/hexText.js"
import type { NodeID } from "../../src/core/types/id.js"
import { bls } from "../../src/platform/backends.js"
import type { MemoryStore } from "../../src/store/memory/memoryStore.js"
import { replay } from "../../src/sync/replay.js"
import { digestOf } from "../../src/tools/summary.js"
import { goldenChains, goldenSource, openGolden } from "../fixtures/goldenChain.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { readRecording } from "../recordings/recordings.js"
import { seededRandom } from "../simulator/random.js"
import { DifferentialChain } from "./differential/differentialChain.js"
import { identities, schedules, worldOf } from "./differential/world.js"

await bls().preparePossession()

/** The machine's clock of all nodes here, Unix seconds: later than every block. */
const WALL = 2_000_000_000n
const CHAINS = 220
const STEPS = 40
const first = seed("restarted chains")

/** A chain that others have decided, and stores that have only its genesis. */
interface Decided {
  readonly blocks: readonly OuterBlock[]
  readonly rules: Rules
  newStore(): MemoryStore
}

const outerOn = (rules: Rules, state: MemoryStore) => new OuterChain(new Chain({ rules, state }))
const stateOf = (store: MemoryStore) => printJson(digestOf(store.latest))

/** Wraps the blocks of a random chain, each signed in a slot of a validator whose key is known. A Warp message may not hold in the wrapper: the chain ends before. */
function wrapped(seedOfChain: number, schedule: (typeof schedules)[number][1]): Decided {
  const random = new Random(seedOfChain)
  const world = worldOf(random, schedule)
  const { rules, newStore } = world
  const chain = new DifferentialChain(world, random)
  for (let step = 0; step < STEPS; step++) chain.step()
  const outer = outerOn(rules, newStore())
  const blocks: OuterBlock[] = []
  for (const { bytes, refusal } of chain.lines) {
    if (refusal !== undefined) continue
    const parent = outer.parentFor(outer.lastAccepted)
    const { block } = wrapBlock(decodeBlock(bytes), parent, {
      ...momentAfter(parent, outer),
      upgrades: rules.upgrades,
      pChainHeight: outer.lastAccepted.height,
    })
    const refused = valueOrInvalid(() => outer.verify(block, { nowSeconds: WALL, isBootstrapping: false }))
    if (refused instanceof Invalid && refused.code.startsWith("rules.warp")) break
    if (refused instanceof Invalid) throw refused
    outer.accept(block.id)
    blocks.push(block)
  }
  return { blocks, rules, newStore }
}

/** Until Durango a block is unsigned after half a minute; afterwards the owner of a slot signs it. */
function momentAfter(parent: OuterParent, { chain }: OuterChain) {
  const { timestamp } = parent
  if (!parent.block.wrapper || !isActive(chain.rules.upgrades, "durango", timestamp)) return { nowSeconds: timestamp + 31n }
  const windower = windowerFor(parent, chain.state)
  for (let nowSeconds = timestamp; ; nowSeconds += SLOT_SECONDS) {
    const identity = identities.find(({ nodeID }) => nodeID === windower.ownerOf(slotOf(timestamp, nowSeconds)))
    if (!identity) continue
    const { nodeID, certificate, signTls: sign } = identity
    return { nowSeconds, key: { nodeID, certificate, sign } }
  }
}

function recorded(folder: string): Decided {
  const { rules } = openGolden(goldenSource(folder))
  const { containers } = readRecording<{ containers: { bytes: string }[] }>(`golden/${folder}/record.json`)
  const bytes = containers.map((each) => Uint8Array.from(Buffer.from(each.bytes.slice(2, -8), "hex")))
  const blocks = bytes.map((each) => readOuterBlock(each, VERIFIED_BEFORE))
  return { blocks, rules, newStore: () => openGolden(goldenSource(folder)).store }
}

/** An engine whose peers, the validators, answer from a chain that is decided. */
function engineOn(outer: OuterChain, store: MemoryStore, peers: OuterChain, follows: boolean) {
  const waiting: { readonly to: NodeID; readonly message: OutgoingMessage }[] = []
  const beacon = "00".repeat(20) as NodeID
  const validators = new Set<NodeID>([beacon])
  const engine = new Engine({
    chain: outer,
    state: store,
    beacons: [beacon],
    parameters: { ...defaultSnowParameters, beta: 1 },
    random: seededRandom(1),
    followsFrom: follows ? 0 : undefined,
    unixSeconds: () => WALL,
    port: {
      send: (to, message) => waiting.push({ to, message }) > 0,
      validators: (set) => {
        for (const nodeID of set.keys()) validators.add(nodeID)
      },
      accepted: () => {},
      bootstrapped: () => {},
      halted: (report) => {
        throw new Error(report.reason, { cause: report })
      },
    },
  })
  for (const nodeID of validators) engine.connected(nodeID)
  let now = 0
  const limits = { maxAncestors: 2000, isOutOfTime: () => false }
  return {
    engine,
    /** Lets the engine work until it has accepted a block of a height or above. */
    reach(height: bigint): void {
      for (let ticks = 0; outer.lastAccepted.height < height; ticks++) {
        if (ticks === 100) throw new Error(`the height stays at ${outer.lastAccepted.height}`)
        now += 1_000
        engine.tick(now)
        for (const { to, message } of waiting.splice(0)) {
          const asked = message as ChainMessage
          const isQuery = asked.case === "pullQuery" || asked.case === "pushQuery"
          const answer = isQuery ? chitsOf(asked.value, peers) : answerAboutChain(asked, peers, limits)
          if (answer) engine.message(to, answer as ChainMessage, now, limits.isOutOfTime)
        }
        let left = 1
        engine.work(now, () => left-- <= 0)
      }
    },
  }
}

type Way = (decided: Decided, store: MemoryStore) => Promise<void>

/** Each of them opens the chain anew for every block, and writes that block alone. */
const ways: Readonly<Record<string, Way>> = {
  async "replay with wrappers"({ blocks, rules }, store) {
    for (const block of blocks) await replayOne(outerOn(rules, store), block.bytes)
  },
  async "replay without wrappers"({ blocks, rules }, store) {
    for (const { inner } of blocks) await replayOne(outerOn(rules, store), inner.bytes)
  },
  async bootstrapping({ blocks, rules, newStore }, store) {
    const peers = acceptedUpTo(blocks.length, blocks, outerOn(rules, newStore()))
    for (let { height } = outerOn(rules, store).lastAccepted; height < peers.lastAccepted.height; height++) {
      const { engine, reach } = engineOn(outerOn(rules, store), store, peers, false)
      reach(height + 1n)
      engine.flush()
    }
  },
  async following({ blocks, rules, newStore }, store) {
    const peers = outerOn(rules, newStore())
    for (const block of blocks) {
      acceptedUpTo(1, [block], peers)
      engineOn(outerOn(rules, store), store, peers, true).reach(block.height)
    }
  },
}

async function replayOne(outer: OuterChain, bytes: Uint8Array): Promise<void> {
  const entries = (async function* () {
    yield { text: toHexText(bytes), place: 1 }
  })()
  await replay(entries, outer, { now: () => Number(WALL) * 1000 })
}

function acceptedUpTo(count: number, blocks: readonly OuterBlock[], outer: OuterChain): OuterChain {
  for (const block of blocks.slice(0, count)) {
    outer.verify(block, { nowSeconds: WALL, isBootstrapping: true })
    outer.accept(block.id)
  }
  return outer
}

/** Compares the state after a chain was opened anew for each block with that of one that ran on. */
async function expectSame(way: string, decided: Decided): Promise<void> {
  const { blocks, rules, newStore } = decided
  const [straight, restarted] = [newStore(), newStore()]
  acceptedUpTo(blocks.length, blocks, outerOn(rules, straight)).chain.flush()
  await (ways[way] as Way)(decided, restarted)
  expect(stateOf(restarted)).toBe(stateOf(straight))
}

describe.each(Object.keys(ways))("a chain is stopped and opened again after every block: %s", (way) => {
  for (let i = 0; i < attempts(CHAINS); i++) {
    const [era, schedule] = schedules[i % schedules.length]!
    test(`random chain ${i}, ${era}`, () => expectSame(way, wrapped(first + i, schedule)))
  }

  test.each(goldenChains)("%s", (folder) => expectSame(way, recorded(folder)))
})
