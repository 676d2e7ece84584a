import { tables } from "../../state/tables.js"
import { idText } from "../../types/id.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { id, object } from "../schema.js"
import { platformError } from "./errors.js"
import { l1Members, l1Record } from "./records.js"

export const getL1Validator = method({
  name: "platform.getL1Validator",
  summary: "A validator of an L1, active or not, by its validation ID.",
  params: object({ validationID: id }),
  result: answer.object({
    txID: answer.optional(answer.described(answer.id, "the transaction that made it")),
    nodeID: answer.nodeID,
    weight: answer.digits,
    startTime: answer.described(answer.digits, "Unix seconds"),
    ...l1Members,
    subnetID: answer.id,
    height: answer.described(answer.digits, "the last accepted height, at which all this is true"),
  }),
  examples: [],

  handler({ validationID }, context) {
    const validator = context.view.get(tables.l1Validators, validationID)
    if (!validator) throw platformError("platform.unknown_l1_validator", { validationID: idText(validationID) })
    const record = l1Record({ ...validator, validationID }, context)
    return { ...record, subnetID: idText(validator.subnetID), height: context.height.toString() }
  },
})
