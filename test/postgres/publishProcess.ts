import { storedChainData } from "../../src/chaindata/chainData.js"
import { openStore } from "../../src/chaindata/openStore.js"
import { tables } from "../../src/core/state/tables.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"

// Publishes the chain in a directory block by block.
const [url = "", dir = ""] = process.argv.slice(2)
const store = openStore(dir, { readOnly: true })
const publisher = startPublisher({ store, data: storedChainData(store) }, { url, limits: { blocks: 1, size: 1 << 20 } })
await published(publisher, store.latest.get(tables.lastAccepted, null)!.height)
await publisher.stop()
await store.close()
