import { decode } from "../../core/codec/decode.js"
import { unsignedMessage as unsignedMessageCodec } from "../../core/types/warp/message.js"
import { described, oneOf, optional, string } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { hex, id } from "../../services/kinds.js"
import { issueL1Message as issueMessage } from "../dev/issueL1Message.js"
import { devMethod } from "./context.js"
import { l1ValidatorParams, secondsForGas } from "./l1Params.js"
import { hexParam } from "./params.js"

export const issueL1Message = devMethod({
  name: "dev.issueL1Message",
  summary:
    "Does the P-Chain's part of a step of an L1's validator manager, from the Warp message that the contract sent: the validators of the L1 sign it, a real RegisterL1ValidatorTx or SetL1ValidatorWeightTx from the well-known key carries it out, and they sign the P-Chain's answer, with which the contract completes the step. A VM that runs here is asked whether its chain has sent the message.",
  params: object({
    unsignedMessage: described(string, "The unsigned message as hex with `0x`, from the log of the Warp precompile."),
    balance: l1ValidatorParams.balance,
    proofOfPossession: described(
      optional(string),
      "The proof of possession of a new validator's BLS key as hex with `0x`. The default is that of a key which the node holds (`dev.newIdentity`).",
    ),
  }),
  result: object({
    kind: oneOf("RegisterL1Validator", "L1ValidatorWeight"),
    validationID: id,
    txID: id,
    answer: optional(
      described(hex, "The signed message of the P-Chain for the contract; absent if the node holds too few of the L1's keys."),
    ),
    seconds: secondsForGas,
  }),
  cost: 5,
  examples: [
    {
      title: "the message is shortened here, and the node holds too few of the L1's keys to sign the answer",
      params: { unsignedMessage: "0x000000003039…" },
      result: {
        kind: "RegisterL1Validator",
        validationID: "2ehwutunkbD4Ne1eiK5HZpDfxTTt4XN74aSKM9xch2zmJ44mSQ",
        txID: "tfRZ98MxgxSE73XBvaL4WmXBvhh8HRihXwKP3BG52AgagogMc",
        seconds: "0",
      },
    },
  ],

  async handler({ unsignedMessage, balance, proofOfPossession: proof }, { chain, l1s }) {
    const message = hexParam("unsignedMessage", unsignedMessage)
    await l1s?.requireSigned(decode(unsignedMessageCodec, message).sourceChainID, message, new Uint8Array(0))
    const proofOfPossession = proof === undefined ? undefined : hexParam("proofOfPossession", proof)
    return chain.turn((turn) => issueMessage(turn, { message, balance, proofOfPossession }))
  },
})
