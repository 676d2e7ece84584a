import { list } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { relayedMessage } from "../chainHosting.js"
import { devMethod } from "./context.js"
import { exampleMessage, requireHosting } from "./hostedL1.js"

export const relay = devMethod({
  name: "dev.relay",
  summary:
    "Delivers the messages of ICM (Teleporter) contracts that wait between the L1s of this node, in order, and tries those again whose delivery failed. It answers when each is delivered or has failed, with the messages of `dev.listMessages`. With `--auto-relay` the node delivers messages by itself.",
  params: nothing,
  result: object({ messages: list(relayedMessage) }),
  cost: 20,
  examples: [{ params: {}, result: { messages: [exampleMessage] } }],

  async handler(_params, context) {
    const l1s = requireHosting(context)
    await l1s.relay()
    return { messages: l1s.relayed }
  },
})
