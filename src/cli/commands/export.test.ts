import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { startDevnet } from "../../devnet/devnet.js"

const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const folder = mkdtempSync(join(tmpdir(), "serac-export-"))
const dataDir = join(folder, "made")

beforeAll(async () => {
  const devnet = await startDevnet({
    accounts: 0,
    startTime: 1_900_000_000n,
    freezeTime: true,
    dataDir,
    port: false,
    upgrade: "granite",
  })
  await devnet.dev.mine({ blocks: 3, filler: true })
  await devnet.dev.addValidators({ count: 1, duration: 1_209_600 })
  await devnet.dev.advanceTime({ seconds: 1_300_000 })
  await devnet.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const exported = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await run(["export", ...words, "--data-dir", dataDir])
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  return stdout.trimEnd().split("\n")
}

test("exported blocks replay to the same state", async () => {
  const file = join(folder, "blocks.txt")
  const lines = await exported("blocks")
  writeFileSync(file, lines.join("\n"))
  const words = lines.map((line) => line.split(" ")[0]!)
  expect(words.slice(0, 2)).toEqual(["chain", "genesis"])
  const blocks = words.filter((word) => word.startsWith("0x"))
  expect(blocks.length).toBe(lines.length - 2)
  const again = join(folder, "again")
  const replayed = await run(["replay", file, "--data-dir", again, "--json"])
  expect(replayed).toMatchObject({ code: 0, stderr: "" })
  expect(JSON.parse(replayed.stdout)).toEqual({
    executed: blocks.length,
    skipped: 0,
    seconds: expect.any(Number),
    height: String(blocks.length),
    blockID: expect.any(String),
  })
  const digests = await Promise.all(
    [dataDir, again].map(async (dir) => JSON.parse((await run(["state", "--json", "--data-dir", dir])).stdout).digest),
  )
  expect(digests[0]).toEqual(digests[1])
  expect((await run(["replay", "--data-dir", again])).stderr).toBe(
    "serac: cli.missing_flag: the command needs this flag (flag: --blocks)\n",
  )
})

test("rows come as JSON or CSV, with the same values", async () => {
  for (const what of ["txs", "utxos", "stakers", "stakes", "rewards"]) {
    const rows = (await exported(what)).map((line) => JSON.parse(line))
    const [head = "", ...lines] = await exported(what, "--format", "csv")
    const columns = head.split(",")
    expect(rows.length).toBeGreaterThan(0)
    const text = (value: unknown) => (Array.isArray(value) ? value.join(" ") : String(value ?? ""))
    expect(lines).toEqual(rows.map((row) => columns.map((name) => text(row[name])).join(",")))
    expect(columns).toEqual(Object.keys(rows[0]))
  }
})

test("heights limit what is exported, and those above the chain are refused", async () => {
  const heights = (await exported("txs", "--from", "2", "--to", "3")).map((line) => JSON.parse(line).height)
  expect(heights).toEqual([2, 3])
  expect(await run(["export", "txs", "--to", "999999", "--data-dir", dataDir])).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^serac: node\.future_height: the chain has not reached this height \(height: 999999, lastAccepted: \d+\)\n$/,
    ),
  })
  const above = await run(["export", "txs", "--from", "999999", "--data-dir", dataDir])
  expect(above).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("node.future_height") })
  const { stdout } = await run(["state", "--data-dir", dataDir, "--json"])
  const next = String(Number((JSON.parse(stdout) as { height: string }).height) + 1)
  expect(await run(["export", "blocks", "--from", next, "--data-dir", dataDir])).toEqual({ code: 0, stdout: "", stderr: "" })
  expect(await run(["export", "everything", "--data-dir", dataDir])).toMatchObject({
    stderr: expect.stringContaining("cli.unknown_action"),
  })
})

test("an address without funds has no row", async () => {
  expect((await exported("utxos")).filter((line) => line.includes(FRIEND))).toEqual([])
})

test.each([
  [["utxos", "--from", "2"], "--from", "UTXOs and stakers are those of the last block"],
  [["blocks", "--format", "csv"], "--format", "blocks are always lines of hex"],
])("%j is refused, because a flag would have no effect", async (words, flag, reason) => {
  const stderr = `serac: cli.flag_without_effect: this flag would have no effect (flag: ${flag}, reason: ${reason})\n`
  expect(await run(["export", ...words, "--data-dir", dataDir])).toEqual({ code: 1, stdout: "", stderr })
})

test("a range that ends before it begins is refused", async () => {
  const stderr = "serac: cli.empty_range: --to is before --from (from: 3, to: 2)\n"
  expect(await run(["export", "txs", "--from", "3", "--to", "2", "--data-dir", dataDir])).toEqual({ code: 1, stdout: "", stderr })
})
