import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getNodeVersion = method({
  name: "info.getNodeVersion",
  summary: "What program this node is, and which versions its parts have.",
  params: nothing,
  result: answer.object({
    version: answer.described(answer.string, "name/major.minor.patch"),
    databaseVersion: answer.string,
    rpcProtocolVersion: answer.digits,
    gitCommit: answer.string,
    vmVersions: answer.map(answer.string, "VM name"),
  }),
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
