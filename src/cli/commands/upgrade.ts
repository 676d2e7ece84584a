import { groupThousands } from "../../core/lib/groupThousands.js"
import { idText } from "../../core/types/id.js"
import { defaultDataDir } from "../../datadir/places.js"
import { upgradeChain } from "../../tools/upgrade/upgradeChain.js"
import { command } from "../command.js"
import { dataFlags, historyFlags, writeFlags } from "../flags/chainFlags.js"
import { networkFlags } from "../flags/networkFlags.js"
import { checkProgress } from "../progress.js"
import { onSignal } from "../untilStopped.js"

/** `serac upgrade`: makes the chain of an older version again, in its directory. */
export const upgradeCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Makes the chain in a data directory again if an older version of Serac wrote it: a private chain, a fork, a copy, or the chain of a network. It
executes its blocks, with the overrides of a private chain, in a new data file beside the old one, copies what blocks do not say (users,
the clock, blocks that this validator signed, chains that it hosts), checks the new file as serac state --check does, and puts it into the place of
the old one at once. Signatures are not verified again. First it names the room on the disk that it needs. Nothing may have the directory open.
Until the end the directory is as it was; after a signal or a kill the same command continues. The older version cannot read the directory
afterwards: make a backup with that version before if you may want to go back.`,
  examples: [
    { call: "serac upgrade --data-dir chain", does: "after a start has refused the directory with store.older" },
    { call: "serac upgrade --data-dir chain --history off", does: "for a node that runs with --history off" },
  ],
  flags: { ...dataFlags, "network-id": networkFlags["network-id"], ...writeFlags, ...historyFlags },
  async run({ flags }, terminal) {
    let isStopped = false
    onSignal(() => {
      isStopped = true
    })
    const { begin, end } = checkProgress(terminal)
    const { schemas, schema, height, blockID } = await upgradeChain({
      dataDir: flags["data-dir"] ?? defaultDataDir(flags["network-id"]),
      history: flags.history,
      allowsSharedVolume: flags["shared-volume"],
      now: () => terminal.now(),
      isStopped: () => isStopped,
      onNeed: ({ dir, schema: found, height: tip, needed, free }) =>
        terminal.note(
          `serac: ${dir} has schema ${found} and ${groupThousands(Number(tip))} blocks; the new data file needs up to ${megabytes(needed)} beside the old one, and ${megabytes(free)} are free\n`,
        ),
      begin,
    }).finally(end)
    const done = schemas.length === 0 ? `is of this version (schema ${schema})` : `was upgraded to schema ${schema}`
    await terminal.print(`the chain ${done}: height ${height}, ${idText(blockID)}\n`)
  },
})

const megabytes = (bytes: number): string => `${groupThousands(Math.ceil(bytes / 1e6))} MB`
