import { l1EventKinds, l1ValidatorHistory } from "../../../core/readmodel/explorer/l1History.js"
import { idText } from "../../../core/types/id.js"
import { described, list, oneOf, optional } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { platformError } from "../errors.js"
import { cursorAfter, cursorOutput } from "../params/cursors.js"
import { kindsParam, listParams, pageOf } from "../params/history.js"

export const getL1ValidatorHistory = method({
  name: "platform.getL1ValidatorHistory",
  summary: "Returns what happened to an L1 validator, newest first, for present and former ones.",
  isExtension: true,
  params: object({
    validationID: described(id, "The validation ID of the L1 validator."),
    kinds: kindsParam("events", l1EventKinds),
    ...listParams,
  }),
  result: object({
    validationID: id,
    subnetID: id,
    nodeID,
    events: list(
      object({
        event: described(
          oneOf(...l1EventKinds),
          "What happened: `ranOut` means that the balance was used up, and has no transaction.",
        ),
        txID: optional(id),
        height: u64,
        timestamp: time,
        weight: described(optional(u64), "The weight from then on."),
        nonce: optional(u64),
        added: described(optional(u64), "What was added to the balance, in nAVAX."),
        refund: described(optional(u64), "What was left of the balance and paid back, in nAVAX."),
      }),
    ),
    cursor: cursorOutput,
  }),
  cost: 5,
  examples: [
    {
      params: { validationID: "1LTdBEfr59YAp8LupNTS2UUCFn8W93XYq14UjwJ5cox1x1VhR" },
      result: {
        validationID: "1LTdBEfr59YAp8LupNTS2UUCFn8W93XYq14UjwJ5cox1x1VhR",
        subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR",
        nodeID: "NodeID-42AzCjVmuXmniTybz4BafUHpiKK4tV9J2",
        events: [
          {
            event: "registered",
            txID: "TSAutHbn3dY5nmRhJn7AKaku9i2wSbSTuC19NqxY37r7A6Lvc",
            height: "6",
            timestamp: "2024-07-15T04:00:06Z",
            weight: "100",
            added: "2000000000",
          },
        ],
        cursor: null,
      },
    },
  ],

  async handler({ validationID, kinds, ...call }, context, { pace }) {
    const past = context.past(pace)
    const page = (await pageOf(call, past, context)) ?? { limit: 0 }
    const found = await l1ValidatorHistory(past, validationID, { kinds, ...page })
    if (!found) throw platformError("platform.unknown_l1_validator", { validationID: idText(validationID) })
    const { subnetID, nodeID } = found.validator
    const events = found.events.map(({ time, index: _, ...event }) => ({ ...NO_CHANGES, ...event, timestamp: time }))
    return { validationID, subnetID, nodeID, events, cursor: page.limit === 0 ? null : cursorAfter(found.events, page.limit) }
  },
})

const NO_CHANGES = { weight: undefined, nonce: undefined, added: undefined, refund: undefined }
