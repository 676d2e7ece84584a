import { tables } from "../../src/core/state/tables.js"
import { openStore } from "../../src/datadir/openStore.js"
import { storedChain } from "../../src/datadir/storedChain.js"
import { published, startPublisher } from "../fixtures/publishedChain.js"

// Publishes the chain in a directory block by block.
const [url = "", dir = ""] = process.argv.slice(2)
const store = openStore(dir, { readOnly: true })
const publisher = startPublisher({ store, data: storedChain(store) }, { url, limits: { blocks: 1, size: 1 << 20 } })
await published(publisher, store.latest.get(tables.lastAccepted, null)!.height)
await publisher.stop()
await store.close()
