import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { chainDir } from "../datadir/places.js"
import { startDevnet } from "../devnet/devnet.js"
import { version } from "./version.js"

const valuesAt = async (url: string) => {
  const lines = (await (await fetch(`${url}/ext/metrics`)).text()).split("\n").filter((line) => !line.startsWith("#"))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]))
}

test("metrics show the build, the chain's time and lag, accepted blocks and transactions, the database and health", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-metrics-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await using devnet = await startDevnet({ dataDir, accounts: 0 })
  const before = await valuesAt(devnet.url)
  await devnet.dev.advanceTime({ seconds: 86_400, settle: true })
  const { chainTime } = await devnet.dev.status()
  const clock = devnet.now()
  const after = await valuesAt(devnet.url)
  expect(after[`serac_build_info{version="${version}",node="${process.versions.node}",network="local"}`]).toBe("1")
  expect(after['serac_crypto_info{secp256k1="wasm",bls="native"}']).toBe("1")
  expect(after.serac_healthy).toBe("1")
  expect(after.serac_chain_time_seconds).toBe(String(Date.parse(chainTime) / 1000))
  expect(Number(after.serac_clock_seconds)).toBeGreaterThanOrEqual(Number(clock))
  // The clock is a day ahead of the machine's, and the last block's time with it.
  expect(Number(after.serac_chain_lag_seconds)).toBeLessThan(0)
  expect(Number(after.serac_blocks_accepted_total)).toBe(Number(after.serac_chain_height) - Number(before.serac_chain_height))
  expect(after['serac_transactions_accepted_total{kind="BaseTx"}']).toBe("1")
  expect(after.serac_database_bytes).toBe(String(statSync(join(chainDir(dataDir), "data.mdb")).size))
  expect(after.serac_database_writable).toBe("1")
  expect(Number(after.serac_disk_free_bytes)).toBeGreaterThan(0)
})

test("a chain in memory has no size on a disk", async () => {
  await using devnet = await startDevnet()
  expect(Object.keys(await valuesAt(devnet.url)).filter((name) => /database_bytes|disk/.test(name))).toEqual([])
})
