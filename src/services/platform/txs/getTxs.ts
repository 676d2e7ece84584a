import { nodeSubject } from "../../../core/readmodel/explorer/subjects.js"
import { txsOfKinds, txsOfSubject } from "../../../core/readmodel/explorer/txQueries.js"
import { txTypes } from "../../../core/txs/index.js"
import type { ID, NodeID } from "../../../core/types/id.js"
import { described, list, optional, string } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, nodeID } from "../../kinds.js"
import { platformError } from "../errors.js"
import { cursorAfter, cursorOutput } from "../params/cursors.js"
import { listParams, pageOf, txKindsParam } from "../params/history.js"

const allKinds = txTypes.map(({ kind }) => kind)

const subjectParams = {
  subnetID: described(
    optional(id),
    "Only transactions about this subnet; the primary network is 11111111111111111111111111111111LpoYY.",
  ),
  chainID: described(
    optional(id),
    "Only transactions about this chain: its creation, imports, exports, the conversion that it manages.",
  ),
  nodeID: described(optional(nodeID), "Only transactions about validators and delegators of this node."),
  stakerTxID: described(
    optional(id),
    "Only the transactions that added, changed or rewarded the staker that this transaction added.",
  ),
  validationID: described(optional(id), "Only transactions about this L1 validator."),
}

export const getTxs = method({
  name: "platform.getTxs",
  summary:
    "Returns accepted transactions, newest first: all of them, or those of some kinds, of a period, or about one subnet, chain, node, staker or L1 validator.",
  isExtension: true,
  params: object({ kinds: txKindsParam, ...subjectParams, ...listParams }),
  result: object({
    txs: list(object({ txID: id, kind: string, height: u64, timestamp: time })),
    cursor: cursorOutput,
  }),
  cost: 5,
  examples: [
    {
      title: "of one kind",
      params: { kinds: ["CreateSubnetTx"] },
      result: {
        txs: [
          {
            txID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR",
            kind: "CreateSubnetTx",
            height: "5",
            timestamp: "2024-07-15T04:00:05Z",
          },
          {
            txID: "2fTMf76veWTt8ZttMsPYqirhd44uShAXAGScbZxDG3MNSFvxka",
            kind: "CreateSubnetTx",
            height: "2",
            timestamp: "2024-07-15T04:00:02Z",
          },
        ],
        cursor: null,
      },
    },
    {
      title: "about a node",
      params: { nodeID: "NodeID-5V73LBNdoN5zLPUog2DCKTTjj1psoARKh" },
      result: {
        txs: [
          {
            txID: "2ruVLd1MD1wZwsJhQAoBGFBS7QMKJXZH1AEg2iZtN2rLQ4574t",
            kind: "RewardValidatorTx",
            height: "11",
            timestamp: "2024-07-30T04:00:06Z",
          },
          {
            txID: "2ApQX8xHenXwszYSSrBkfj5J8HXDKCXgfFvGoe5hoExP1Tqbr2",
            kind: "RewardValidatorTx",
            height: "9",
            timestamp: "2024-07-29T04:00:07Z",
          },
          {
            txID: "2EVaAE38MsgWh3QAht3Mj7L7dsEAKWdZR6VqXUvNGas4KWL4jo",
            kind: "AddPermissionlessDelegatorTx",
            height: "8",
            timestamp: "2024-07-15T04:00:08Z",
          },
          {
            txID: "EFLzHqU7pYK4bC6H93HhRgQgG87zWdWy5a2HHbLLpcFdcHkWu",
            kind: "AddPermissionlessValidatorTx",
            height: "7",
            timestamp: "2024-07-15T04:00:07Z",
          },
        ],
        cursor: null,
      },
    },
  ],

  async handler({ kinds, from, to, limit, cursor, ...about }, context, { pace }) {
    const past = context.past(pace)
    const subject = subjectOf(about)
    const page = await pageOf({ from, to, limit, cursor }, past, context)
    if (!page) return { txs: [], cursor: null }
    const query = { kinds: [...new Set(kinds)], ...page }
    const events = subject
      ? await txsOfSubject(past, subject, query)
      : await txsOfKinds(past, { ...query, kinds: query.kinds.length === 0 ? allKinds : query.kinds })
    const txs = events.map(({ txID, kind, height, time }) => ({ txID, kind, height, timestamp: time }))
    return { txs, cursor: cursorAfter(events, page.limit) }
  },
})

interface SubjectParams {
  readonly subnetID?: ID | undefined
  readonly chainID?: ID | undefined
  readonly nodeID?: NodeID | undefined
  readonly stakerTxID?: ID | undefined
  readonly validationID?: ID | undefined
}

/** Returns the ID that the transactions must concern. Throws `platform.too_many_filters`. */
function subjectOf({ nodeID, ...others }: SubjectParams): ID | undefined {
  const subjects = [nodeID === undefined ? undefined : nodeSubject(nodeID), ...Object.values(others)].filter(
    (each) => each !== undefined,
  )
  if (subjects.length > 1) throw platformError("platform.too_many_filters")
  return subjects[0]
}
