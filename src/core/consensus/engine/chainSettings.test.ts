import { expect, test } from "vitest"
import { changeOf, firstUnspent, payment } from "../../../../test/fixtures/longChain.js"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { ChainMaker, outerChainOf } from "../../../../test/simulator/chainMaker.js"
import { seededRandom } from "../../../../test/simulator/random.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import { Mempool } from "../../chain/mempool.js"
import type { NodeID } from "../../types/id.js"
import { Fetcher } from "../bootstrap/fetcher.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import { defaultSnowParameters } from "../snowman/parameters.js"
import { Engine } from "./engine.js"
import { type ChainSettings, defaultChainSettings } from "./enginePort.js"

const START = 1_750_000_000_000
const PAYMENT_INTERVAL_MS = 40_000
const keys = ["one", "two", "three"].map(peerIdentity)
const [own, ...others] = keys as [(typeof keys)[0], ...typeof keys]
const network = simulatedGenesis(keys.map(({ nodeID }) => nodeID))

/** The first of three validators, connected to two that do not answer: its messages and proposals within some seconds. */
function runFor(seconds: number, settings: Partial<ChainSettings>, paymentCount = 0) {
  const store = network.newStore()
  const chain = outerChainOf(network, store)
  const pool = new Mempool()
  let now = START
  const queries: number[] = []
  const proposed: OuterBlock[] = []
  const { nodeID, certificate, signTls: sign } = own
  const engine = new Engine({
    chain,
    state: store,
    beacons: [],
    parameters: defaultSnowParameters,
    settings: { ...defaultChainSettings, ...settings },
    random: seededRandom(1),
    followsFrom: START,
    validator: {
      key: { nodeID, certificate, sign },
      pool,
      minBlockDelayMs: 0,
      unixMs: () => now,
      recommendedHeight: () => chain.lastAccepted.height,
    },
    port: {
      send: (_to, message) => message.case !== "pullQuery" || queries.push(now) > 0,
      validators: () => {},
      accepted: () => {},
      bootstrapped: () => {},
      halted: () => {},
      proposed: (block) => void proposed.push(block),
    },
  })
  for (const { nodeID: other } of others) engine.connected(other)
  let [unspent, payments] = [firstUnspent, paymentCount]
  for (; now < START + seconds * 1000; now += 50) {
    if (payments > 0 && (now - START) % PAYMENT_INTERVAL_MS === 0) {
      const tx = payment(unspent, network.rules)
      unspent = changeOf(tx)
      pool.add(tx, { gas: 1_000n, burned: 10_000n })
      payments--
    }
    engine.tick(now)
  }
  return { queries, proposed, openRequests: engine.openRequests }
}

test("while nothing is undecided one validator is asked every 100 ms, or as often as it is set", () => {
  expect(runFor(1, {}).queries.length).toBe(10)
  const { queries, openRequests } = runFor(1, { frontierPollMs: 250 })
  expect(queries).toEqual([0, 250, 500, 750].map((after) => START + after))
  expect(openRequests).toMatchObject({ count: 4, oldestSentAt: START })
})

test("a validator builds no further block while as many are undecided as are set", () => {
  const heights = (settings: Partial<ChainSettings>) => runFor(120, settings, 3).proposed.map(({ height }) => Number(height))
  expect(heights({})).toEqual([1, 2, 3])
  expect(heights({ optimalProcessing: 2 })).toEqual([1, 2])
})

test("only the set number of blocks is used of an answer with ancestors", () => {
  const maker = new ChainMaker(network, keys)
  const blocks = Array.from({ length: 5 }, (_, i) => maker.next(1_750_000_000n + BigInt(i * 6)))
  const newest = blocks[4] as OuterBlock
  const fetchedWith = (maxAncestors: number) => {
    const store = network.newStore()
    const asked: string[] = []
    const request = (_nodeID: NodeID, id: string) => asked.push(id) > 0
    const fetcher = new Fetcher({
      chain: outerChainOf(network, store),
      state: store,
      random: seededRandom(1),
      request,
      maxAncestors,
    })
    fetcher.peers.add(own.nodeID)
    fetcher.want(newest.id)
    fetcher.requestMissing(START)
    fetcher.answered(own.nodeID, newest.id, blocks.map(({ bytes }) => bytes).reverse(), 1, START)
    return [Number(fetcher.blocks.count), asked.slice(1)]
  }
  expect(fetchedWith(defaultChainSettings.maxAncestorsReceived)).toEqual([5, []])
  expect(fetchedWith(2)).toEqual([2, [blocks[2]?.id]])
})
