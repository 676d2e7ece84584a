import { idText } from "../../core/types/id.js"
import { described, string } from "../../jsonrpc/schema/kinds.js"
import { u32Text } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { record } from "../../jsonrpc/schema/outputs.js"
import { method } from "../context.js"
import { ofStateAnd } from "../lifetimes.js"

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
  lifetime: ofStateAnd("the versions of running VMs", ({ node }) =>
    JSON.stringify(node.vms?.chains().map(({ vmID, version }) => [vmID, version]) ?? []),
  ),
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
    const hosted =
      node.vms?.chains().flatMap(({ vmID, version }) => (version === undefined ? [] : [[idText(vmID), version]])) ?? []
    const vmVersions = { platform: program, ...Object.fromEntries(hosted) }
    return { version: program, databaseVersion, rpcProtocolVersion, gitCommit, vmVersions }
  },
})
