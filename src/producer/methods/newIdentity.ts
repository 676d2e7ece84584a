import { described } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { hex, nodeID } from "../../services/kinds.js"
import { newIdentity as makeIdentity } from "../dev/newIdentities.js"
import { devMethod } from "./context.js"

export const newIdentity = devMethod({
  name: "dev.newIdentity",
  summary:
    "Creates the keys of a new node that does not exist, so that it can be registered as a validator. The node keeps the BLS key for `dev.signWarpMessage`.",
  params: nothing,
  result: object({
    nodeID: nodeID,
    publicKey: described(hex, "The compressed BLS public key."),
    proofOfPossession: hex,
    secret: described(hex, "The BLS secret of 32 bytes, as in AvalancheGo's signer.key."),
  }),
  examples: [
    {
      params: {},
      result: {
        nodeID: "NodeID-3rywjGxLAFqzFi2VbcGjr5rK9wRYHnFnC",
        publicKey: "0x8fe30542a337b96f0db3af627cc7dd09fbadfe07eaa76b54b754ca9d22e019302b9ee1f53827e1bcf7c6d582a1d7b66b",
        proofOfPossession:
          "0x8f8f4dd147cc59540bfe2f77122c352187583ff34cf237bd07f6e60d944b7c39f4e516ea92cee10fddbcfe1c1d413ddf0ea860e6e9290811a58f295477ba600f938ece315a6b25b73218a02c6ef5c9ad7c0ffb8a7ec784ed0f20622c69e1fe5d",
        secret: "0x1409d75ff9e79ba079a3f78b0e25c3d7fdde30b2ffabef6444e888f4518c9108",
      },
    },
  ],

  handler: (_params, { chain }) => chain.turn(makeIdentity),
})
