import type { BlockAcceptedEvent, ChainEvent, L1WatchEvent, TxAcceptedEvent } from "../../client/events/chainEvent.js"
import { subscribe } from "../../client/events/subscribe.js"
import { escapeLine } from "../../core/lib/escapeControls.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { Invalid } from "../../core/lib/invalid.js"
import { printJson } from "../../core/lib/json.js"
import type { TxKind } from "../../core/txs/unsignedTx.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { heightFlag, integerFlag, text, words } from "../flags/flagTypes.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"

/** `serac watch`: a line for each transaction and block that a node accepts. */
export const watchCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Prints a line for each transaction and block as the node accepts them, and one when a private chain is reverted to a snapshot, until it is
interrupted. A node with --watch-l1 also reports L1s whose validators stop paying. If the connection breaks, it continues where it ended, and gives up ten seconds after the node has stopped. A block follows
its transactions. With --json it prints the events of /ext/bc/P/events, one object a line
with the kind of event as "event".`,
  examples: [
    { call: "serac watch", does: "from the next block on" },
    { call: "serac watch --kinds AddPermissionlessDelegatorTx", does: "delegations alone" },
    { call: "serac watch --from 100 --blocks 50 --json", does: "blocks 100 to 149, for scripts" },
  ],
  flags: {
    ...remoteNodeFlags,
    from: optionalFlag(heightFlag, "Begins with the block of this height (default: with the next one that is accepted)"),
    after: optionalFlag(
      { ...text, value: "POSITION" },
      "Continues after the last block that was seen, <height>-<block ID>: if the chain no longer has it, the first line is a revert",
    ),
    kinds: flagWithDefault(words, "Only transactions of these kinds, and blocks that hold one: BaseTx,ImportTx", [], ""),
    addresses: flagWithDefault(words, "Only transactions that take from these addresses or give to them", [], ""),
    subnets: flagWithDefault(words, "Only transactions about these subnets", [], ""),
    nodes: flagWithDefault(words, "Only transactions about these nodes", [], ""),
    blocks: optionalFlag(integerFlag(1, Number.MAX_SAFE_INTEGER), "Ends after this many blocks"),
  },
  async run({ flags: { url, json, from, after, blocks, kinds, addresses, subnets, nodes } }, terminal) {
    // If no node answers, this call says why.
    await remoteNode(url).call("platform.getHeight")
    // The node checks the kinds.
    const start = { ...(from === undefined ? {} : { from }), ...(after === undefined ? {} : { after }) }
    const options = { ...start, kinds: kinds as TxKind[], addresses, subnets, nodes }
    let left = blocks ?? Number.POSITIVE_INFINITY
    try {
      for await (const event of await subscribe(url, options)) {
        await terminal.print(json ? `${printJson({ ...event, ...textsOf(event) })}\n` : lineOf(event))
        if (event.event === "block" && --left === 0) return
      }
    } catch (error) {
      throw error instanceof Invalid && isStreamError(error.code) ? cliError(streamErrors[error.code], error.data) : error
    }
  },
})

const streamErrors = { "node.stream_refused": "cli.stream_refused", "node.stream_ended": "cli.stream_ended" } as const

const isStreamError = (code: string): code is keyof typeof streamErrors => Object.hasOwn(streamErrors, code)

/** The members of an event that the node writes as texts. */
const textsOf = (event: ChainEvent) => ({
  height: String(event.height),
  ...(event.event === "l1" && event.weight !== undefined ? { weight: String(event.weight) } : {}),
})

/** Prints an event on one line: its time, its type, its height, its ID, and what a transaction does. */
function lineOf(event: ChainEvent): string {
  if (event.event === "l1") return l1LineOf(event)
  const { kind = "", status = "Committed", effect = "", txID, id } = event as Partial<TxAcceptedEvent & BlockAcceptedEvent>
  const note = status === "Committed" ? "" : status
  const parts = [...placeOf(event), kind, txID ?? id, note, escapeLine(effect)]
  return `${parts.filter((part) => part !== "").join("  ")}\n`
}

/** The columns with which each line begins. Heights up to six digits are aligned. */
const placeOf = (event: ChainEvent): readonly string[] => [
  (event.event === "revert" ? undefined : event.timestamp) ?? " ".repeat(20),
  event.event.padEnd(6),
  groupThousands(event.height).padStart(7),
]

function l1LineOf(event: L1WatchEvent): string {
  const { kind, subnetID, nodeID, threshold = "snowman", lostAt } = event
  const means = { snowman: "decide blocks", warp: "sign Warp messages" }[threshold]
  const what = {
    deactivated: `${nodeID} no longer pays`,
    near: `can ${means} until ${lostAt}`,
    lost: `can no longer ${means}`,
  }[kind]
  return `${[...placeOf(event), subnetID, what].join("  ")}\n`
}
