import { printRfc3339 } from "../core/lib/go/rfc3339.js"
import { grouped } from "../core/lib/grouped.js"
import { avaxText } from "../core/types/avaxText.js"
import type { AnswerOf } from "../node/client.js"
import type { RemoteNode } from "./remoteNode.js"
import { type Column, textTable } from "./textTable.js"

/** The members of a transaction that are lists of outputs, and what an output there is. */
const OUTPUT_LISTS: Readonly<Record<string, string>> = { outputs: "output", stake: "stake", exportedOutputs: "exported" }

/** An output of a transaction as the API writes it; one that can only be staked until a time has another one inside. */
interface OutputJson {
  readonly amount?: bigint
  readonly addresses?: readonly string[]
  readonly threshold?: number
  readonly locktime?: bigint
  readonly output?: OutputJson
}

interface Row {
  readonly part: string
  readonly assetID: string
  readonly output: OutputJson
}

/** The outputs of an accepted transaction as a table; empty if it has none. */
export async function txOutputs(node: RemoteNode, txID: string): Promise<string> {
  const { tx } = await node.call("platform.getTx", { txID, encoding: "json" })
  const { assetID } = await node.call("platform.getStakingAssetID", {})
  return textTable(columnsOf(assetID), rowsOf(tx))
}

function rowsOf({ unsignedTx }: Exclude<AnswerOf<"platform.getTx">["tx"], string>): readonly Row[] {
  const members = unsignedTx as unknown as Readonly<Record<string, readonly Omit<Row, "part">[] | undefined>>
  return Object.entries(OUTPUT_LISTS).flatMap(([name, part]) =>
    (members[name] ?? []).map(({ assetID, output }) => ({ part, assetID, output })),
  )
}

function columnsOf(avaxAssetID: string): readonly Column<Row>[] {
  const amountText = ({ assetID, output: { output: inner, amount = inner?.amount ?? 0n } }: Row) =>
    assetID === avaxAssetID ? avaxText(amount) : grouped(amount)
  return [
    { title: "PART", cell: ({ part }) => part },
    { title: "AMOUNT", isNumber: true, cell: amountText },
    { title: "ASSET", cell: ({ assetID }) => (assetID === avaxAssetID ? "" : assetID) },
    { title: "OWNERS", cell: ({ output }) => ownersText(output.output ?? output) },
    { title: "LOCKED UNTIL", cell: ({ output: { locktime = 0n } }) => (locktime === 0n ? "" : printRfc3339(locktime)) },
  ]
}

/** The addresses of an output, and how many of them must sign where that is more than one. */
function ownersText({ addresses = [], threshold = 1 }: OutputJson): string {
  return `${addresses.join(", ")}${threshold > 1 ? ` (${threshold} of ${addresses.length})` : ""}`
}
