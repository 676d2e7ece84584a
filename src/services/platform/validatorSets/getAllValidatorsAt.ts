import { utf8 } from "../../../core/lib/bytes.js"
import type { ChargedPace } from "../../../core/lib/pace.js"
import { subnetIDs } from "../../../core/readmodel/chains.js"
import { lastSetChange } from "../../../core/state/setChanges.js"
import { tables } from "../../../core/state/tables.js"
import type { View } from "../../../core/state/view.js"
import { type ID, idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { PrintedJson } from "../../../jsonrpc/printedJson.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import type { Context } from "../../context.js"
import { method } from "../../context.js"
import { height } from "../../kinds.js"
import { requireReached } from "../params/heights.js"
import { UNFINALIZED } from "./getValidatorsAt.js"
import { heightOf, ofSetsAt, printCanonicalSetAt } from "./pastSets.js"
import { canonicalSetsOutput } from "./setSchemas.js"

export const getAllValidatorsAt = method({
  name: "platform.getAllValidatorsAt",
  summary:
    "Returns the validator sets of all subnets after the block at the given height, in the form that is used to verify Warp messages.",
  params: object({
    height: described(withDefault(height, 0n), "The height, or `proposed` for the height that a block built now would name."),
  }),
  result: object({ validatorSets: canonicalSetsOutput }),
  cost: 20,
  lifetime: ofSetsAt,
  examples: [
    {
      params: { height: 4 },
      result: {
        validatorSets: {
          "11111111111111111111111111111111LpoYY": {
            validators: [
              {
                publicKey: "0x8048109c3da13de0700f9f3590c3270bfc42277417f6d0cc84282947e1a1f8b4980fd3e3fe223acf0f56a5838890814a",
                weight: "2000000000000000",
                nodeIDs: ["NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"],
              },
              {
                publicKey: "0xa058ff27a4c570664bfa28e34939368539a1340867951943d0f56fa8aac13bc09ff64f341acf8cc0cef74202c2d6f9c0",
                weight: "2000000000000000",
                nodeIDs: ["NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ"],
              },
              {
                publicKey: "0xa10b6955a85684a0f5c94b8381f04506f1bee60625927d372323f78b3d30196cc56c8618c77eaf429298e74673d832c3",
                weight: "2000000000000000",
                nodeIDs: ["NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN"],
              },
              {
                publicKey: "0xaccd61ceb90c61628aa0fa34acab27ecb08f6897e9ccad283578c278c52109f9e10e4f8bc31aa6d7905c4e1623de367e",
                weight: "2000000000000000",
                nodeIDs: ["NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu"],
              },
              {
                publicKey: "0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d",
                weight: "2000000000000000",
                nodeIDs: ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"],
              },
            ],
            totalWeight: "10000000000000000",
          },
          "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka": {
            validators: [
              {
                publicKey: "0x8048109c3da13de0700f9f3590c3270bfc42277417f6d0cc84282947e1a1f8b4980fd3e3fe223acf0f56a5838890814a",
                weight: "42",
                nodeIDs: ["NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"],
              },
            ],
            totalWeight: "42",
          },
        },
      },
    },
  ],

  async handler({ height }, context, { pace }) {
    const at = heightOf(height, context)
    requireReached(at, context, (h) => `failed to get validator sets at ${h}: ${UNFINALIZED}`)
    return allSetsAt(context, at, pace)
  },
})

async function allSetsAt(context: Context, height: bigint, pace: ChargedPace): Promise<PrintedJson> {
  const subnets = [PRIMARY_NETWORK_ID, ...subnetIDs(context.view)]
  const changes = await context.past(pace).each(subnets, (view, subnetID) => lastChangeOf(view, subnetID, height))
  const sets: { name: string; printed: PrintedJson }[] = []
  for (const change of changes) {
    const printed = change && (await setAfter(context, change, pace))
    if (printed && printed.size > 0) sets.push({ name: idText(change.subnetID), printed })
    if (pace.isDue) await pace.pause()
  }
  sets.sort((a, b) => (a.name < b.name ? -1 : 1))
  const members = sets.flatMap(({ name, printed }, i) => [utf8(`${i === 0 ? "" : ","}"${name}":`), ...printed.chunks])
  return new PrintedJson(utf8('{"validatorSets":{'), ...members, utf8("}}"))
}

/** The last change of a subnet's set up to a height, and the ID of its block. */
interface SetChange {
  readonly subnetID: ID
  readonly height: bigint
  readonly blockID: ID | undefined
}

function lastChangeOf(view: View, subnetID: ID, upTo: bigint): SetChange | undefined {
  const height = lastSetChange(view, subnetID, upTo)
  return height === undefined ? undefined : { subnetID, height, blockID: view.get(tables.blockIDs, height) }
}

const NO_SET = new PrintedJson()

/** Returns a subnet's set after a change; empty if it has none. Until the next change all answers share the same chunk. */
async function setAfter(context: Context, { subnetID, height, blockID }: SetChange, pace: ChargedPace): Promise<PrintedJson> {
  const key = `canonicalSet ${subnetID} ${blockID} ${context.changes.until(height, context.height)}`
  const print = async () => (await printCanonicalSetAt(context, subnetID, height, pace)) ?? NO_SET
  return context.memo.made(key, print, ({ size }) => size)
}
