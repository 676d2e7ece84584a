import { tables } from "../../../core/state/tables.js"
import { idText } from "../../../core/types/id.js"
import { described } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { platformError } from "../errors.js"
import { l1Members } from "./recordSchemas.js"
import { l1Record } from "./records.js"

export const getL1Validator = method({
  name: "platform.getL1Validator",
  summary: "Returns the L1 validator with the given validation ID, whether it is active or inactive.",
  params: object({ validationID: described(id, "The validation ID of the L1 validator.") }),
  result: object({
    ...l1Members,
    subnetID: id,
    height: described(u64, "The last accepted height, at which the values were read."),
  }),
  examples: [
    {
      params: { validationID: "1LTdBEfr59YAp8LupNTS2UUCFn8W93XYq14UjwJ5cox1x1VhR" },
      result: {
        txID: "TSAutHbn3dY5nmRhJn7AKaku9i2wSbSTuC19NqxY37r7A6Lvc",
        nodeID: "NodeID-42AzCjVmuXmniTybz4BafUHpiKK4tV9J2",
        weight: "100",
        startTime: "1721016006",
        validationID: "1LTdBEfr59YAp8LupNTS2UUCFn8W93XYq14UjwJ5cox1x1VhR",
        publicKey: "0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d",
        remainingBalanceOwner: { locktime: "0", threshold: "1", addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
        deactivationOwner: { locktime: "0", threshold: "1", addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"] },
        minNonce: "0",
        balance: "1998703999",
        subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR",
        height: "13",
      },
    },
  ],

  async handler({ validationID }, context) {
    const validator = context.view.get(tables.l1Validators, validationID)
    if (!validator) throw platformError("platform.unknown_l1_validator", { validationID: idText(validationID) })
    const record = l1Record({ ...validator, validationID }, context)
    return { ...record, subnetID: validator.subnetID, height: context.height }
  },
})
