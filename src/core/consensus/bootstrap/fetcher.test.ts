import { expect, test } from "vitest"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { ChainMaker, outerChainOf } from "../../../../test/simulator/chainMaker.js"
import { seededRandom } from "../../../../test/simulator/random.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import type { ID, NodeID } from "../../types/id.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import { Fetcher } from "./fetcher.js"

const NOW = 1_750_000_000_000
const key = peerIdentity("validator 0")
const network = simulatedGenesis([key.nodeID])
const maker = new ChainMaker(network, [key])
const blocks = Array.from({ length: 4 }, (_, i) => maker.next(1_750_000_000n + BigInt(i * 6)))
const [one, two, three, four] = blocks as [OuterBlock, OuterBlock, OuterBlock, OuterBlock]
const stranger = new ChainMaker(network, [key]).make(1_750_000_003n)
const newestFirst = [four, three, two, one].map(({ bytes }) => bytes)
const [liar, honest] = ["aa".repeat(20), "bb".repeat(20)] as [NodeID, NodeID]

/** A fetcher that wants the last block and has requested it from one node; `asked` lists its requests. */
function asking() {
  const store = network.newStore()
  const asked: [NodeID, ID][] = []
  const fetcher = new Fetcher({
    chain: outerChainOf(network, store),
    state: store,
    random: seededRandom(1),
    maxAncestors: 2_000,
    request: (nodeID, id) => asked.push([nodeID, id]) > 0,
  })
  fetcher.peers.add(liar)
  fetcher.want(four.id)
  fetcher.requestMissing(NOW)
  fetcher.peers.add(honest)
  return { fetcher, asked, heights: () => blocks.map(({ height }) => height).filter((height) => fetcher.blocks.has(height)) }
}

const changed = (bytes: Uint8Array) => bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte))

test.each([
  ["nothing", []],
  ["bytes that are no block", [new Uint8Array(100)]],
  ["another block than the one that was asked for", [stranger.bytes, ...newestFirst.slice(1)]],
  ["its ancestors oldest first", [...newestFirst].reverse()],
  ["the block with a changed signature", [changed(four.bytes), ...newestFirst.slice(1)]],
])("of an answer with %s nothing is kept, and another node is asked", (_name, containers) => {
  const { fetcher, asked, heights } = asking()
  fetcher.answered(liar, four.id, containers, 10, NOW)
  expect([heights(), asked]).toEqual([
    [],
    [
      [liar, four.id],
      [honest, four.id],
    ],
  ])
  fetcher.answered(honest, four.id, newestFirst, 10, NOW)
  expect([heights(), fetcher.isComplete]).toEqual([[1n, 2n, 3n, 4n], true])
})

test.each([
  ["does not connect", stranger.bytes],
  ["is no block", new Uint8Array(5)],
])("of an answer whose third block %s the first two are kept, and the rest is asked for", (_name, bytes) => {
  const { fetcher, asked, heights } = asking()
  fetcher.answered(liar, four.id, [four.bytes, three.bytes, bytes, one.bytes], 10, NOW)
  expect([heights(), asked.slice(1).map(([, id]) => id)]).toEqual([[3n, 4n], [two.id]])
})

test("a chain that leads to another block than the accepted one is refused", () => {
  const store = network.newStore()
  const chain = outerChainOf(network, store)
  chain.verify(stranger, { nowSeconds: 1_750_000_100n, isBootstrapping: true })
  chain.accept(stranger.id)
  chain.chain.flush()
  const other = new Fetcher({ chain, state: store, random: seededRandom(1), maxAncestors: 2_000, request: () => true })
  other.peers.add(honest)
  other.want(four.id)
  expect(() => other.answered(honest, four.id, newestFirst, 10, NOW)).toThrow(
    expect.objectContaining({ code: "consensus.other_chain" }),
  )
})
