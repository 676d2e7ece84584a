import { expect, test } from "vitest"
import { acceptAll, goldenSource, openGolden } from "../fixtures/goldenChain.js"
import { noteMissing } from "../missing.js"
import { hasShared } from "../shared.js"
import { expectAgreement, expectIndexes } from "./agreement.js"
import { Auditor, supplyAtStart } from "./audit.js"
import { SetHistory } from "./setHistory.js"

const folders = ["local-v1.13.0", "local-v1.14.2", "history-v1.14.2", "helicon-v1.15.0"].filter((folder) =>
  hasShared(`golden/${folder}`),
)

noteMissing(folders.length > 0, "../shared/golden")

test.each(folders)(
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
