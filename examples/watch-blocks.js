// Watches blocks and transactions as they are accepted, by server-sent events.
//
//   node examples/watch-blocks.js
//
// A browser needs no code for this: new EventSource("http://127.0.0.1:9650/ext/bc/P/events").
import { startDevnet } from "serac"

const devnet = await startDevnet({ accounts: 1 })
const [, , { address }] = devnet.keys

/** Events of a node, one after the other. `Last-Event-ID` resumes behind a height, so that none is missed. */
async function* eventsOf(url, lastHeight) {
  const response = await fetch(`${url}/ext/bc/P/events`, { headers: { "last-event-id": String(lastHeight) } })
  if (!response.body) throw new Error(`no events: ${response.status}`)
  let text = ""
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    // An event ends with an empty line; what is left over is the beginning of the next one.
    const events = text.split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) {
      const fields = Object.fromEntries(event.split("\n").map((line) => line.split(/: ?(.*)/s, 2)))
      if (fields.data) yield { type: fields.event, ...JSON.parse(fields.data) }
    }
  }
}

// Something to watch: three payments, each in a block of its own.
for (let i = 0; i < 3; i++) await devnet.dev.fund({ address, amount: "1000000000" })

for await (const event of eventsOf(devnet.url, 0)) {
  if (event.type === "tx") console.log(`  ${event.kind} ${event.txID} ${event.status}`)
  if (event.type === "block") console.log(`block ${event.height} with ${event.txs.length} transactions`)
  if (event.type === "block" && event.height === String((await devnet.dev.status()).height)) break
}

await devnet.stop()
