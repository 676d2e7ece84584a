import { list, string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { forEver } from "../lifetimes.js"

export const getServices = method({
  name: "info.getServices",
  summary: "Returns the services that this node answers, each with its path. A private chain has the service `dev`.",
  isExtension: true,
  params: nothing,
  result: object({ services: list(object({ name: string, path: string })) }),
  lifetime: forEver,
  examples: [
    {
      params: {},
      result: {
        services: [
          { name: "platform", path: "/ext/bc/P" },
          { name: "info", path: "/ext/info" },
          { name: "keystore", path: "/ext/keystore" },
          { name: "avm", path: "/ext/bc/X" },
          { name: "proposervm", path: "/ext/bc/P/proposervm" },
          { name: "health", path: "/ext/health" },
        ],
      },
    },
  ],

  handler: (_params, { services }) => ({ services: services() }),
})
