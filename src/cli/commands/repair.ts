import { chainDir, defaultDataDir, requireNoFork } from "../../datadir/places.js"
import { repairChain } from "../../tools/repair.js"
import { command } from "../command.js"
import { dataFlags } from "../flags/chainFlags.js"
import { networkFlags } from "../flags/networkFlags.js"
import { checkProgress, progressOn } from "../progress.js"

/** `serac repair`: rebuilds the indexes and the read model of a store. */
export const repairCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Rebuilds everything that a data directory derives from its blocks and its state: the indexes over its tables, and the read model. Then
it checks everything, as serac state --check does. Blocks and state themselves cannot be rebuilt: if they are damaged, restore a backup
or replay the chain. No node may have the directory open.`,
  examples: [{ call: "serac repair --data-dir chain", does: "after serac state --check has found an index that is wrong" }],
  flags: { ...dataFlags, "network-id": networkFlags["network-id"] },
  async run({ flags }, terminal) {
    const dataDir = flags["data-dir"] ?? defaultDataDir(flags["network-id"])
    requireNoFork(dataDir)
    const dir = chainDir(dataDir)
    const check = checkProgress(terminal)
    const bar = progressOn(terminal, { unit: "rows" })
    const onPart = (what: string, done: number) => bar.update(done, () => what)
    const { height } = await repairChain({ dir, onPart, begin: check.begin }).finally(() => {
      bar.end()
      check.end()
    })
    await terminal.print(`repaired and checked up to height ${height}\n`)
  },
})
