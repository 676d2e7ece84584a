import { expect, test } from "vitest"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { ChainMaker } from "../../../../test/simulator/chainMaker.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import { FetchedBlocks } from "./fetchedBlocks.js"

const key = peerIdentity("validator 0")
const network = simulatedGenesis([key.nodeID])
const maker = new ChainMaker(network, [key])
const blocks = Array.from({ length: 6 }, (_, i) => maker.next(1_750_000_000n + BigInt(i * 6)))
type Block = (typeof blocks)[0]
const [one, two, three, , five, six] = blocks as [Block, Block, Block, Block, Block, Block]

test("blocks are read ahead up to the first that is missing, from memory and after a restart from the store", () => {
  const store = network.newStore()
  const fetched = new FetchedBlocks(store, 0n)
  fetched.put([three, two, one])
  fetched.put([six, five])
  expect(fetched.readAhead(1n, 6n)).toEqual([one, two, three])
  expect(fetched.readAhead(4n, 6n)).toEqual([])
  const again = new FetchedBlocks(store, 0n)
  expect(again.readAhead(1n, 2n).map(({ id }) => id)).toEqual([one.id, two.id])
  expect(again.ranges).toEqual(fetched.ranges)
})

test("blocks that are dropped or executed are in memory no more", () => {
  const store = network.newStore()
  const fetched = new FetchedBlocks(store, 0n)
  fetched.put([six, five])
  fetched.put([three, two, one])
  fetched.dropFrom(2n)
  expect([1n, 2n, 3n, 5n].map((height) => fetched.get(height)?.id)).toEqual([undefined, undefined, three.id, five.id])
})
