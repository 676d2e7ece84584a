import { printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { methodNames, parseParams, requireMethod } from "../methodParams.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"

/** `serac call`: calls any method of a node's API. */
export const callCommand = command({
  takes: "METHOD [NAME=VALUE…]",
  count: [1, 64],
  about: `
Calls a method of a node's API and prints its result as JSON. The page of a node lists the methods and their parameters. A value is read
as the parameter needs it: a number, true or false, a text, or a list separated by commas; a value that begins with { or [ is JSON.
If the node refuses the call, its reason is written to stderr and the exit code is 1.`,
  examples: [
    { call: "serac call platform.getHeight", does: "asks the node of this machine" },
    { call: "serac call platform.getBalance addresses=P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", does: "with a parameter" },
    { call: "serac call dev.mine blocks=3 filler=true --url http://127.0.0.1:9660 --json", does: "another node, for scripts" },
  ],
  flags: remoteNodeFlags,
  words: methodNames,
  async run({ flags, args: [name = "", ...params] }, terminal) {
    const method = requireMethod(name)
    const result = await remoteNode(flags.url).json(method.name, parseParams(method, params))
    await terminal.print(`${printJson(result, flags.json ? undefined : 2)}\n`)
  },
})
