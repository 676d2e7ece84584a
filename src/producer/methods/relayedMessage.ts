import { described, list, oneOf, optional, string } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { id, nodeID } from "../../services/kinds.js"

/** A message between two L1s, as a result. */
export const relayedMessage = object({
  messageID: described(id, "The ID of the Warp message."),
  icmID: described(string, "The ID that the ICM contract gives the message."),
  contract: described(string, "The ICM contract, which has the same address on both chains."),
  sourceChainID: id,
  destinationChainID: id,
  nonce: described(u64, "The number that the ICM contract gives the message."),
  sender: described(string, "The account or contract that sent the message through the ICM contract."),
  receiver: string,
  height: described(u64, "The height of the block of the source that sent the message."),
  sourceTx: described(string, "The transaction that sent the message."),
  state: oneOf("waiting", "delivered", "failed"),
  reason: optional(described(string, "Why the message was not delivered, or that its receiver failed.")),
  deliveryTx: optional(described(string, "The transaction that delivered the message, if this node did since it started.")),
  signers: optional(described(list(object({ nodeID, weight: u64 })), "The validators of the source that signed the message.")),
  totalWeight: optional(described(u64, "The weight of all validators of the source.")),
})

/** A message in the examples. */
export const exampleMessage = {
  messageID: "2Dq2H6ZBVrRmrd8r4oFGDTyhSGbuHYqEjqdLVzAzATa1ZtVxm1",
  icmID: "0x26b36d4f1ea8e9a9f5f8d3b5b1a0a3a06e7ec9d4d2f1a4b6a3a8f6a7c7c1d2e3",
  contract: "0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf",
  sourceChainID: "282Z875nKi6udpvejm7gk52b2SiJVxnDCMNQMR9XYp999jk8Mb",
  destinationChainID: "2RReTHVqw7iwYMVsnNpqTqw9nm2uvwS6S2DEuQHg4y6qKSnPVC",
  nonce: "1",
  sender: "0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc",
  receiver: "0x52c84043cd9c865236f11d9fc9f56aa003c1f922",
  height: "12",
  sourceTx: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
  state: "delivered",
  deliveryTx: "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b",
  signers: [{ nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", weight: "100" }],
  totalWeight: "100",
} as const
