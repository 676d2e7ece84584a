import type { AnswerOf } from "../client/client.js"
import { avaxText } from "../core/lib/avaxText.js"
import { printRfc3339 } from "../core/lib/go/rfc3339.js"
import { groupThousands } from "../core/lib/groupThousands.js"
import { type Column, textTable } from "./textTable.js"

type TxInfo = AnswerOf<"platform.getTxInfo">

/** The words for the role of an output. */
const ROLES: Readonly<Record<TxInfo["outputs"][number]["role"], string>> = {
  payment: "output",
  stake: "stake",
  export: "exported",
  returned: "returned",
  reward: "reward",
  refund: "refund",
}

interface Row extends Pick<TxInfo["inputs"][number], "assetID" | "amount" | "addresses" | "ownerCount" | "threshold"> {
  readonly part: string
  readonly lockedUntil: bigint
}

/** Prints the inputs, the outputs and the balances of L1 validators of an accepted transaction as a table; empty if it has none. */
export function txParts({ inputs, outputs, l1Validators }: TxInfo, avaxAssetID: string): string {
  const lockedUntil = ({ locktime = 0n, stakeableLocktime = locktime }: TxInfo["inputs"][number]) => stakeableLocktime
  const rows: readonly Row[] = [
    ...inputs.map((input) => ({
      ...input,
      part: input.sourceChain === undefined ? "input" : "imported",
      lockedUntil: lockedUntil(input),
    })),
    ...outputs.map((output) => ({ ...output, part: ROLES[output.role], lockedUntil: lockedUntil(output) })),
    ...l1Validators.flatMap(({ added: amount, validationID }) =>
      amount === undefined
        ? []
        : [{ part: "balance", amount, assetID: avaxAssetID, addresses: [`L1 validator ${validationID}`], lockedUntil: 0n }],
    ),
  ]
  return textTable(columnsOf(avaxAssetID), rows)
}

function columnsOf(avaxAssetID: string): readonly Column<Row>[] {
  return [
    { title: "PART", cell: ({ part }) => part },
    {
      title: "AMOUNT",
      isNumber: true,
      cell: ({ assetID, amount }) => (assetID === avaxAssetID ? avaxText(amount) : groupThousands(amount)),
    },
    { title: "ASSET", cell: ({ assetID }) => (assetID === avaxAssetID ? "" : assetID) },
    { title: "OWNERS", cell: ownersText },
    { title: "LOCKED UNTIL", cell: ({ lockedUntil }) => (lockedUntil === 0n ? "" : printRfc3339(lockedUntil)) },
  ]
}

/** Prints the addresses of an output, and the threshold if it is more than one. */
function ownersText({ addresses = [], ownerCount = addresses.length, threshold = 1 }: Row): string {
  const more = ownerCount > addresses.length ? `, … ${groupThousands(ownerCount - addresses.length)} more` : ""
  return `${addresses.join(", ")}${more}${threshold > 1 ? ` (${threshold} of ${ownerCount})` : ""}`
}

/** Prints the L1 validators that a transaction concerns as a table; empty if there are none. */
export function l1ValidatorTable({ l1Validators }: TxInfo): string {
  return textTable(
    [
      { title: "L1 VALIDATOR", cell: ({ validationID }) => validationID },
      { title: "NODE ID", cell: ({ nodeID = "" }) => nodeID },
      { title: "WEIGHT", isNumber: true, cell: ({ weight }) => (weight === undefined ? "" : groupThousands(weight)) },
    ],
    l1Validators,
  )
}
