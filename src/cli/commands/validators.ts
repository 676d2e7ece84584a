import type { AnswerOf } from "../../client/client.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { printJson } from "../../core/lib/json.js"
import { EMPTY_ID, idText } from "../../core/types/id.js"
import { command } from "../command.js"
import { flagWithDefault } from "../flags/flags.js"
import { text } from "../flags/flagTypes.js"
import { subnetOf } from "../l1Health.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"
import { type Column, textTable } from "../textTable.js"

const PRIMARY_NETWORK = idText(EMPTY_ID)

/** `serac validators`: the current validators, as a table. */
export const validatorsCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Lists the current validators of the primary network, or of a subnet or L1, in the order of platform.getCurrentValidators. Stakes
are in AVAX; the weight of a subnet's validator is a plain number. With --json it prints the answer of platform.getCurrentValidators.`,
  examples: [
    { call: "serac validators", does: "the primary network" },
    { call: "serac validators --json", does: "for scripts" },
  ],
  flags: {
    ...remoteNodeFlags,
    subnet: flagWithDefault(
      text,
      "The ID of the subnet or L1, or the name of its blockchain",
      PRIMARY_NETWORK,
      "the primary network",
    ),
  },
  async run({ flags: { url, json, subnet } }, terminal) {
    const node = remoteNode(url)
    const params = { subnetID: subnet === PRIMARY_NETWORK ? subnet : await subnetOf(subnet, node) }
    if (json) return terminal.print(`${printJson(await node.json("platform.getCurrentValidators", params))}\n`)
    const { validators } = await node.call("platform.getCurrentValidators", params)
    const weightText = subnet === PRIMARY_NETWORK ? avaxText : groupThousands
    const total = validators.reduce((sum, { weight, delegatorWeight = 0n }) => sum + weight + delegatorWeight, 0n)
    const summary = `${groupThousands(validators.length)} validator${validators.length === 1 ? "" : "s"}, ${weightText(total)}`
    await terminal.print(`${textTable(columnsOf(weightText), validators)}${summary}\n`)
  },
})

type Validator = AnswerOf<"platform.getCurrentValidators">["validators"][number]

function columnsOf(weightText: (weight: bigint) => string): readonly Column<Validator>[] {
  return [
    { title: "NODE ID", cell: ({ nodeID }) => nodeID },
    { title: "WEIGHT", isNumber: true, cell: ({ weight }) => weightText(weight) },
    {
      title: "DELEGATED",
      isNumber: true,
      cell: ({ delegatorWeight = 0n }) => (delegatorWeight === 0n ? "" : weightText(delegatorWeight)),
    },
    { title: "FEE", isNumber: true, cell: ({ delegationFee }) => (delegationFee === undefined ? "" : `${delegationFee}%`) },
    { title: "UPTIME", isNumber: true, cell: ({ uptime }) => (uptime === undefined ? "" : `${uptime}%`) },
    { title: "BALANCE", isNumber: true, cell: ({ balance }) => (balance === undefined ? "" : avaxText(balance)) },
    { title: "ENDS", cell: ({ endTime }) => (endTime === undefined ? "" : printRfc3339(endTime)) },
    { title: "VALIDATION ID", cell: ({ validationID }) => validationID ?? "" },
  ]
}
