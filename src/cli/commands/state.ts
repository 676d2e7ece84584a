import type { Json } from "../../lib/json.js"
import { printJson } from "../../lib/json.js"
import { printRfc3339 } from "../../lib/rfc3339.js"
import { networkNameOf } from "../../networks/names.js"
import { chainDir, defaultDataDir, openChainData } from "../../node/chainData.js"
import { digestOf } from "../../node/digest.js"
import { openStore } from "../../node/openStore.js"
import { chainTimeOf } from "../../rules/run.js"
import { activeL1Count } from "../../state/l1Validators.js"
import { allTables, tables } from "../../state/tables.js"
import { hashOf } from "../../store/dump.js"
import { toHexText } from "../../types/hexText.js"
import { idText, P_CHAIN_ID } from "../../types/id.js"
import { dataFlags } from "../chainFlags.js"
import { command } from "../command.js"
import { withDefault } from "../flags.js"
import { onOff } from "../flagTypes.js"
import { networkFlags } from "../networkFlags.js"
import { grouped } from "../progress.js"

/** `serac state`: what a data directory holds. */
export const state = command({
  takes: "",
  count: [0, 0],
  about: `
Prints what a data directory holds: a summary, the digest that AvalancheGo's own VM gives for the same state (as goverify
prints it), and a hash over all rows, so that two stores can be compared.`,
  examples: [
    { call: "serac state --data-dir chain", does: "for people" },
    { call: "serac state --data-dir chain --json", does: "for scripts" },
  ],
  flags: {
    ...dataFlags,
    "network-id": networkFlags["network-id"],
    atomic: withDefault(onOff, "Prints the UTXOs that wait to be imported, one a line, and nothing else", false),
    json: withDefault(onOff, "Prints JSON", false),
  },
  async run({ flags }, terminal) {
    const dir = chainDir(flags["data-dir"] ?? defaultDataDir(flags["network-id"]))
    const store = openStore(dir, { readOnly: true })
    const view = store.view()
    try {
      if (flags.atomic) {
        for (const [key, row] of view.rows(tables.atomicUtxos)) {
          if (key.receiver === P_CHAIN_ID) await terminal.print(`${toHexText(row.value)} ${idText(key.sender)}\n`)
        }
        return
      }
      const { rules, genesis, ruleFlags } = openChainData(store, { now: 0n })
      const digest = digestOf(view)
      const summary: Record<string, Json> = {
        network: networkNameOf(rules.networkID),
        networkID: rules.networkID,
        genesisBlockID: idText(genesis.block.id),
        rules: ruleFlags,
        height: digest.height as string,
        timestamp: printRfc3339(chainTimeOf(view)),
        rows: Object.fromEntries(allTables.map((table) => [table.name, countOf(view.rows(table))])),
        activeL1Validators: activeL1Count(view).toString(),
      }
      const hash = hashOf(view, allTables)
      if (flags.json) {
        await terminal.print(`${printJson({ ...summary, digest, hash }, 2)}\n`)
        return
      }
      await terminal.print(`${summaryText(summary)}\ndigest ${printJson(digest)}\nhash ${hash}\n`)
    } finally {
      view.release()
      await store.close()
    }
  },
})

function countOf(rows: Iterable<unknown>): number {
  let count = 0
  for (const _ of rows) count++
  return count
}

function summaryText({ rows, rules, ...rest }: Record<string, Json>): string {
  const line = ([name, value]: [string, Json]) =>
    `${name.padEnd(22)}${typeof value === "number" ? grouped(value) : String(value)}\n`
  const flags = Object.entries(rules as Record<string, string>).map(([name, value]) => `--${name}=${value}`)
  const shown = Object.entries(rows as Record<string, number>).filter(([, count]) => count > 0)
  return `${Object.entries(rest).map(line).join("")}${line(["rules", flags.join(" ") || "the network's own"])}
Rows
${shown.map(([name, count]) => `  ${name.padEnd(20)}${grouped(count)}\n`).join("")}`
}
