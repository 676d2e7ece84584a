import { backupChain } from "../../node/backup.js"
import { dataFlags } from "../chainFlags.js"
import { command } from "../command.js"
import { networkFlags } from "../networkFlags.js"

/** `serac backup`: a copy of a chain, while its node runs. */
export const backup = command({
  takes: "DIR",
  count: [1, 1],
  about: `
Copies the chain of a data directory into another, consistent as of one moment, whether a node has it open or not. The copy is
a data directory of its own: serac serve --data-dir DIR opens it.`,
  examples: [{ call: "serac backup --data-dir chain copy", does: "copies a chain" }],
  flags: { ...dataFlags, "network-id": networkFlags["network-id"] },
  async run({ flags, args: [target = ""] }, terminal) {
    const { height } = await backupChain({ dataDir: flags["data-dir"], networkID: flags["network-id"], target })
    await terminal.print(`copied up to height ${height}\n`)
  },
})
