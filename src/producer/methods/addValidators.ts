import { described, list, optional, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id, nodeID } from "../../services/kinds.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { checkCount } from "./params.js"

const MAX_VALIDATORS = 20_000

const autoRenew = object({
  period: described(u64, "the length of a cycle, seconds"),
  compound: described(withDefault(u32, 1_000_000), "what is restaked of a cycle's rewards, in millionths; all if left out"),
})

export const addValidators = devMethod({
  name: "dev.addValidators",
  summary:
    "Adds validators of the primary network, with delegators, by real transactions from the well-known key. Where gas is used up the clock is moved, by as much as keeps the use of gas at its target.",
  params: object({
    count: described(u32, `from 1 to ${MAX_VALIDATORS}`),
    weight: described(optional(u64), "nAVAX each; left out: the least stake there may be"),
    duration: described(optional(u64), "seconds; left out: the longest period there may be"),
    delegators: described(withDefault(u32, 0), "how many each gets, with the least stake there may be"),
    autoRenew: described(
      optional(autoRenew),
      "given for validators that stake once and renew themselves; their delegators stay for one cycle. Not together with `duration`",
    ),
  }),
  result: object({
    nodeIDs: list(nodeID),
    blsKeys: described(
      list(object({ publicKey: hex, secret: hex })),
      "in the order of the node IDs; they are kept for `dev.signWarpMessage`",
    ),
    txIDs: described(list(id), "a validator's, then its delegators', and so on"),
    seconds: described(u64, "how far the clock had to be moved"),
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

  async handler({ count, weight, duration, delegators, autoRenew }, { dev }) {
    checkCount("count", count, 1, MAX_VALIDATORS)
    checkCount("delegators", delegators, 0, MAX_VALIDATORS)
    if (autoRenew && duration !== undefined) throw devError("dev.duration_or_auto_renew")
    const { identities, txIDs, seconds } = await dev.addValidators({ count, weight, duration, delegators, autoRenew })
    return { nodeIDs: identities.map(({ nodeID }) => nodeID), blsKeys: identities, txIDs, seconds }
  },
})
