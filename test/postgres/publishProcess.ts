import { acceptAll } from "../fixtures/goldenChain.js"
import { localNetwork, longChain } from "../fixtures/longChain.js"
import { openTestChain, published, startPublisher } from "../fixtures/publishedChain.js"

// Publishes a chain of a given length in parts of three blocks, and prints a line at the end.
const [url = "", length = "0"] = process.argv.slice(2)
const made = openTestChain()
acceptAll(made.chain, [...longChain(localNetwork(), Number(length))])
made.chain.flush()
const publisher = startPublisher(made, { url, limits: { blocks: 3, size: 1 << 20 } })
await published(publisher, BigInt(length))
await publisher.stop()
console.log("published")
