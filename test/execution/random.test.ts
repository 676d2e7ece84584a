import { describe, expect, test } from "vitest"
import type { Upgrades } from "../../src/core/networks/upgrades.js"
import { upgradesThrough } from "../fixtures/state.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { expectAgreement, expectIndexes } from "./agreement.js"
import { Auditor } from "./audit.js"
import { expectLike } from "./random/compare.js"
import { passing } from "./random/eras.js"
import { START } from "./random/genesis.js"
import { RandomChain } from "./random/randomChain.js"
import { SetHistory } from "./setHistory.js"

const CHAINS = 100
const STEPS = 60
const first = seed("random chains")

/** A schedule in which Helicon was activated 40 days before the start, so that the minimum consumption rate is still changing. */
function ramping(): Upgrades {
  const upgrades = upgradesThrough("granite")
  return { ...upgrades, times: { ...upgrades.times, helicon: START - 40n * 86_400n } }
}

const eras: readonly (readonly [string, Upgrades])[] = [
  ["before Durango", upgradesThrough("cortina")],
  ["under Durango", upgradesThrough("durango")],
  ["under Granite", upgradesThrough("granite")],
  ["through all upgrades", passing()],
  ["under Helicon", upgradesThrough("helicon")],
  ["in the first days of Helicon", ramping()],
]

describe("random transactions change a chain as they change its model", () => {
  for (let i = 0; i < attempts(CHAINS); i++) {
    const [era, upgrades] = eras[i % eras.length]!
    test(`chain ${i}, ${era}`, () => {
      const random = new RandomChain(new Random(first + i), upgrades)
      const { store, rules, model } = random
      const auditor = new Auditor(store.latest, rules)
      const history = new SetHistory()
      for (let step = 0; step < STEPS; step++) {
        for (const block of random.step()) auditor.after(block, store.latest)
        expectLike(store.latest, model)
        expectAgreement(store.latest)
        history.remember(random.chain.lastAccepted.height, store.latest)
      }
      expectIndexes(store.latest)
      history.expectFound(store.latest)
      expect(random.counts.size).toBeGreaterThan(0)
    })
  }
})
