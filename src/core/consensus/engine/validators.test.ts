import { expect, test } from "vitest"
import { changeOf, firstUnspent, payment } from "../../../../test/fixtures/longChain.js"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { outerChainOf } from "../../../../test/simulator/chainMaker.js"
import { seededRandom } from "../../../../test/simulator/random.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import { Mempool } from "../../chain/mempool.js"
import type { ValidatorInfo } from "../../p2p/addressBook.js"
import { tables } from "../../state/tables.js"
import { valuesOf } from "../../state/view.js"
import type { NodeID } from "../../types/id.js"
import { defaultSnowParameters } from "../snowman/parameters.js"
import { Engine } from "./engine.js"

const { nodeID, certificate, signTls: sign } = peerIdentity("alone")
const network = simulatedGenesis([nodeID])
const [staker] = [...valuesOf(network.newStore().latest.rows(tables.currentStakers))]
const END_MS = Number((staker as { endTime: bigint }).endTime) * 1000

/** The only validator of a network, which pays until its time is over. Returns the heights and the validators at each report. */
function runUntilItsEnd() {
  const store = network.newStore()
  const chain = outerChainOf(network, store)
  const pool = new Mempool()
  let now = END_MS - 20_000
  const reports: [height: number, validators: (readonly [NodeID, ValidatorInfo])[]][] = []
  const engine = new Engine({
    chain,
    state: store,
    beacons: [],
    parameters: defaultSnowParameters,
    random: seededRandom(1),
    followsFrom: now,
    validator: {
      key: { nodeID, certificate, sign },
      pool,
      minBlockDelayMs: 0,
      unixMs: () => now,
      recommendedHeight: () => chain.lastAccepted.height,
    },
    port: {
      send: () => false,
      validators: (validators) => void reports.push([Number(chain.lastAccepted.height), [...validators]]),
      accepted: () => {},
      bootstrapped: () => {},
      halted: () => {},
    },
  })
  let unspent = firstUnspent
  for (; now < END_MS + 5_000; now += 100) {
    if (now < END_MS - 5_000 && now % 2_000 === 0) {
      const tx = payment(unspent, network.rules)
      unspent = changeOf(tx)
      pool.add(tx, { gas: 1_000n, burned: 10_000n })
    }
    engine.tick(now)
  }
  return { reports, height: Number(chain.lastAccepted.height) }
}

test("validators are reported at the start, and when a block has changed them", () => {
  const { reports, height } = runUntilItsEnd()
  const { weight } = staker as { weight: bigint }
  expect(height).toBeGreaterThan(5)
  expect(reports).toEqual([
    [0, [[nodeID, { weight, publicKey: undefined }]]],
    [height, []],
  ])
})
