import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { parquetMetadata, parquetReadObjects } from "hyparquet"
import { afterAll, beforeAll, expect, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"
import { main } from "../main.js"

const DAY = 86_400
const START = 1_796_083_200n // 2026-12-01
const dataDir = mkdtempSync(join(tmpdir(), "serac-export-staking-"))
let devnet: Devnet
let validator = ""
let delegator = ""
let nodeID = ""

/** A validator of account 0 and two delegations of account 1 end, one in 2026 and two in 2027; a delegation of account 0 goes on. */
beforeAll(async () => {
  devnet = await startDevnet({ accounts: 2, startTime: START, freezeTime: true, dataDir, upgrade: "granite" })
  const stake = (...words: readonly string[]) => run(["stake", ...words, "--url", devnet.url, "--json"])
  const stakes = [await stake("2000avax", "60d", "--account", "0")]
  nodeID = (JSON.parse(stakes[0]!.stdout) as { nodeID: string }).nodeID
  stakes.push(await stake("30avax", "14d", "--node", nodeID, "--account", "1"))
  await devnet.dev.advanceTime({ seconds: 20 * DAY })
  stakes.push(await stake("25avax", "14d", "--node", nodeID, "--account", "1"))
  await devnet.dev.advanceTime({ seconds: 45 * DAY })
  const [builtIn] = (await devnet.rpc("platform.getCurrentValidators", {})).validators as unknown as [{ nodeID: string }]
  stakes.push(await stake("25avax", "14d", "--node", builtIn.nodeID, "--account", "0"))
  expect(stakes.map(({ code, stderr }) => [code, stderr])).toEqual(stakes.map(() => [0, ""]))
  ;[validator = "", delegator = ""] = devnet.accounts.map(({ address }) => address)
})
afterAll(async () => {
  await devnet.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

type Row = Readonly<Record<string, string | number | readonly string[] | null>>

const exported = async (...words: readonly string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await run(["export", ...words, "--data-dir", dataDir])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return stdout.split("\n").slice(0, -1)
}
const rowsOf = async (...words: readonly string[]) => (await exported(...words)).map((line) => JSON.parse(line) as Row)

/** What the API says about rewards, in the form of the export, oldest first. */
async function expectedRewards(address: string) {
  const { rewards } = await devnet.rpc("platform.getRewardsByAddress", { address })
  return rewards
    .map(({ timestamp, kind, height, stakerTxID, amount }) => ({
      date: timestamp,
      kind,
      height: Number(height),
      stakerTxID,
      amount,
    }))
    .reverse()
}
const short = ({ date, kind, height, stakerTxID, amount }: Row) => ({
  date,
  kind,
  height,
  stakerTxID,
  amount: BigInt(amount as number),
})

test("rewards of several addresses are those of the API, oldest first, each with its node, its role and its amount in AVAX", async () => {
  const rows = await rowsOf("rewards", "--address", validator, "--address", delegator)
  const expected = [...(await expectedRewards(validator)), ...(await expectedRewards(delegator))]
  expect(rows.map(short)).toEqual(expected.sort((a, b) => a.height - b.height))
  expect(rows.map(({ kind, role }) => `${kind} ${role}`).sort()).toEqual([
    "delegation delegator",
    "delegation delegator",
    "delegationFee validator",
    "validation validator",
  ])
  for (const row of rows) {
    const nanos = BigInt(row.amount as number)
    const fraction = String(nanos % 1_000_000_000n).padStart(9, "0")
    expect(String(row.AVAX).padEnd(row.AVAX!.toString().indexOf(".") + 10, "0")).toBe(`${nanos / 1_000_000_000n}.${fraction}`)
    expect(row).toMatchObject({ nodeID, subnetID: "11111111111111111111111111111111LpoYY" })
    const { tx } = await devnet.rpc("platform.getTx", { txID: row.rewardTxID as string, encoding: "json" })
    expect(tx).toMatchObject({ unsignedTx: { txID: row.stakerTxID } })
  }
  expect(await rowsOf("rewards", "--address", `${delegator},${validator}`)).toEqual(rows)
  const all = await rowsOf("rewards")
  expect(all.filter(({ addresses }) => [validator, delegator].includes((addresses as string[])[0] as string))).toEqual(rows)
})

test("a year, dates, times and heights limit the rewards", async () => {
  const all = await rowsOf("rewards", "--address", delegator)
  const [first, second] = all as [Row, Row]
  expect([all.length, first.date, second.date]).toEqual([2, "2026-12-15T00:00:00Z", "2027-01-04T00:00:00Z"])
  const found = (...words: readonly string[]) => rowsOf("rewards", "--address", delegator, ...words)
  expect(await found("--year", "2026")).toEqual([first])
  expect(await found("--year", "2027")).toEqual([second])
  expect(await found("--year", "2025")).toEqual([])
  expect(await found("--year", "2028")).toEqual([])
  expect(await found("--from", "2026-12-15", "--to", "2026-12-15")).toEqual([first])
  expect(await found("--from", "2026-12-15T00:00:01Z")).toEqual([second])
  expect(await found("--to", "1799020799")).toEqual([first])
  expect(await found("--from", String(second.height))).toEqual([second])
  expect(await found("--to", String(Number(second.height) - 1))).toEqual([first])
  expect(await found("--from", "2026-12-31", "--to", String(second.height))).toEqual([second])
})

test("stakes are those of the past, too, as the API has them", async () => {
  const rows = await rowsOf("stakes", "--address", `${validator},${delegator}`)
  expect(rows.map(({ date, AVAX, role, state, startTime, endTime }) => [date, AVAX, role, state, startTime, endTime])).toEqual([
    ["2026-12-01T00:00:00Z", "2000", "validator", "ended", "2026-12-01T00:00:00Z", "2027-01-30T00:00:00Z"],
    ["2026-12-01T00:00:00Z", "30", "delegator", "ended", "2026-12-01T00:00:00Z", "2026-12-15T00:00:00Z"],
    ["2026-12-21T00:00:00Z", "25", "delegator", "ended", "2026-12-21T00:00:00Z", "2027-01-04T00:00:00Z"],
    ["2027-02-04T00:00:00Z", "25", "delegator", "active", "2027-02-04T00:00:00Z", "2027-02-18T00:00:00Z"],
  ])
  const answers = await Promise.all(
    [validator, delegator].map((address) => devnet.rpc("platform.getStakesByAddress", { address })),
  )
  const stakes = new Map(answers.flatMap((answer) => answer.stakes).map((stake) => [stake.txID, stake]))
  expect(stakes.size).toBe(rows.length)
  for (const row of rows) {
    const { nodeID, amount, kind, paidReward, potentialReward, rewardTxID = null } = stakes.get(row.stakerTxID as string)!
    expect(row).toMatchObject({ nodeID, kind, amount: Number(amount), rewardTxID, paidAVAX: inAvax(paidReward) })
    expect(row.potentialAVAX).toBe(potentialReward === undefined ? null : inAvax(potentialReward))
    expect([row.restakedValidationAVAX, row.restakedDelegateeAVAX]).toEqual([null, null])
  }
  const all = await rowsOf("stakes")
  expect(all.filter(({ height }) => height === 0).length).toBe(5)
  expect(all.filter(({ addresses }) => [validator, delegator].includes((addresses as string[])[0] as string))).toEqual(rows)
  expect(await rowsOf("stakes", "--address", delegator, "--year", "2027")).toEqual([])
})

const inAvax = (nanos: bigint) =>
  `${nanos / 1_000_000_000n}.${String(nanos % 1_000_000_000n).padStart(9, "0")}`.replace(/\.?0+$/, "")

test("CSV has a line for the columns, also without rows, and the same values", async () => {
  const [head = "", ...lines] = await exported("stakes", "--address", validator, "--format", "csv")
  const rows = await rowsOf("stakes", "--address", validator)
  expect(head.split(",")).toEqual(Object.keys(rows[0]!))
  expect(lines).toEqual(
    rows.map((row) =>
      Object.values(row)
        .map((value) => value ?? "")
        .join(","),
    ),
  )
  expect(await exported("rewards", "--year", "2020", "--format", "csv")).toEqual([
    "date,AVAX,amount,assetID,kind,role,nodeID,addresses,stakerTxID,rewardTxID,height,subnetID",
  ])
})

/** Reads the Parquet file of an export. Decimals are read as bytes, because the reader rounds them. */
async function parquetOf(...words: readonly string[]) {
  const parts: Uint8Array[] = []
  const terminal = { stdin: Readable.from([]), env: {}, columns: undefined, note: () => {}, now: () => 0 }
  const print = async (output: string | Uint8Array) => void parts.push(Buffer.from(output))
  expect(await main(["export", ...words, "--data-dir", dataDir, "--format", "parquet"], { ...terminal, print })).toBe(0)
  const file = new Uint8Array(Buffer.concat(parts)).buffer
  const { schema, ...rest } = parquetMetadata(file)
  const asBytes = ({ converted_type, logical_type, ...element }: (typeof schema)[number]) =>
    converted_type === "DECIMAL" ? element : { ...element, converted_type, logical_type }
  const metadata = { ...rest, schema: schema.map(asBytes) } as ReturnType<typeof parquetMetadata>
  return { schema, rows: await parquetReadObjects({ file, metadata }) }
}

/** The value of a row in JSON, from that in Parquet. */
function parquetJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().replace(".000", "")
  if (value instanceof Uint8Array) return inAvax(BigInt(`0x${Buffer.from(value).toString("hex")}`))
  return typeof value === "bigint" ? Number(value) : value
}

test.each(["rewards", "stakes", "stakers", "txs", "utxos"])("Parquet has the same values of %s, with types", async (what) => {
  const { rows, schema } = await parquetOf(what)
  const expected = await rowsOf(what)
  expect(expected.length).toBeGreaterThan(0)
  expect(rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, parquetJson(value)])))).toEqual(
    expected,
  )
  // Every column of numbers and times has a type, and no other one.
  const columns = Object.keys(expected[0]!)
  const isText = (name: string) => schema.find((element) => element.name === name)?.converted_type === "UTF8"
  const isNumber = (name: string) => expected.some((row) => typeof row[name] === "number")
  const isTime = (name: string) => expected.some((row) => /^\d{4}-\d\d-\d\dT/.test(String(row[name])))
  const isList = (name: string) => expected.some((row) => Array.isArray(row[name]))
  const typed = columns.filter((name) => isNumber(name) || isTime(name) || isList(name) || name.endsWith("AVAX"))
  expect(columns.filter((name) => !isText(name))).toEqual(typed)
})

test("Parquet is not written to a screen", async () => {
  const said: string[] = []
  const terminal = { stdin: Readable.from([]), env: {}, columns: undefined, isScreen: true, now: () => 0 }
  const streams = { print: async () => void said.push("printed"), note: (text: string) => void said.push(text) }
  const code = await main(["export", "rewards", "--data-dir", dataDir, "--format", "parquet"], { ...terminal, ...streams })
  expect([code, ...said]).toEqual([1, expect.stringMatching(/^serac: cli\.parquet_on_screen: Parquet is a binary form/)])
})

test("Parquet without rows has the columns", async () => {
  const { rows, schema } = await parquetOf("rewards", "--year", "2020")
  expect([rows.length, schema.length]).toEqual([0, 15])
})

test.each([
  [
    ["rewards", "--year", "2027", "--to", "2027-12-31"],
    "cli.flag_without_effect: this flag would have no effect (flag: --to, reason: --year names the first and the last block)",
  ],
  [
    ["txs", "--address", "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"],
    "cli.flag_without_effect: this flag would have no effect (flag: --address, reason: only stakes and rewards are exported by address)",
  ],
  [
    ["rewards", "--from", "2027-12-01", "--to", "2027-11-01"],
    "cli.empty_range: --to is before --from (from: 2027-12-01T00:00:00Z, to: 2027-11-01T23:59:59Z)",
  ],
  [["rewards", "--from", "2027-02-30"], "cli.flag_value: the flag's value does not have the required form (flag: --from"],
  [["rewards", "--address", "P-avax1zyg3"], "cli.flag_value"],
  [["rewards", "--address", ""], "cli.flag_value"],
  [["rewards", "--address", "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t"], "types.wrong_hrp"],
])("%j is refused", async (words, text) => {
  const { code, stdout, stderr } = await run(["export", ...words, "--data-dir", dataDir])
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(`serac: ${text}`)])
})
