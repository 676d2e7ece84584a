import { defaultDataDir } from "../../chaindata/chainData.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { type Export, exportChain } from "../../tools/export/exportChain.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { dataFlags } from "../flags/chainFlags.js"
import { flagWithDefault, optionalFlag } from "../flags/flags.js"
import { heightFlag, oneOfWords } from "../flags/flagTypes.js"
import { networkFlags } from "../flags/networkFlags.js"
import { logOn } from "../progress.js"
import type { Terminal } from "../terminal.js"

const WHAT = ["blocks", "txs", "utxos", "stakers", "rewards"]

/** `serac export`: writes a chain to stdout, for a replay or for other programs. */
export const exportCommand = command({
  takes: "blocks | txs | utxos | stakers | rewards",
  count: [1, 1],
  about: `
Writes a part of the chain in a data directory to stdout, at one moment; its node may run meanwhile. Blocks are lines of hex that serac
replay reads, with their ProposerVM wrappers if the chain has them, and with lines about the rest of the chain: its network, rules and genesis,
and the overrides of a private chain. Transactions, UTXOs, stakers and rewards are lines of JSON, or CSV with
--format csv: amounts in nAVAX, times in RFC 3339. Memory does not grow with the chain.`,
  examples: [
    { call: "serac export blocks --data-dir chain > blocks.txt", does: "for serac replay --blocks blocks.txt" },
    { call: "serac export txs --data-dir chain --from 100 --to 200", does: "the transactions of some blocks as JSON" },
    { call: "serac export rewards --data-dir chain --format csv > rewards.csv", does: "all rewards for a spreadsheet" },
  ],
  flags: {
    ...dataFlags,
    "network-id": networkFlags["network-id"],
    format: flagWithDefault(oneOfWords("ndjson", "csv"), "The form of rows; blocks are always lines of hex", "ndjson"),
    from: optionalFlag(heightFlag, "The first height of blocks, txs and rewards"),
    to: optionalFlag(heightFlag, "The last height of blocks, txs and rewards"),
  },
  words: WHAT,
  async run({ flags, args: [what = ""] }, terminal) {
    if (!WHAT.includes(what)) throw cliError("cli.unknown_action", { action: what, takes: WHAT.join(", ") })
    requireEffect(what, flags)
    const dataDir = flags["data-dir"] ?? defaultDataDir(flags["network-id"])
    const options = { dataDir, from: flags.from, to: flags.to, log: logOn(terminal) }
    await exportChain(what, options, (found) => write(linesOf(found, flags.format), terminal))
  },
})

/** The flags of an export that not every part of the chain has. */
interface PartialFlags {
  readonly format: "ndjson" | "csv"
  readonly from: bigint | undefined
  readonly to: bigint | undefined
}

/** Refuses flags that would have no effect. Throws `cli.flags_conflict`. */
function requireEffect(what: string, { format, from, to }: PartialFlags): void {
  const hasHeights = ["blocks", "txs", "rewards"].includes(what)
  if (!hasHeights && (from ?? to) !== undefined) throw cliError("cli.flags_conflict", { flags: `${what} --from --to` })
  if (what === "blocks" && format === "csv") throw cliError("cli.flags_conflict", { flags: "blocks --format csv" })
  if (from !== undefined && to !== undefined && from > to)
    throw cliError("cli.flags_conflict", { flags: `--from ${from} --to ${to}` })
}

function* linesOf(found: Export, format: "ndjson" | "csv"): Iterable<string> {
  if (found.kind === "lines") {
    yield* found.lines
    return
  }
  if (format === "csv") yield found.columns.join(",")
  for (const row of found.rows) yield format === "csv" ? csvLine(found.columns, row) : printJson(row)
}

/** Characters that are written at a time. */
const CHUNK = 1 << 16

async function write(lines: Iterable<string>, terminal: Terminal): Promise<void> {
  let chunk = ""
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < CHUNK) continue
    await terminal.print(chunk)
    chunk = ""
  }
  if (chunk !== "") await terminal.print(chunk)
}

/** Prints one line of CSV (RFC 4180) with the values of these columns. Lists are separated by spaces. */
export function csvLine(columns: readonly string[], row: Readonly<Record<string, Json>>): string {
  return columns.map((name) => field(row[name] ?? null)).join(",")
}

function field(value: Json): string {
  const text = textOf(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: Json): string {
  if (value === null) return ""
  if (typeof value === "string") return value
  return Array.isArray(value) ? value.map(textOf).join(" ") : printJson(value)
}
