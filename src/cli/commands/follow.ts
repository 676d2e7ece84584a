import { nodeAddress } from "../../client/nodeAddress.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { startFollowing } from "../../sources/followed/follow.js"
import { command } from "../command.js"
import { chainChoiceOf, chainFlags, chainRules } from "../flags/chainFlags.js"
import { type FlagType, optionalFlag } from "../flags/flags.js"
import { integerFlag } from "../flags/flagTypes.js"
import { publishFlags, publishOptionsOf, publishRules } from "../flags/publishFlags.js"
import { logOf, warnIfExposed } from "../flags/serverFlags.js"
import { logWarnings } from "../flags/withoutEffect.js"
import { catchUpBar } from "../progress.js"
import { servedChainFlags, servedChainGroups, servedChainOptionsOf, servedChainRules, serveUntilStopped } from "../servedChain.js"

/** A header of HTTP as people write it. */
const header: FlagType<Readonly<Record<string, string>>> = {
  value: "HEADER",
  expects: 'a name and a value, such as "x-api-key: 1234"',
  read(given) {
    const [, name, value] = (typeof given === "string" && /^([\w-]+):\s*([\x20-\x7e]+)$/.exec(given)) || []
    return name === undefined || value === undefined ? undefined : { [name]: value }
  },
}

/** `serac follow`: maintains a verified copy of a chain from other nodes' APIs, and serves it. */
export const followCommand = command({
  takes: "URL[,URL…]",
  count: [1, 16],
  about: `
Copies the P-Chain of a network from the API of other nodes, without peers, and serves it while it grows. Every block is executed
before it is stored. The nodes may be AvalancheGo (with --index-enabled the copy also has the ProposerVM wrappers), Serac, or public
endpoints. If two of the nodes have different blocks at one height, the copy stops before it, continues to serve, and /ext/health
answers 503 with both IDs. A stopped copy continues where it was.`,
  examples: [
    {
      call: "serac follow http://127.0.0.1:9650 --http-port 9660 --data-dir copy",
      does: "copies the chain of a node on this machine",
    },
    {
      call: "serac follow http://10.0.0.5:9650,http://10.0.0.6:9650 --public --http-host 0.0.0.0",
      does: "from two nodes that must agree, served to the public",
    },
    {
      call: 'serac follow https://api.example.org --follow-header "x-api-key: 1234" --follow-rate 10',
      does: "from a public endpoint, with ten requests a second",
    },
  ],
  flags: {
    ...servedChainFlags,
    ...publishFlags,
    "follow-header": optionalFlag(header, "Header that is sent with every request to the nodes, such as the key of an API"),
    "follow-rate": optionalFlag(integerFlag(1, 100_000), "Most requests per second to each node"),
    ...chainFlags,
  },
  rules: [...servedChainRules, ...publishRules, ...chainRules],
  groups: {
    "Nodes to follow": ["follow-header", "follow-rate"],
    ...servedChainGroups,
    Publishing: Object.keys(publishFlags),
    Rules: Object.keys(chainFlags),
  },
  async run(given, terminal) {
    const { flags, args, warnings = [] } = given
    const log = logOf(flags, terminal)
    logWarnings(warnings, log)
    warnIfExposed(flags, log)
    const node = await startFollowing({
      ...servedChainOptionsOf(flags, terminal, log),
      ...publishOptionsOf(flags),
      follow: {
        urls: args.flatMap((each) => each.split(",")).map(nodeAddress),
        onProgress: terminal.columns === undefined ? undefined : catchUpBar(terminal),
        http: { headers: flags["follow-header"] ?? {}, requestsPerSecond: flags["follow-rate"] },
      },
      choice: chainChoiceOf(given, wholeSeconds(terminal.now())),
    })
    await serveUntilStopped(node, flags, terminal, log)
  },
})
