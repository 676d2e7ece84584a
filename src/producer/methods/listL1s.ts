import { list } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { hostedL1 } from "../chainHosting.js"
import { devMethod } from "./context.js"

export const listL1s = devMethod({
  name: "dev.listL1s",
  summary: "Returns the L1s whose VMs run in this node, with their state. It is empty on a node without `--plugin-dir`.",
  params: nothing,
  result: object({ l1s: list(hostedL1) }),
  examples: [{ params: {}, result: { l1s: [] } }],

  handler: (_params, { l1s }) => ({ l1s: l1s?.list() ?? [] }),
})
