import { described, string } from "../../jsonrpc/schema/kinds.js"
import { u32Text } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { record } from "../../jsonrpc/schema/outputs.js"
import { method } from "../context.js"
import { forEver } from "../lifetimes.js"

export const getNodeVersion = method({
  name: "info.getNodeVersion",
  summary: "Returns the name and version of the node's software, and the versions of its parts.",
  params: nothing,
  result: object({
    version: described(string, "The version in the form name/major.minor.patch."),
    databaseVersion: string,
    rpcProtocolVersion: u32Text,
    gitCommit: string,
    vmVersions: record(string, "VM name"),
  }),
  lifetime: forEver,
  examples: [
    {
      params: {},
      result: {
        version: "serac/0.1.0",
        databaseVersion: "v1.4.5",
        rpcProtocolVersion: "46",
        gitCommit: "",
        vmVersions: { platform: "serac/0.1.0" },
      },
    },
  ],

  handler(_params, { node }) {
    const { name, version, databaseVersion, rpcProtocolVersion, gitCommit } = node.version
    const program = `${name}/${version}`
    return { version: program, databaseVersion, rpcProtocolVersion, gitCommit, vmVersions: { platform: program } }
  },
})
