import type { AnswerOf } from "../../client/client.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { type RemoteNode, remoteNode, remoteNodeFlags } from "../remoteNode.js"
import { factLines } from "../textTable.js"
import { l1ValidatorTable, txParts } from "../txParts.js"

/** `serac tx`: shows the status, inputs and outputs of a transaction. */
export const txCommand = command({
  takes: "ID",
  count: [1, 1],
  about: `
Shows a transaction: its kind and status, the block that has it, its fee, its inputs and its outputs with their
owners, and the node and L1 validators that it concerns. For a waiting or dropped transaction it
shows the status and the reason; for an unknown one the exit code is 1. With --json it prints one object: the answer of
platform.getTxInfo and the whole transaction as "tx", or the answer of platform.getTxStatus if it is in no block.`,
  examples: [
    { call: "serac tx 2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq", does: "for people" },
    { call: "serac tx 2o3qFmUei4pxARsE8PiHDde4UHmtC8bidrhPDhLaZQAfYtQ1Wq --json", does: "for scripts" },
  ],
  flags: remoteNodeFlags,
  async run({ flags: { url, json }, args: [txID = ""] }, terminal) {
    const node = remoteNode(url)
    const info = await infoOf(node, txID)
    if (info) {
      if (json) return terminal.print(`${printJson(await acceptedJson(node, txID))}\n`)
      const { assetID } = await node.call("platform.getStakingAssetID", {})
      const parts = [factsOf(info), txParts(info, assetID), l1ValidatorTable(info)]
      return terminal.print(parts.filter((part) => part !== "").join("\n"))
    }
    const { status, reason } = await node.call("platform.getTxStatus", { txID })
    if (status === "Unknown") throw cliError("cli.unknown_tx", { txID })
    const waiting = { txID, status, ...(reason === undefined ? {} : { reason }) }
    await terminal.print(json ? `${printJson(waiting)}\n` : factLines({ ID: txID, Status: status, Reason: reason }))
  },
})

/** The codes of a node that has no such transaction in a block; one that answers in AvalancheGo's dialect gives no code of its own. */
const NOT_IN_A_BLOCK: readonly string[] = ["platform.unknown_tx", "rpc.call_failed"]

/** Returns the block of a transaction; `undefined` if it is in no block. */
async function infoOf(node: RemoteNode, txID: string): Promise<AnswerOf<"platform.getTxInfo"> | undefined> {
  try {
    return await node.call("platform.getTxInfo", { txID })
  } catch (error) {
    if (error instanceof Invalid && NOT_IN_A_BLOCK.includes(error.code)) return undefined
    throw error
  }
}

async function acceptedJson(node: RemoteNode, txID: string): Promise<Json> {
  const info = (await node.json("platform.getTxInfo", { txID })) as { readonly [name: string]: Json }
  const { tx } = (await node.json("platform.getTx", { txID, encoding: "json" })) as { readonly tx: Json }
  return { ...info, tx }
}

function factsOf({ txID, kind, status, height, blockID, timestamp, fee, staker }: AnswerOf<"platform.getTxInfo">): string {
  return factLines({
    ID: txID,
    Kind: kind,
    Status: status,
    Block: `${groupThousands(height)}  ${blockID}`,
    Time: timestamp,
    Fee: avaxText(fee),
    Node: staker?.nodeID,
  })
}
