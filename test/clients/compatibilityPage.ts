import { REFERENCE_VERSION } from "../../src/core/networks/reference.js"
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

function wallet(isRefused: boolean): string {
  const methods = Object.entries(prepared).filter(([, title]) => title.startsWith("is refused") === isRefused)
  return methods.map(([method]) => code(method)).join(", ")
}

/** Writes docs/compatibility.md, whose tables list the cases of the tests beside this file. */
export const compatibilityPage = (): string => `# Compatibility

For those who have software for AvalancheGo: Serac has the same bytes, rules and answers as its P-Chain. The tests run such
software against Serac without changes. \`npm run docs\` generates the tables of this page from the cases that the tests in \`test/clients/\` run, so a
line that is not true fails a test.

## The release

Serac answers as AvalancheGo v${REFERENCE_VERSION}, the newest release whose code the tests could run. \`info.getNodeVersion\`, the handshake with peers, and
\`serac --version\` name it. Of later releases this is known from public pages, looked up on 2026-11-19:

| release | what it changes for users of Serac | in Serac |
| --- | --- | --- |
| v1.15.1 | Helicon is active from genesis on in local networks; plugin protocol 46 | the same on a new private chain |
| v1.15.2, 2026-10-22 | plugin protocol 47; \`restakedValidationRewards\` and \`restakedDelegateeRewards\` in \`platform.getCurrentValidators\`; the C-Chain's \`avax.getAtomicTxStatus\` is gone | plugins of 47 are hosted, and both members are shown |
| v1.15.3 "API Cleanup", 2026-11-05 | backwards compatible to v1.15.0, plugin protocol 47; which methods it removed was not found | nothing was removed |

Helicon is active on Fuji since 2026-07-28 15:00 UTC, and on Mainnet since 2026-09-22 15:00 UTC. On 2026-11-19
[AvalancheGo's page of releases](https://build.avax.network/docs/nodes/releases) recommended v1.15.3 for both.

A new private chain and a local network of AvalancheGo v1.15.1 or later both have Helicon from genesis on; \`--upgrade granite\` gives a private chain the rules
before it. A node that joins such a local network needs \`--upgrade helicon\`, since networks without a name have the schedule of v${REFERENCE_VERSION}, which
leaves Helicon out.

## What is the same

Everything that is not listed under [what is different](#what-is-different) is the same.

| what | how we know |
| --- | --- |
| bytes, IDs and JSON of every transaction, block, UTXO and Warp message | recorded from AvalancheGo, both ways, in \`test/vectors/\` and \`test/golden/\` |
| the effect of a block on the state | recorded chains, compared at every height; AvalancheGo's own VM accepts each block that Serac makes, and reaches the same state |
| refusals and their reasons | recorded refusals, word for word in the \`avalanchego\` dialect |
| answers, status codes and headers of the API | recorded exchanges, member by member in the \`avalanchego\` dialect |
| the results in client libraries | the clients below, unmodified, over HTTP |

## Configured for the local network

A program that is configured for AvalancheGo's local network works without a change. Serac has the same address
\`http://127.0.0.1:9650\` (or \`localhost\`), the paths \`/ext/bc/P\`, \`/ext/P\` and \`/ext/bc/11111111111111111111111111111111LpoYY\`, the key
\`PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN\`, the five validators, \`/ext/health\` for tools that wait for the node, and
AvalancheGo's flags. The first block of a new chain is different: in it, \`ewoq\` funds ten accounts. With \`--accounts 0\` there is no such block,
and the values below are exact.

${table(
  ["what", "value", "method"],
  facts.map(({ title, value, method }) => [title, code(value), code(method)]),
)}

## Clients

### avalanchejs 5.2.0

The tests call every builder of \`pvm\`. They sign and issue each transaction, wait for it, and read its effect through the library.

${table(
  ["builder", "what the test does"],
  steps.map(({ builder, title }) => [code(builder), title]),
)}

The tests also call every method of its two clients.

- \`PVMApi\`: ${callsOf("PVMApi", false)}.
- \`InfoApi\`: ${callsOf("InfoApi", false)}.
- Serac refuses ${callsOf("PVMApi", true)}, as AvalancheGo does, because it no longer has these methods or never had them.

### The Avalanche SDK 0.1.1 (\`@avalanche-sdk/client\`)

The tests call every \`prepare…Txn\` of its wallet for the P-Chain, send the transaction with \`sendXPTransaction\` and wait for it with
\`waitForTxn\`. They also call every method of \`pChain\`, \`info\`, \`health\` and \`proposervm.pChain\` of its public client.

These are ${wallet(false)}. ${wallet(true)} are refused by the SDK itself, which knows only the chains of Mainnet and Fuji.

The wallet's \`send\` writes addresses of Mainnet or Fuji on every network, so it fails on any local network, including AvalancheGo's. The SDK
exports a chain \`avalancheLocal\`; change its \`rpcUrls\` if the node uses another port than 9650.

### AvalancheGo's Go clients and wallet

A program calls all methods of the \`info\` and \`platformvm\` clients of AvalancheGo 1.14.2, and issues every transaction of its wallet that needs no
other chain. 81 of 81 checks pass in the \`avalanchego\` dialect. See [the judges](#the-judges).

## The two dialects

AvalancheGo's API is documented differently from its answers in some places, and Serac can answer in both ways. \`--api-dialect contract\` is the
default and follows the documentation. \`--api-dialect avalanchego\` gives exactly AvalancheGo's members and texts, which its Go clients need. The tests
of avalanchejs use both dialects.

${table(
  ["", "`contract`", "`avalanchego`"],
  rows.map(({ topic, contract, avalanchego }) => [topic, contract, avalanchego]),
)}

## What is different

A private chain has no other nodes and is meant for tests, so it differs from a network in these points:

${table(
  ["", "a network", "Serac"],
  differences.map(({ what, network, serac }) => [what, network, serac]),
)}

A node can join a network and follow it ([joining.md](joining.md)). This was tested only with AvalancheGo's nodes on
local networks. Neither Mainnet nor Fuji has been synced. \`serac replay\` re-executes their chains from a file of blocks, and \`serac serve\` serves the result.

A joined node reads bytes of other nodes as AvalancheGo does: certificates, frames, messages, blocks,
transactions, Warp messages. Tests compare 1,188 recorded values of 28 kinds, good and hostile, and any number of new ones (\`SERAC_GOPARSE\`). No honest node meets these differences:

- A compressed message of more than 128 KiB that has a second zstd frame is refused. AvalancheGo reads it. Encoders write one frame.
- zstd 1.5.2, which AvalancheGo has, unpacks some damaged streams of bits that later versions refuse, one of 10,000 that are damaged at random. No encoder
  writes these, and nodes unpack what they pass on.
- A message whose lists have more than 65,536 values together is not read. A value takes memory, also if it is empty; those of AvalancheGo's lists have 32 bytes
  or more, and no more of them fit into a message.
- Of a peer list 128 entries are read, since each takes a tenth of a millisecond. AvalancheGo sends 15; a node that is set to send more sends the others later.
- Of a request for accepted blocks (\`GetAccepted\`) 2,048 IDs are looked up. AvalancheGo asks for the last blocks of some twenty nodes.
- There is no connection with a node whose certificate Go's TLS reads and OpenSSL does not. Its blocks are read, and its address is passed on. A node whose
  certificate only OpenSSL reads can connect; no AvalancheGo connects with it.

## The judges

A judge is a program of other authors whose results the tests compare with Serac's. \`npm test\` runs avalanchejs, and the SDK if \`npm run sdk\` has installed it (119 MB). AvalancheGo's own programs run if variables name them
([CONTRIBUTING.md](../CONTRIBUTING.md#what-a-test-may-need)): its VM accepts every block that avalanchejs made, reaches the state that \`serac state\` shows, and accepts and refuses the same blocks of random chains of every era; its readers of
bytes say what they read from good and mutated bytes of peers; its clients and wallets call every method, issue every transaction, and stake as an auto-renewed validator.
`
