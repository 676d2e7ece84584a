import { describe, expect, test } from "vitest"
import { printJson } from "../../src/core/lib/json.js"
import { parseJson } from "../../src/core/lib/parseJson.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { bls } from "../../src/platform/backends.js"
import { digestOf } from "../../src/tools/summary.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { avalancheGoVerdicts, needsJudge } from "../goverify.js"
import { DifferentialChain } from "./differential/differentialChain.js"
import { heliconSince, NETWORK, schedules, type World, worldOf } from "./differential/world.js"

await bls().preparePossession()

const CHAINS = 200
const STEPS = 60
/** Number of chains under Helicon with many cycles. With at least 385 accepted blocks each, they have more than 10,000 blocks. */
const LONG_CHAINS = 26
const LONG_STEPS = 800
const LONG_CHAIN_BLOCKS = 385
const first = seed("judged chains")

/** Removes the missing asset from a refusal, because AvalancheGo names any of several. */
const comparable = (refusal: string | undefined) => refusal?.replace(/(insufficient (un)?locked funds): .*/, "$1")

describe("AvalancheGo gives the same verdict on every transaction that is tried on a chain", needsJudge, () => {
  for (let i = 0; i < attempts(CHAINS); i++) {
    const [era, schedule] = schedules[i % schedules.length]!
    test(`chain ${i}, ${era}`, () => {
      const random = new Random(first + i)
      judgeChain(random, worldOf(random, schedule), STEPS)
    })
  }
})

describe("AvalancheGo gives the same verdict on chains whose validators renew themselves for hours", needsJudge, () => {
  for (let i = 0; i < attempts(LONG_CHAINS); i++) {
    test(`long chain ${i}`, () => {
      const random = new Random(first + 1_000 + i)
      const blocks = judgeChain(random, worldOf(random, heliconSince(BigInt(20 * i)), { cheapGas: true }), LONG_STEPS)
      expect(blocks).toBeGreaterThanOrEqual(LONG_CHAIN_BLOCKS)
    }, 600_000)
  }
})

/** Makes a chain with `steps` steps in this world, and compares its results with AvalancheGo's VM. Returns the number of accepted blocks. */
function judgeChain(random: Random, world: World, steps: number): number {
  const chain = new DifferentialChain(world, random)
  for (let step = 0; step < steps; step++) chain.step()
  const { lines, atomic } = chain
  const { refusals, digest } = avalancheGoVerdicts(
    lines.map(({ bytes, pChainHeight }) => `${toHexText(bytes)} ${pChainHeight}`),
    {
      networkID: NETWORK,
      flags: world.flags,
      genesis: world.genesisText,
      upgrades: world.upgradeText,
      atomic: atomic.map((bytes) => toHexText(bytes)),
    },
  )
  const ours = lines.map(({ refusal }) => comparable(refusal))
  const accepted = lines.filter(({ refusal }) => refusal === undefined).length
  // AvalancheGo adds up the new weights of an L1 in any order, and sometimes cannot accept a block that it verified.
  if (refusals.at(-1) === "accept: overflow") {
    expect(refusals.slice(0, -1).map(comparable)).toEqual(ours.slice(0, refusals.length - 1))
    return accepted
  }
  expect(refusals.map(comparable)).toEqual(ours)
  expect(digest).toEqual(parseJson(printJson(digestOf(world.store.latest))))
  return accepted
}
