import { describe, test } from "vitest"
import type { Genesis } from "../../src/core/genesis/genesis.js"
import { hrpOf } from "../../src/core/networks/names.js"
import type { ChainData } from "../../src/node/chainData.js"
import { newDatabase, noPostgres, noteNoPostgres } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { type ReadChain, replayGolden } from "../fixtures/readModel.js"
import { noteMissing } from "../missing.js"
import { hasShared } from "../shared.js"
import { expectEveryRow } from "./everyRow.js"
import { StateHistory } from "./stateHistory.js"

const folders = ["local-v1.13.0", "local-v1.14.2", "history-v1.14.2", "helicon-v1.15.0"].filter((name) =>
  hasShared(`golden/${name}/record.json`),
)

noteMissing(folders.length > 0, "../shared/golden")
noteNoPostgres()

const dataOf = ({ genesis, rules }: Pick<ReadChain, "rules"> & { genesis: Genesis }): ChainData => ({
  genesis,
  rules,
  ruleFlags: {},
  isNew: false,
  isProven: true,
})

describe.skipIf(noPostgres !== undefined)("every published row is what the states of the chain show", () => {
  test.each(folders)("%s", async (folder) => {
    let history: StateHistory | undefined
    const replayed = replayGolden(
      folder,
      ({ store }, block) => history?.remember(block, store.latest),
      ({ store, rules }) => {
        history = new StateHistory(hrpOf(rules.networkID), store.latest)
      },
    )
    const database = await newDatabase()
    const data = dataOf(replayed)
    const publisher = startPublisher(
      { store: replayed.store, data },
      { url: database.url, limits: { blocks: 17, size: 1 << 20 } },
    )
    try {
      await published(publisher, replayed.chain.lastAccepted.height)
      await expectEveryRow(database.sql, history as StateHistory, replayed.store.latest)
    } finally {
      await publisher.stop()
      await database.close()
    }
  })
})
