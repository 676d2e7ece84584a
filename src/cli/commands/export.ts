import { type ChainBound, readBound } from "../../core/lib/chainBound.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { valueOrUndefined } from "../../core/lib/invalid.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { parseAddress } from "../../core/types/address.js"
import { defaultDataDir } from "../../datadir/places.js"
import { type Export, exportChain } from "../../tools/export/exportChain.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { dataFlags } from "../flags/chainFlags.js"
import { type FlagType, flagWithDefault, optionalFlag } from "../flags/flags.js"
import { boundFlag, integerFlag, oneOfWords, words } from "../flags/flagTypes.js"
import { networkFlags } from "../flags/networkFlags.js"
import { excludes } from "../flags/withoutEffect.js"
import { writeParquet } from "../parquet.js"
import { logOn } from "../progress.js"
import type { Terminal } from "../terminal.js"

const WHAT = ["blocks", "txs", "utxos", "stakers", "stakes", "rewards"]

/** What a part of the addresses can be exported of. */
const OF_ADDRESSES = ["stakes", "rewards"]

/** Addresses, which may be in one list or in several flags. */
const addressList: FlagType<readonly string[]> = {
  ...words,
  expects: "addresses such as P-avax1…, separated by commas",
  // A list without addresses is refused: it is a forgotten variable of a script, and would export everything.
  read(given, env) {
    const list = words.read(given, env) ?? []
    const isValid = list.length > 0 && list.every((each) => valueOrUndefined(() => parseAddress(each)) !== undefined)
    return isValid ? list : undefined
  },
  separator: ",",
}

/** `serac export`: writes a chain to stdout, for a replay or for other programs. */
export const exportCommand = command({
  takes: WHAT.join(" | "),
  count: [1, 1],
  about: `
Writes a part of the chain in a data directory to stdout, at one moment; its node may run meanwhile. Blocks are lines of hex that serac
replay reads, with their ProposerVM wrappers if the chain has them, and with lines about the rest of the chain: its network, rules and genesis,
and the overrides of a private chain. Transactions, UTXOs, stakers, stakes and rewards are lines of JSON, or CSV with
--format csv: amounts in the smallest unit of their asset, nAVAX for AVAX, or in AVAX if the column says so, times in RFC 3339. Stakers are those that stake now; stakes are those of the past,
too. Spreadsheets keep 15 digits, so they read AVAX exactly below 1,000,000. --format parquet needs the package hyparquet-writer and has types:
amounts as integers of 64 bits and exact decimals, times as timestamps. Memory does not grow with the chain.`,
  examples: [
    { call: "serac export blocks --data-dir chain > blocks.txt", does: "for serac replay --blocks blocks.txt" },
    { call: "serac export txs --data-dir chain --from 100 --to 200", does: "the transactions of some blocks as JSON" },
    { call: "serac export rewards --year 2027 --address P-avax1…,P-avax1… --format csv", does: "the rewards of a tax year" },
  ],
  flags: {
    ...dataFlags,
    "network-id": networkFlags["network-id"],
    format: flagWithDefault(oneOfWords("ndjson", "csv", "parquet"), "The form of rows; blocks are always lines of hex", "ndjson"),
    from: optionalFlag(boundFlag("from"), "The first block of blocks, txs, stakes and rewards: a height, a date or a time"),
    to: optionalFlag(boundFlag("to"), "The last block of them; a date includes the whole day, in UTC"),
    year: optionalFlag(integerFlag(1970, 9999), "The blocks of a year in UTC, instead of --from and --to"),
    address: optionalFlag(addressList, "Only stakes or rewards of these addresses; may be given several times"),
  },
  rules: [
    {
      flags: ["from", "to", "year"],
      applies: (_, [what = ""]) => ["utxos", "stakers"].includes(what),
      reason: "UTXOs and stakers are those of the last block",
    },
    {
      flags: ["address"],
      applies: (_, [what = ""]) => !OF_ADDRESSES.includes(what),
      reason: "only stakes and rewards are exported by address",
    },
    {
      flags: ["format"],
      applies: ({ format }, [what]) => what === "blocks" && format !== "ndjson",
      reason: "blocks are always lines of hex",
    },
    { ...excludes("year", ["from", "to"], "--year names the first and the last block"), refused: "always" },
  ],
  words: WHAT,
  async run({ flags, args: [what = ""] }, terminal) {
    if (!WHAT.includes(what)) throw cliError("cli.unknown_action", { action: what, takes: WHAT.join(", ") })
    requireRange(flags)
    const dataDir = flags["data-dir"] ?? defaultDataDir(flags["network-id"])
    const options = { dataDir, ...partOf(flags), addresses: flags.address ?? [], log: logOn(terminal) }
    const { format } = flags
    await exportChain(what, options, (found) =>
      format === "parquet" && found.kind === "rows"
        ? writeParquet(found, terminal)
        : write(linesOf(found, format === "csv"), terminal),
    )
  },
})

/** The flags that choose blocks. */
interface BlockRange {
  readonly from: ChainBound | undefined
  readonly to: ChainBound | undefined
  readonly year: number | undefined
}

/** Throws `cli.empty_range`. */
function requireRange({ from, to }: BlockRange): void {
  if (from && to && from.kind === to.kind && from.value > to.value)
    throw cliError("cli.empty_range", { from: boundText(from), to: boundText(to) })
}

const boundText = ({ kind, value }: ChainBound): Json => (kind === "time" ? printRfc3339(value) : value)

function partOf({ from, to, year }: BlockRange): Pick<BlockRange, "from" | "to"> {
  if (year === undefined) return { from, to }
  return { from: readBound(`${year}-01-01`, "from"), to: readBound(`${year}-12-31`, "to") }
}

async function* linesOf(found: Export, isCsv: boolean): AsyncIterable<string> {
  if (found.kind === "lines") {
    yield* found.lines
    return
  }
  if (isCsv) yield found.columns.join(",")
  for await (const row of found.rows) yield isCsv ? csvLine(found.columns, row) : printJson(row)
}

/** Characters that are written at a time. */
const CHUNK = 1 << 16

async function write(lines: AsyncIterable<string>, terminal: Terminal): Promise<void> {
  let chunk = ""
  for await (const line of lines) {
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
