/** The hand-written beginning of docs/library.md. A test compiles its program with the lowest TypeScript that is named, and runs it. */
export const libraryIntroduction = `# The library

This page lists every name that \`import … from "serac"\` gives, with its declaration. [Quick start](quick-start.md#install-it) shows how to install
the package, and [Testing with Serac](testing.md) how to use a private chain in tests. \`npm run docs\` generates the page from the sources.

The package is an ES module: write \`"type": "module"\` in package.json, or use \`await import("serac")\`. It needs Node 20.19 or newer. Its
types need TypeScript 5.7 or newer and \`@types/node\`, but not \`skipLibCheck\`. TypeScript compiles \`await using\` for any Node. JavaScript has it
from Node 24 on; with an older Node, call \`devnet.stop()\` instead.

\`\`\`ts run typed.ts
import { avaxText, Invalid, parseAvax, startDevnet, type UnsignedTxJson } from "serac"

await using devnet = await startDevnet({ accounts: 1, balance: parseAvax("2.5") })
const [, , account] = devnet.keys
console.log(avaxText(account?.balance ?? 0n))

const { txID } = await devnet.dev.fund({ address: account?.address ?? "", amount: parseAvax("0.5") })
const { tx } = await devnet.rpc("platform.getTx", { txID: txID ?? "", encoding: "json" })
for (const { output } of (tx.unsignedTx as UnsignedTxJson<"BaseTx">).outputs) {
  if ("amount" in output && output.addresses.includes(account?.address ?? "")) console.log(output.amount)
}

try {
  await devnet.dev.addValidators({ count: 1, duration: 60 })
} catch (error) {
  if (error instanceof Invalid) console.log(error.code)
}
\`\`\`

\`\`\`output
2.5 AVAX
500000000n
rules.stake_too_short
\`\`\`

\`devnet.subscribe()\` yields transactions and blocks as they are accepted. \`subscribe(url)\` does the same for any node:

\`\`\`ts run events.ts
import { startDevnet } from "serac"

await using devnet = await startDevnet({ accounts: 1 })
const address = devnet.keys[2]?.address ?? ""
await using events = await devnet.subscribe({ addresses: [address], kinds: ["BaseTx"] })
await devnet.dev.fund({ address, amount: 1_000_000_000n })

for await (const event of events) {
  if (event.event === "tx") console.log(event.kind, event.status, event.height)
  if (event.event === "block") break
}
\`\`\`

\`\`\`output
BaseTx Committed 2n
\`\`\`

Amounts are in nAVAX, a billionth of an AVAX, and always \`bigint\`: in options, in parameters, in decoded values, and in the answers of
\`devnet.rpc\`, \`devnet.dev\` and \`httpClient\`, whether the JSON quotes them or not. Heights and all other integers of 64 bits are also \`bigint\`;
smaller integers are \`number\`. \`parseAvax\` reads an amount in AVAX, and \`avaxText\` writes one. \`printJson\` prints any answer as JSON;
\`JSON.stringify\` throws on bigints. Times are in RFC 3339, or Unix seconds where AvalancheGo's methods use them. A transaction as JSON is a
[\`TxJson\`](#txjson), whose members depend on its kind. IDs, node IDs and addresses are lowercase hex strings in decoded values; the functions
\`…Text\` and \`parse…\` convert them. Bad input throws [\`Invalid\`](#invalid) with a
stable code, listed in [errors.md](errors.md).
`
