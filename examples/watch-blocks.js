// Watches blocks and transactions as they are accepted.
//
//   node examples/watch-blocks.js
//
// `subscribe(url)` does the same with any node, and reconnects if the stream is cut. In a browser use
// new EventSource("http://127.0.0.1:9650/ext/bc/P/events").
import { startDevnet } from "serac"

const devnet = await startDevnet({ accounts: 1 })
const [{ address }] = devnet.accounts

// Make three payments, each in a separate block.
for (let i = 0; i < 3; i++) await devnet.dev.fund({ address, amount: "1000000000" })
const { height } = await devnet.dev.status()

// Subscribe to payments from the first block on. Leaving the loop ends the subscription.
for await (const event of await devnet.subscribe({ from: 1, kinds: ["BaseTx"] })) {
  if (event.event === "tx") console.log(`  ${event.kind} ${event.txID} ${event.status}`)
  if (event.event === "block") console.log(`block ${event.height} with ${event.txs.length} transactions`)
  if (event.event === "block" && event.height === height) break
}

await devnet.stop()
