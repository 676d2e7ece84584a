import { expect, test } from "vitest"
import { acceptAll, goldenChains, goldenSource, openGolden } from "../fixtures/goldenChain.js"
import { expectAgreement, expectIndexes } from "./agreement.js"
import { Auditor, supplyAtStart } from "./audit.js"
import { SetHistory } from "./setHistory.js"

test.each(goldenChains)(
  "after every block of %s all AVAX is accounted for, tables agree, and past validator sets can be computed",
  (folder) => {
    const { blocks, chain, store, rules } = openGolden(goldenSource(folder))
    const auditor = new Auditor(store.latest, rules)
    const history = new SetHistory()
    const supply = supplyAtStart(store.latest, rules)
    history.remember(0n, store.latest)
    acceptAll(chain, blocks.slice(1), (block) => {
      chain.flush()
      auditor.after(block, store.latest)
      expectAgreement(store.latest)
      expectIndexes(store.latest)
      for (const [subnetID, start] of supplyAtStart(store.latest, rules)) {
        expect([block.height, subnetID, start]).toEqual([block.height, subnetID, supply.get(subnetID) ?? start])
      }
      history.remember(block.height, store.latest)
    })
    history.expectFound(store.latest)
  },
)
