import { calls } from "./avalanchejs/calls.js"
import { steps } from "./avalanchejs/transactions.js"
import { rows } from "./dialects.js"
import { differences } from "./differences.js"
import { facts } from "./dropIn.js"
import { prepared } from "./sdk/prepared.js"

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const code = (text: string) => `\`${text}\``

function callsOf(api: string, isRefused: boolean): string {
  const names = calls.filter((call) => call.api === api && call.title.startsWith("is refused") === isRefused)
  return names.map(({ method }) => code(method)).join(", ")
}

/** Writes docs/compatibility.md, whose tables list the cases of the tests beside this file. */
export const compatibilityPage = (): string => `# Compatibility

Serac is AvalancheGo's P-Chain: the same bytes, the same rules, the same answers. The judge is software that others wrote for
AvalancheGo. The tables of this page are made by \`npm run docs\` of what the tests in \`test/clients/\` run over: a line that is not true
fails the build.

- [What is the same](#what-is-the-same)
- [Configured for the local network](#configured-for-the-local-network)
- [Clients](#clients): avalanchejs, the Avalanche SDK, AvalancheGo's Go clients
- [The two dialects](#the-two-dialects)
- [What is different](#what-is-different)
- [The judges](#the-judges)

## What is the same

Whatever is not named under [what is different](#what-is-different). AvalancheGo 1.15.0 is meant where its versions differ.

| what | how we know |
| --- | --- |
| bytes, IDs and JSON of every transaction, block, UTXO and Warp message | recorded from AvalancheGo, both ways, in \`test/vectors/\` and \`test/golden/\` |
| what a block does to the state | recorded chains, compared at every height; AvalancheGo's own VM accepts each block that Serac makes, and ends in the same state |
| what is refused, and why | recorded refusals, word for word in the \`avalanchego\` dialect |
| answers, status codes and headers of the API | recorded exchanges, member by member in the \`avalanchego\` dialect |
| what a client sees | the clients below, unmodified, over HTTP |

## Configured for the local network

A program that is configured for AvalancheGo's local network works without a change: \`http://127.0.0.1:9650\` (or \`localhost\`), the paths
\`/ext/bc/P\`, \`/ext/P\` and \`/ext/bc/11111111111111111111111111111111LpoYY\`, the key
\`PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN\`, the five validators, \`/ext/health\` for tools that wait, and AvalancheGo's flags. A new chain differs by its first block, in which \`ewoq\` funds ten accounts: \`--accounts 0\` leaves it out,
and with it the values below hold to the last nAVAX.

${table(
  ["what", "value", "asked by"],
  facts.map(({ title, value, method }) => [title, code(value), code(method)]),
)}

## Clients

### avalanchejs 5.2.0

Every builder of \`pvm\`: what it builds is signed, issued and awaited, and its effect is read back through the library.

${table(
  ["builder", "what it does here"],
  steps.map(({ builder, title }) => [code(builder), title]),
)}

Every method of its two clients. \`PVMApi\`: ${callsOf("PVMApi", false)}. \`InfoApi\`: ${callsOf("InfoApi", false)}. Refused as by AvalancheGo, which
no longer has them or never had: ${callsOf("PVMApi", true)}.

### The Avalanche SDK 0.1.1 (\`@avalanche-sdk/client\`)

Every \`prepare…Txn\` of its wallet for the P-Chain, sent by \`sendXPTransaction\` and awaited by \`waitForTxn\`; and every method of \`pChain\`, \`info\`, \`health\` and
\`proposervm.pChain\` of its public client.

${table(
  ["method of the wallet", "what it does here"],
  Object.entries(prepared).map(([method, title]) => [code(method), title]),
)}

The wallet's \`send\` writes addresses of Mainnet or Fuji on every network, and so fails on a local one, AvalancheGo's too. The SDK has its
own chain \`avalancheLocal\`; for another port than 9650 give it other \`rpcUrls\`.

### AvalancheGo's Go clients and wallet

All methods of the \`info\` and \`platformvm\` clients of AvalancheGo 1.14.2, and its wallet with every transaction that needs no other chain: 81 of
81 checks, in the \`avalanchego\` dialect. See [the judges](#the-judges).

## The two dialects

Where its API was documented otherwise than AvalancheGo answers, Serac can do either. \`--api-dialect contract\` is the default;
\`--api-dialect avalanchego\` answers as AvalancheGo does, to the member and the word, which its Go clients need. avalanchejs is tested with both.

${table(
  ["", "`contract`", "`avalanchego`"],
  rows.map(({ topic, contract, avalanchego }) => [topic, contract, avalanchego]),
)}

## What is different

A private chain has no other nodes, and is meant for tests.

${table(
  ["", "a network", "Serac"],
  differences.map(({ what, network, serac }) => [what, network, serac]),
)}

A node can join Mainnet and Fuji and follow them ([operating.md](operating.md#join-a-network)); it has not been tried on these networks, only beside AvalancheGo on local ones. Their chains can be replayed from a file of blocks (\`serac replay\`) and served (\`serac serve\`).

## The judges

\`npm test\` runs avalanchejs, and the SDK where \`npm run sdk\` has installed it (119 MB). AvalancheGo's own programs are run where they were
built, by name:

| variable | program | what it does |
| --- | --- | --- |
| \`SERAC_GOVERIFY\` | feeds blocks into AvalancheGo's platform VM | has every block of the chain that avalanchejs made accepted, and compares the state with \`serac state\`; says of random chains of every era, and of what is refused on them, what we say |
| \`SERAC_GOCLIENT\` | AvalancheGo's clients and wallet | calls every method, issues every transaction, with Warp messages of its own |
| \`SERAC_GOHELICON\` | AvalancheGo v1.15.0's wallet | stakes as an auto-renewed validator, reconfigures it twice, and reads it back |

\`SERAC_GOVERIFY\` is built against v1.15.0: a private chain has Helicon's rules.
`
