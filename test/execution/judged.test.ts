import { describe, expect, test } from "vitest"
import { bls } from "../../src/core/crypto/backends.js"
import { parseJson, printJson } from "../../src/core/lib/json.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { digestOf } from "../../src/node/digest.js"
import { avalancheGoVerdicts, isJudgeHere } from "../goverify.js"
import { noteMissing } from "../missing.js"
import { attempts, Random, seed } from "../strangers/random.js"
import { JudgedChain } from "./judged/judgedChain.js"
import { eraOf, NETWORK, passing, type Schedule, worldOf } from "./judged/world.js"

noteMissing(isJudgeHere, "AvalancheGo's VM (SERAC_GOVERIFY)")
await bls().preparePossession()

const CHAINS = 200
const STEPS = 60
const first = seed("judged chains")

const schedules: readonly (readonly [string, Schedule])[] = [
  ["through all upgrades", passing],
  ["under Granite", eraOf("granite")],
  ["before Apricot Phase 3", eraOf("apricotPhase2")],
  ["under Apricot Phase 5", eraOf("apricotPhase5")],
  ["under Banff", eraOf("banff")],
  ["under Durango", eraOf("durango")],
  ["from Cortina to Helicon", { ...eraOf("cortina"), durango: 300n, etna: 600n, fortuna: 700n, granite: 800n, helicon: 1_500n }],
  ["under Helicon", eraOf("helicon")],
]

/** Of several assets that are short, AvalancheGo names any. */
const told = (refusal: string | undefined) => refusal?.replace(/(insufficient (un)?locked funds): .*/, "$1")

describe.skipIf(!isJudgeHere)("AvalancheGo says the same of whatever is tried on a chain", () => {
  for (let i = 0; i < attempts(CHAINS); i++) {
    const [era, schedule] = schedules[i % schedules.length]!
    test(`chain ${i}, ${era}`, () => {
      const random = new Random(first + i)
      const chain = new JudgedChain(worldOf(random, schedule), random)
      for (let step = 0; step < STEPS; step++) chain.step()
      const { world, lines, atomic } = chain
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
      const ours = lines.map(({ refusal }) => told(refusal))
      // AvalancheGo adds up the new weights of an L1 in any order, and now and then fails to accept what it verified.
      if (refusals.at(-1) === "accept: overflow") {
        expect(refusals.slice(0, -1).map(told)).toEqual(ours.slice(0, refusals.length - 1))
        return
      }
      expect(refusals.map(told)).toEqual(ours)
      expect(digest).toEqual(parseJson(printJson(digestOf(world.store.latest) as never)))
    })
  }
})
