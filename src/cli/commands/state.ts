import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { groupThousands } from "../../core/lib/groupThousands.js"
import type { Json } from "../../core/lib/json.js"
import { printJson } from "../../core/lib/json.js"
import { chainDir, defaultDataDir, requireNoFork } from "../../datadir/places.js"
import { openToRead } from "../../sources/fork/forkBase.js"
import { checkInWorker } from "../../tools/check/checkChain.js"
import { atomicUtxosOf, summaryOf } from "../../tools/summary.js"
import { command } from "../command.js"
import { dataFlags } from "../flags/chainFlags.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { onOff, path } from "../flags/flagTypes.js"
import { networkFlags } from "../flags/networkFlags.js"
import { excludes } from "../flags/withoutEffect.js"
import { interruptible } from "../interruptible.js"
import { checkProgress, logOn } from "../progress.js"

/** `serac state`: summarises the content of a data directory. */
export const stateCommand = command({
  takes: "",
  count: [0, 0],
  about: `
Shows the chain of a data directory: its kind, network, height, time and counts, a digest of the state that a test compares with
AvalancheGo's own VM, and a hash over all rows, so that two stores can be compared.`,
  examples: [
    { call: "serac state --data-dir chain", does: "its height, its counts and its hashes" },
    { call: "serac state --data-dir chain --check", does: "if you doubt the disk: reads everything" },
    { call: "serac state --data-dir chain --deep", does: "and executes the chain again" },
  ],
  flags: {
    ...dataFlags,
    "network-id": networkFlags["network-id"],
    atomic: flagWithDefault(
      onOff,
      "Prints the UTXOs that wait to be imported, and all that dev.creditAtomic left, one a line",
      false,
    ),
    check: flagWithDefault(onOff, "First reads every page, every row with its indexes, and every block with its hash", false),
    deep: flagWithDefault(
      onOff,
      "Also executes all blocks again, which must give the same rows; takes as long as a replay",
      false,
    ),
    "plugin-dir": optionalFlag(
      path("DIR"),
      "Directory of VM plugins. The check then runs the VM of the C-Chain and sums its accounts; what the VM writes is forgotten",
    ),
    json: flagWithDefault(onOff, "Prints JSON", false),
  },
  rules: [
    excludes("atomic", ["check", "deep", "json", "plugin-dir"], "--atomic prints UTXOs alone"),
    { flags: ["plugin-dir"], applies: ({ check, deep }) => !check && !deep, reason: "nothing is checked: add --check or --deep" },
  ],
  async run({ flags }, terminal) {
    const dataDir = flags["data-dir"] ?? defaultDataDir(flags["network-id"])
    const isChecked = !flags.atomic && (flags.check || flags.deep)
    if (isChecked) {
      requireNoFork(dataDir)
      const { begin, end } = checkProgress(terminal)
      const check = (deepIn?: string) => checkInWorker(chainDir(dataDir), { deepIn, begin }).finally(end)
      await (flags.deep ? withScratchDirectory(check) : check())
    }
    const store = await openToRead(dataDir, logOn(terminal))
    const view = store.view()
    try {
      if (isChecked) {
        // What runs plugins is loaded on use.
        const { checkCChainAccounts } = await import("../../hosting/cChainAccounts.js")
        const found = await checkCChainAccounts(store, flags["plugin-dir"])
        if (found !== undefined) terminal.note(`serac: ${found}\n`)
      }
      if (flags.atomic) {
        for (const line of atomicUtxosOf(view)) await terminal.print(`${line}\n`)
        return
      }
      const { facts, digest, hash } = summaryOf(store, view)
      if (flags.json) {
        await terminal.print(`${printJson({ ...facts, digest, hash }, 2)}\n`)
        return
      }
      await terminal.print(`${summaryText(facts)}\ndigest ${printJson(digest)}\nhash ${hash}\n`)
    } finally {
      view.release()
      await store.close()
    }
  },
})

function summaryText({ rows, rules, overrides, ...rest }: Readonly<Record<string, Json>>): string {
  const line = ([name, value]: [string, Json]) =>
    `${name.padEnd(22)}${typeof value === "number" ? groupThousands(value) : String(value)}\n`
  const flags = Object.entries(rules as Record<string, string>).map(([name, value]) => `--${name}=${value}`)
  const shown = Object.entries(rows as Record<string, number>).filter(([, count]) => count > 0)
  const deeds = (overrides as readonly { height: string; kind: string }[]).map(
    ({ height, kind }) => `${kind} at height ${height}`,
  )
  return `${Object.entries(rest).map(line).join("")}${line(["overrides", deeds.join(", ") || "none"])}${line(["rules", flags.join(" ") || "the network's own"])}
Rows
${shown.map(([name, count]) => `  ${name.padEnd(20)}${groupThousands(count)}\n`).join("")}`
}

/** Runs work with a directory for temporary files, which is removed afterwards, also if a signal interrupts it. */
function withScratchDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  return interruptible(async (interrupted) => {
    const dir = mkdtempSync(join(tmpdir(), "serac-"))
    const stopped = new Promise<never>((_, reject) => {
      interrupted.addEventListener("abort", () => reject(interrupted.reason))
    })
    try {
      return await Promise.race([work(dir), stopped])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })
}
