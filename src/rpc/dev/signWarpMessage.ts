import { fromHex, toHex } from "../../lib/bytes.js"
import { Invalid } from "../../lib/invalid.js"
import { parseNodeID } from "../../types/id.js"
import { answer } from "../answer.js"
import { described, id, list, object, optional, string } from "../schema.js"
import { devError } from "./errors.js"
import { bytesOfHex } from "./params.js"
import { method } from "./port.js"

export const signWarpMessage = method({
  name: "dev.signWarpMessage",
  summary:
    "Signs a Warp message as a subnet's validators would, at the height that the next block names: with the keys of the five local validators, of `dev.addValidators` and `dev.newIdentity`, or with secrets given here.",
  params: object({
    unsignedMessage: described(string, "0x and hex"),
    subnetID: described(optional(id), "whose validators sign; left out: those of the message's source chain"),
    signers: described(optional(list(string)), "node IDs, or BLS secrets as hex; left out: all whose keys are held"),
  }),
  result: answer.object({ signedMessage: answer.described(answer.hex, "without a checksum") }),
  examples: [],

  handler({ unsignedMessage, subnetID, signers }, { dev }) {
    const message = bytesOfHex("unsignedMessage", unsignedMessage)
    return { signedMessage: `0x${toHex(dev.signWarpMessage(message, subnetID, signers?.map(signerOf)))}` }
  },
})

function signerOf(text: string) {
  if (!text.startsWith("NodeID-")) {
    const secret = fromHex(text.startsWith("0x") ? text.slice(2) : text)
    if (secret?.length !== 32) throw devError("dev.bad_signer", { signer: text.slice(0, 16) })
    return { secret }
  }
  try {
    return { nodeID: parseNodeID(text) }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw devError("dev.bad_signer", { signer: text, reason: error.message })
  }
}
