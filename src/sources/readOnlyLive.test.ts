import { expect, test } from "vitest"
import { peerIdentity } from "../../test/fixtures/peerIdentity.js"
import { ChainMaker } from "../../test/simulator/chainMaker.js"
import { simulatedGenesis } from "../../test/simulator/simulatedGenesis.js"
import { readOnlyLive } from "./readOnlyLive.js"

const START = 1_750_000_000n

/** The epoch of a copy of a network's chain, or of a private one, with 20 blocks that are 200 s apart. */
function epochOf(isPrivate: boolean) {
  const keys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
  const network = simulatedGenesis(keys.map(({ nodeID }) => nodeID))
  const maker = new ChainMaker(network, keys)
  for (let i = 0n; i < 20n; i++) maker.next(START + 200n * i)
  const meta = { identity: isPrivate ? '{"kind":"private","id":"1"}' : undefined, networkID: 424_242, genesisID: "00".repeat(32) }
  const store = { latest: maker.chain.chain.state, getMeta: (name: keyof typeof meta) => meta[name] }
  return readOnlyLive(store as never, { rules: network.rules } as never).currentEpoch()
}

test("a copy of a network's chain has the epoch that its wrappers lead to, as its joined nodes", () => {
  expect(epochOf(false)).toEqual({ number: 20n, startTime: START + 200n * 19n, pChainHeight: 19n })
})

test("a copy of a private chain names its last height, as a private chain without --warp-lag", () => {
  expect(epochOf(true)).toEqual({ number: 20n, startTime: START + 200n * 19n, pChainHeight: 20n })
})
