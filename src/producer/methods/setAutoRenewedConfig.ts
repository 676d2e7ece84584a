import { tables } from "../../core/state/tables.js"
import { nodeIDText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { described, optional } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id, nodeID } from "../../services/kinds.js"
import { issueFromTreasury } from "../dev/putIntoBlock.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { secondsForGas } from "./l1Params.js"
import { sharesOf } from "./params.js"

export const setAutoRenewedConfig = devMethod({
  name: "dev.setAutoRenewedConfig",
  summary:
    "Changes an auto-renewed validator by a real SetAutoRenewedValidatorConfigTx from the well-known key, which must be its authority, as it is for those of `dev.addValidators`. The change counts from the end of the present cycle on.",
  params: object({
    nodeID: described(nodeID, "The node ID of an auto-renewed validator of the primary network."),
    period: described(
      optional(u64),
      "The length of the next cycles in seconds; 0 makes the validator leave at the end of the present cycle. The default leaves it as it is.",
    ),
    compound: described(
      optional(number),
      "The share of a cycle's rewards that is restaked, in percent from 0 to 100. The default leaves it as it is.",
    ),
  }),
  result: object({ txID: id, seconds: secondsForGas }),
  cost: 5,
  examples: [
    {
      params: { nodeID: "NodeID-jh2rqDYsdTRepTw5VYr2gvVhcqyjJ79Z", period: 0 },
      result: { txID: "RngLQdkqSEP6ZjGCkTn9RnZjX15XExu7bAa9edQwNZk3hDM4w", seconds: "0" },
    },
  ],

  handler: ({ nodeID, period, compound }, { chain }) =>
    chain.turn(async (turn) => {
      await turn.catchUp()
      const key = { subnetID: PRIMARY_NETWORK_ID, nodeID }
      const { view } = turn.status
      const [validator, renewal] = [view.get(tables.currentValidators, key), view.get(tables.renewals, key)]
      if (!validator || !renewal) throw devError("dev.not_auto_renewed", { nodeID: nodeIDText(nodeID) })
      const fields = {
        kind: "SetAutoRenewedValidatorConfigTx" as const,
        txID: validator.txID,
        auth: { kind: "Input" as const, signatureIndices: [0] },
        autoCompoundRewardShares: compound === undefined ? renewal.autoCompoundRewardShares : sharesOf(compound),
        period: period ?? renewal.nextPeriod,
      }
      return issueFromTreasury(turn, { amount: 0n, make: (parts) => ({ ...parts, ...fields }) })
    }),
})
