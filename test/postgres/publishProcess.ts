import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"

// Publishes a chain of a given length block by block, and stays until it is killed, or ends.
const [url = "", length = "0", stays] = process.argv.slice(2)
const made = openTestChain()
acceptAll(made.chain, [...longChain(localNetwork(), Number(length))])
made.chain.flush()
const publisher = startPublisher(made, { url, limits: { blocks: 1, size: 1 << 20 } })
await published(publisher, BigInt(length))
if (stays === undefined) await publisher.stop()
