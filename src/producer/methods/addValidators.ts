import { described, list, optional, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number, u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id, nodeID } from "../../services/kinds.js"
import { stakeValidators } from "../dev/stakeValidators.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { checkCount, sharesOf } from "./params.js"

const MAX_VALIDATORS = 20_000

const autoRenew = object({
  period: described(u64, "The length of a cycle in seconds."),
  compound: described(
    withDefault(number, 100),
    "The share of a cycle's rewards that is restaked, in percent from 0 to 100. The default is all of them.",
  ),
})

export const addValidators = devMethod({
  name: "dev.addValidators",
  summary:
    "Adds validators and their delegators to the primary network by real transactions from the well-known key. If the gas is used up, the clock is moved forward so far that the use of gas stays at its target.",
  params: object({
    count: described(u32, `The number of validators, from 1 to ${MAX_VALIDATORS}.`),
    weight: described(optional(u64), "The stake of each validator in nAVAX. The default is the smallest stake that is allowed."),
    duration: described(optional(u64), "The staking period in seconds. The default is the longest period that is allowed."),
    delegators: described(
      withDefault(u32, 0),
      "The number of delegators of each validator. Each delegates the smallest stake that is allowed.",
    ),
    autoRenew: described(
      optional(autoRenew),
      "Makes the validators auto-renewed. Their delegators stay for one cycle. It cannot be combined with `duration`.",
    ),
  }),
  result: object({
    nodeIDs: list(nodeID),
    blsKeys: described(
      list(object({ publicKey: hex, secret: hex })),
      "The BLS keys in the order of the node IDs. The node keeps them for `dev.signWarpMessage`.",
    ),
    txIDs: described(list(id), "The ID of each validator's transaction, followed by those of its delegators."),
    seconds: described(u64, "The number of seconds by which the clock was moved forward."),
  }),
  cost: 20,
  examples: [
    {
      params: { count: 1, delegators: 1 },
      result: {
        nodeIDs: ["NodeID-7CeBRCALREu61Tk1aMgbsjV47oakfKKrc"],
        blsKeys: [
          {
            publicKey: "0x972725735e45f8e9e024af24ee5088ed8205ffe9d7e6ec7de67794fa8902bdec42938b6dbc2f19e1b1562bd458f07982",
            secret: "0x1ae78ec313c059ab07716d53724ce5372bf5f2fea912f8dbd90f19ea5af6a847",
          },
        ],
        txIDs: ["Y5LeqfJxcz8HzNg3VGC8d7Ezi255LwBa5rzhkPRy94N2FhL1L", "ZPuyqTudnB1KisDLQ63bUcuaSAUjfabgtUeicZueDirHoHTBu"],
        seconds: "0",
      },
    },
  ],

  async handler({ count, weight, duration, delegators, autoRenew }, { chain }) {
    checkCount("count", count, 1, MAX_VALIDATORS)
    checkCount("delegators", delegators, 0, MAX_VALIDATORS)
    if (autoRenew && duration !== undefined) throw devError("dev.duration_or_auto_renew")
    const renewal = autoRenew && { period: autoRenew.period, compoundShares: sharesOf(autoRenew.compound) }
    const { identities, txIDs, seconds } = await chain.turn((turn) =>
      stakeValidators(turn, { count, weight, duration, delegators, autoRenew: renewal }),
    )
    return { nodeIDs: identities.map(({ nodeID }) => nodeID), blsKeys: identities, txIDs, seconds }
  },
})
