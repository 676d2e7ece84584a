import { onTestFinished, test } from "vitest"
import { Chain } from "../../src/core/chain/chain.js"
import { project, rebuildReadModel } from "../../src/core/readmodel/fold.js"
import { acceptAll } from "../fixtures/goldenChain.js"
import { needsPostgres, newDatabase } from "../fixtures/postgres.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"
import { openGoldenData } from "../fixtures/readModel.js"
import { caughtUp, startReader } from "../fixtures/readServer.js"
import { expectRecordedAnswers } from "../postgres/recordedAnswers.js"

test("a recorded chain is published to PostgreSQL, and a read server gives AvalancheGo's answers", needsPostgres, async () => {
  const { store, data, blocks } = openGoldenData("local-v1.14.2")
  rebuildReadModel(store, data.genesis)
  const chain = new Chain({ rules: data.rules, state: store, project, trustSignatures: true })
  acceptAll(chain, blocks.slice(1))
  chain.flush()
  const database = await newDatabase()
  onTestFinished(() => database.close())
  const publisher = startPublisher({ store, data }, { url: database.url })
  onTestFinished(() => publisher.stop())
  await published(publisher, chain.lastAccepted.height)
  const server = await startReader(database.url, "avalanchego")
  onTestFinished(() => server.stop())
  await caughtUp(server, chain.lastAccepted.height)
  await expectRecordedAnswers("local-v1.14.2", [server])
})
