import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { Json } from "../../src/core/lib/json.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { historyOfBlocks } from "../fixtures/historyOfBlocks.js"
import { startRunningNode } from "../rpc/methods/runningNode.js"

const START = 1_900_000_000n
const DAY = 86_400
const AVAX = 1_000_000_000n

const folder = mkdtempSync(join(tmpdir(), "serac-history-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Call = <T = Record<string, Json>>(method: string, params?: Json) => Promise<T>

/** Runs a private chain on the directory, with or without the rows for explorers, and stops it. */
async function session(history: "on" | "off", act: (call: Call) => Promise<void>): Promise<void> {
  const producer = { startTime: START, isFrozen: true, accounts: { count: 2 } }
  const options = { dataDir: folder, history, choice: { now: START }, producer }
  const node = await startRunningNode("contract", options)
  try {
    await act(node.call)
  } finally {
    await node.stop()
  }
}

async function expectWholeRows(): Promise<void> {
  const store = openStore(chainDir(folder))
  const { isWhole, kept, expected } = historyOfBlocks(store)
  await store.close()
  expect(isWhole).toBe(true)
  expect(kept).toEqual(expected)
}

test("rows for explorers equal those derived from the blocks after reverts and restarts, also if they were off for some blocks", async () => {
  const pays = async (call: Call, amount: bigint) => {
    const { accounts } = await call<{ accounts: { address: string }[] }>("dev.accounts")
    const [from, to] = accounts.slice(-2).map(({ address }) => address) as [string, string]
    await call("dev.pay", { from, to, amount })
  }
  let validationID = ""
  await session("on", async (call) => {
    await call("dev.addValidators", { count: 2, duration: 14 * DAY, delegators: 1 })
    const { validators } = await call<{ validators: { validationID: string }[] }>("dev.createL1", { validators: 2 })
    validationID = validators[0]!.validationID
    await pays(call, AVAX)
    const { id } = await call<{ id: number }>("dev.snapshot")
    await pays(call, 2n * AVAX)
    await call("dev.revert", { id })
    await pays(call, 3n * AVAX)
  })
  await expectWholeRows()
  await session("off", async (call) => {
    const { id } = await call<{ id: number }>("dev.snapshot")
    await pays(call, 4n * AVAX)
    await call("dev.revert", { id })
    await call("dev.setL1Weight", { validationID, weight: 0 })
    await call("dev.advanceTime", { seconds: 15 * DAY })
    await call("dev.fund", { address: "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6", amount: 5n * AVAX })
    await expect(call("platform.getTxs")).rejects.toThrow("keeps no history")
  })
  await session("on", async (call) => {
    const { txs } = await call<{ txs: Json[] }>("platform.getTxs", { kinds: ["RewardValidatorTx"] })
    expect(txs.length).toBeGreaterThanOrEqual(4)
    await pays(call, 6n * AVAX)
  })
  await expectWholeRows()
})
