import { groupThousands } from "../../core/lib/groupThousands.js"
import { printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { eventStream, type NodeEvent } from "../eventStream.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { heightFlag, integerFlag, words } from "../flags/flagTypes.js"
import { remoteNodeFlags } from "../remoteNode.js"

/** `serac watch`: a line for each transaction and block that a node accepts. */
export const watchCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Prints a line for each transaction and block as the node accepts them, and one when a private chain is reverted to a snapshot, until it is
interrupted or the node stops. A block follows its transactions. With --json it prints the events of /ext/bc/P/events, one object a line
with the kind of event as "event".`,
  examples: [
    { call: "serac watch", does: "from the next block on" },
    { call: "serac watch --kinds AddPermissionlessDelegatorTx", does: "delegations alone" },
    { call: "serac watch --from 100 --blocks 50 --json", does: "blocks 100 to 149, for scripts" },
  ],
  flags: {
    ...remoteNodeFlags,
    from: optionalFlag(heightFlag, "Begins with the block of this height (default: with the next one that is accepted)"),
    kinds: flagWithDefault(words, "Only transactions of these kinds, and blocks that hold one: BaseTx,ImportTx", [], ""),
    addresses: flagWithDefault(words, "Only transactions that take from these addresses or give to them", [], ""),
    subnets: flagWithDefault(words, "Only transactions about these subnets", [], ""),
    nodes: flagWithDefault(words, "Only transactions about these nodes", [], ""),
    blocks: optionalFlag(integerFlag(1, Number.MAX_SAFE_INTEGER), "Ends after this many blocks"),
  },
  async run({ flags: { url, json, from, blocks, kinds, addresses, subnets, nodes } }, terminal) {
    let left = blocks ?? Number.POSITIVE_INFINITY
    for await (const event of eventStream(url, { from: from?.toString(), kinds, addresses, subnets, nodes })) {
      await terminal.print(json ? `${printJson({ event: event.name, ...event.data })}\n` : lineOf(event))
      if (event.name === "block" && --left === 0) return
    }
  },
})

/** Prints an event on one line: its type, its height, and its ID. */
function lineOf({ name, data }: NodeEvent): string {
  const { height, kind = "", status, id, txID = id } = data
  const note = status === undefined || status === "Committed" ? "" : `  ${status}`
  return `${name.padEnd(6)}  ${groupThousands(BigInt(String(height)))}  ${[kind, txID].filter((part) => part !== "").join("  ")}${note}\n`
}
