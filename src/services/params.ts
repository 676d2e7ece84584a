import { type Encoding, parseEncoding } from "../core/types/hexText.js"
import { EMPTY_ID, EMPTY_NODE_ID, type ID, idText, type NodeID, nodeIDText, parseID, parseNodeID } from "../core/types/id.js"
import { textParam } from "../jsonrpc/schema/kinds.js"
import type { Param } from "../jsonrpc/schema/param.js"

/** An ID in cb58. Missing: 32 zero bytes, which is the P-Chain and the Primary Network. */
export const id: Param<ID, string> = {
  ...textParam({ type: "string", description: "an ID in cb58" }, EMPTY_ID, "an ID in cb58", parseID, idText),
  emptyIsMissing: true,
}

export const nodeID: Param<NodeID, string> = textParam(
  { type: "string", description: "a node ID, NodeID- and cb58" },
  EMPTY_NODE_ID,
  "a node ID, NodeID- and cb58",
  parseNodeID,
  nodeIDText,
)

/** How bytes are asked for or given, in any letter case. */
export const encoding: Param<Encoding, string> = textParam(
  { type: "string", enum: ["hex", "hexc", "hexnc", "json"] },
  "hex",
  "one of hex, hexc, hexnc, json",
  parseEncoding,
  (value) => value,
)
