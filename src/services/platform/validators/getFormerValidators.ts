import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { departuresOf } from "../../../core/readmodel/explorer/departures.js"
import { tables } from "../../../core/state/tables.js"
import { PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, list, oneOf, optional, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { cursorAfter, cursorOutput } from "../params/cursors.js"
import { listParams, pageOf } from "../params/history.js"

export const getFormerValidators = method({
  name: "platform.getFormerValidators",
  summary: "Returns the validators that left a subnet, the last one first.",
  isExtension: true,
  params: object({
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The subnet; the primary network by default."),
    ...listParams,
  }),
  result: object({
    validators: list(
      object({
        nodeID,
        txID: described(optional(id), "The ID of the transaction that added the validator."),
        validationID: described(optional(id), "The validation ID, if it was a validator of an L1."),
        reason: described(
          oneOf("rewarded", "unrewarded", "removed", "expired"),
          "Why it left: with its reward, without it, removed by the owner of the subnet or by the L1, or at the end of a period without rewards.",
        ),
        height: u64,
        timestamp: described(time, "When it left."),
      }),
    ),
    cursor: cursorOutput,
  }),
  cost: 3,
  examples: [
    {
      params: {},
      result: {
        validators: [
          {
            nodeID: "NodeID-5V73LBNdoN5zLPUog2DCKTTjj1psoARKh",
            txID: "EFLzHqU7pYK4bC6H93HhRgQgG87zWdWy5a2HHbLLpcFdcHkWu",
            reason: "unrewarded",
            height: "11",
            timestamp: "2024-07-30T04:00:06Z",
          },
        ],
        cursor: null,
      },
    },
  ],

  async handler({ subnetID, ...call }, context, { pace }) {
    const past = context.past(pace)
    const page = await pageOf(call, past, context)
    if (!page) return { validators: [], cursor: null }
    const found = await departuresOf(past, subnetID, page)
    const validators = await past.each(found, (view, { nodeID, stakerID, reason, height }) => ({
      nodeID,
      ...(view.get(tables.txs, stakerID)
        ? { txID: stakerID, validationID: undefined }
        : { txID: undefined, validationID: stakerID }),
      ...{ reason, height, timestamp: blockTime(view, height) },
    }))
    return { validators, cursor: cursorAfter(found, page.limit) }
  },
})
