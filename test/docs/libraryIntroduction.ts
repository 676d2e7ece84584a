/** The hand-written beginning of docs/library.md. A test compiles its program with the lowest TypeScript that is named, and runs it. */
export const libraryIntroduction = `# The library

Everything that \`import … from "serac"\` gives. [Quick start](quick-start.md#install-it) shows how to install the package, and
[Testing with Serac](testing.md) how to use a private chain in tests; this page lists each name with its declaration. The test suite generates it from
the sources (\`npm run docs\`).

The package is an ES module: write \`"type": "module"\` in package.json, or use \`await import("serac")\`. Node 20.19 or newer. TypeScript 5.7 or
newer, with \`@types/node\`; \`skipLibCheck\` is not needed. \`await using\` is compiled by TypeScript for any Node; JavaScript has it from
Node 24 on, and elsewhere \`devnet.stop()\` does the same.

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

\`devnet.subscribe()\`, or \`subscribe(url)\` for a node elsewhere, gives the transactions and blocks as they are accepted:

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

Amounts are nAVAX, a billionth of an AVAX, and always \`bigint\`: in options, in parameters, in decoded values, and in the answers of \`devnet.rpc\`,
\`devnet.dev\` and \`httpClient\`, where JSON quotes them and where it does not. So are heights and all other integers of 64 bits; smaller ones are
\`number\`. \`parseAvax\` reads AVAX and \`avaxText\` writes them; \`printJson\` prints any answer as JSON, which \`JSON.stringify\` refuses to do with
bigints. Times are RFC 3339, or Unix seconds where AvalancheGo's methods have them. A transaction as JSON is a [\`TxJson\`](#txjson), whose members are those of its kind. IDs, node IDs and addresses
are lowercase hex strings in decoded values; the functions \`…Text\` and \`parse…\` convert them. Bad input throws [\`Invalid\`](#invalid) with a
stable code, listed in [errors.md](errors.md).
`
