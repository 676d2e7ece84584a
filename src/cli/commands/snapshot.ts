import { groupThousands } from "../../core/lib/groupThousands.js"
import { printJson } from "../../core/lib/json.js"
import { command } from "../command.js"
import { remoteNode, remoteNodeFlags } from "../remoteNode.js"
import { factLines } from "../textTable.js"

/** `serac snapshot`: takes a snapshot of a private chain. */
export const snapshotCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Takes a snapshot of a private chain and prints the snapshot's number for serac revert. The node keeps snapshots until it stops. With
--json it prints the answer of dev.snapshot.`,
  examples: [
    { call: "serac snapshot", does: "before an experiment" },
    { call: "serac snapshot --json", does: "for scripts" },
  ],
  flags: remoteNodeFlags,
  async run({ flags: { url, json } }, terminal) {
    const node = remoteNode(url)
    if (json) return terminal.print(`${printJson(await node.json("dev.snapshot"))}\n`)
    const { id, height } = await node.call("dev.snapshot")
    await terminal.print(factLines({ Snapshot: String(id), Height: groupThousands(height) }))
  },
})
