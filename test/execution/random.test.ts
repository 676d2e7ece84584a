import { describe, expect, test } from "vitest"
import type { UpgradeName } from "../../src/networks/upgrades.js"
import { attempts, Random, seed } from "../strangers/random.js"
import { expectAgreement, expectIndexes } from "./agreement.js"
import { Auditor } from "./audit.js"
import { expectLike } from "./random/compare.js"
import { RandomChain } from "./random/randomChain.js"
import { SetHistory } from "./setHistory.js"

const CHAINS = 100
const STEPS = 60
const first = seed("random chains")
const eras: readonly UpgradeName[] = ["cortina", "durango", "granite", "helicon"]

describe("random transactions do to a chain what they do to its model", () => {
  for (let i = 0; i < attempts(CHAINS); i++) {
    const last = eras[i % eras.length]!
    test(`chain ${i}, up to ${last}`, () => {
      const random = new RandomChain(new Random(first + i), last)
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
