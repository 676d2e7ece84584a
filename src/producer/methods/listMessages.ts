import { list } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { relayedMessage } from "../chainHosting.js"
import { devMethod } from "./context.js"
import { exampleMessage } from "./hostedL1.js"

export const listMessages = devMethod({
  name: "dev.listMessages",
  summary:
    "Returns the messages of ICM (Teleporter) contracts between the L1s of this node that `--auto-relay` or `dev.relay` has seen since the node started or was reverted, the oldest first: those that wait, the last 1,000 that failed, with the reason, and the last 1,000 that were delivered.",
  params: nothing,
  result: object({ messages: list(relayedMessage) }),
  examples: [{ params: {}, result: { messages: [exampleMessage] } }],

  handler: (_params, { l1s }) => ({ messages: l1s?.relayed ?? [] }),
})
