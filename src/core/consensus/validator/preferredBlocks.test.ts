import { expect, test } from "vitest"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { ChainMaker } from "../../../../test/simulator/chainMaker.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import { PreferredBlocks } from "./preferredBlocks.js"

const key = peerIdentity("validator 0")
const network = simulatedGenesis([key.nodeID])
const maker = new ChainMaker(network, [key])
const rival = new ChainMaker(network, [key]).make(1_750_000_001n)
const [one, two] = [0n, 6n].map((seconds) => maker.next(1_750_000_000n + seconds)) as [OuterBlock, OuterBlock]
const idsOf = (blocks: readonly OuterBlock[]) => blocks.map(({ id }) => id)

test("the branch that a validator votes for outlives a restart, without what was accepted meanwhile", () => {
  const store = network.newStore()
  const kept = new PreferredBlocks(store)
  kept.keep([one])
  kept.keep([one, two])
  expect(idsOf(new PreferredBlocks(store).above(0n))).toEqual([one.id, two.id])
  expect(idsOf(new PreferredBlocks(store).above(1n))).toEqual([two.id])
})

test("another branch replaces the stored one, and an empty one writes nothing", () => {
  const store = network.newStore()
  new PreferredBlocks(store).keep([one, two])
  const again = new PreferredBlocks(store)
  again.keep([])
  expect(idsOf(again.above(0n))).toEqual([one.id, two.id])
  again.keep([rival])
  expect(idsOf(new PreferredBlocks(store).above(0n))).toEqual([rival.id])
})
