import { printJson } from "../../core/lib/json.js"
import { defaultDataDir } from "../../datadir/places.js"
import { backupChain } from "../../tools/backup.js"
import { command } from "../command.js"
import { dataFlags } from "../flags/chainFlags.js"
import { flagWithDefault } from "../flags/flags.js"
import { onOff } from "../flags/flagTypes.js"
import { networkFlags } from "../flags/networkFlags.js"
import { interruptible } from "../interruptible.js"
import { checkProgress } from "../progress.js"

/** `serac backup`: a copy of a chain, while its node runs. */
export const backupCommand = command({
  takes: "DIR",
  count: [1, 1],
  about: `
Copies the chain of a data directory into another, consistent at one moment, whether a node has it open or not. The copy is
written beside its target, checked completely, and then renamed; if something fails, nothing is left. It is a data directory of its
own: serac serve --data-dir DIR opens it. The L1s whose VMs run in the node are copied, too, each as it was
at a moment before. The keys of the node (the folder staking) are copied with --with-keys only; without them a node that starts on the copy
has another node ID. Two nodes must not run with the same keys.`,
  examples: [
    { call: "serac backup --data-dir chain copy", does: "copies a chain" },
    { call: "serac backup --data-dir chain copy --with-keys", does: "copies a node: the copy is as secret as its keys" },
    { call: "serac backup --data-dir chain copy --json", does: "for scripts: height and bytes" },
  ],
  flags: {
    ...dataFlags,
    "network-id": networkFlags["network-id"],
    "with-keys": flagWithDefault(onOff, "Copies the keys of the node, too", false),
    "no-verify": flagWithDefault(onOff, "Reads the copy, but does not check its rows and blocks", false),
    json: flagWithDefault(onOff, "Prints JSON", false),
  },
  async run({ flags, args: [target = ""] }, terminal) {
    const { begin, end } = checkProgress(terminal)
    const options = {
      dataDir: flags["data-dir"] ?? defaultDataDir(flags["network-id"]),
      target,
      withKeys: flags["with-keys"],
      verifies: !flags["no-verify"],
      begin,
    }
    const copying = interruptible((interrupted) => backupChain({ ...options, interrupted }))
    const { height, bytes, keysLeftOut, l1s } = await copying.finally(end)
    const notCopied = keysLeftOut === undefined ? [] : [keysLeftOut]
    if (flags.json) {
      await terminal.print(`${printJson({ dataDir: target, height: height.toString(), bytes, notCopied, l1s })}\n`)
      return
    }
    await terminal.print(`copied up to height ${height}\n`)
    if (l1s.length > 0) await terminal.print(`with the L1s ${l1s.join(", ")}\n`)
    for (const path of notCopied) await terminal.print(`not copied: ${path} (the node's keys)\n`)
  },
})
