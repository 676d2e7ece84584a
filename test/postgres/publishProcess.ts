import { tables } from "../../src/core/state/tables.js"
import { keptChainData } from "../../src/node/chainData.js"
import { openStore } from "../../src/node/openStore.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"

// Publishes the chain in a directory block by block, and stays until it is killed, or ends.
const [url = "", dir = "", stays] = process.argv.slice(2)
const store = openStore(dir, { readOnly: true })
const publisher = startPublisher({ store, data: keptChainData(store) }, { url, limits: { blocks: 1, size: 1 << 20 } })
await published(publisher, store.latest.get(tables.lastAccepted, null)!.height)
if (stays === undefined) {
  await publisher.stop()
  await store.close()
}
