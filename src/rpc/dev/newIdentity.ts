import { toHex } from "../../lib/bytes.js"
import { nodeIDText } from "../../types/id.js"
import { answer } from "../answer.js"
import { nothing } from "../schema.js"
import { method } from "./port.js"

export const newIdentity = method({
  name: "dev.newIdentity",
  summary:
    "The keys of a node that does not exist, to register it as a validator by hand. Its BLS key is kept for `dev.signWarpMessage`.",
  params: nothing,
  result: answer.object({
    nodeID: answer.nodeID,
    publicKey: answer.described(answer.hex, "the compressed BLS key"),
    proofOfPossession: answer.hex,
    secret: answer.described(answer.hex, "the BLS secret, 32 bytes as in AvalancheGo's signer.key"),
  }),
  examples: [],

  async handler(_params, { dev }) {
    const { nodeID, publicKey, proofOfPossession, secret } = await dev.newIdentity()
    return {
      nodeID: nodeIDText(nodeID),
      publicKey: `0x${toHex(publicKey)}`,
      proofOfPossession: `0x${toHex(proofOfPossession)}`,
      secret: `0x${toHex(secret)}`,
    }
  },
})
