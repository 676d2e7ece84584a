import { groupThousands } from "../../core/lib/groupThousands.js"
import { printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { parseParams, requireMethod } from "../methodParams.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"
import { factLines } from "../textTable.js"

/** `serac revert`: reverts a private chain to a snapshot. */
export const revertCommand = command({
  takes: "ID",
  count: [1, 1],
  about: `
Reverts a private chain to a snapshot of serac snapshot: blocks, state, waiting transactions and the clock. Later snapshots are
dropped; this one can be used again. With --json it prints the answer of dev.revert.`,
  examples: [
    { call: "serac revert 1", does: "back to the first snapshot" },
    { call: "serac revert 1 --json", does: "for scripts" },
  ],
  flags: remoteNodeFlags,
  async run({ flags: { url, json }, args: [id = ""] }, terminal) {
    const params = parseParams(requireMethod("dev.revert"), [`id=${id}`])
    const node = remoteNode(url)
    if (json) return terminal.print(`${printJson(await node.json("dev.revert", params))}\n`)
    const { height } = await node.call("dev.revert", params as { readonly id: string })
    await terminal.print(factLines({ Height: groupThousands(height) }))
  },
})
