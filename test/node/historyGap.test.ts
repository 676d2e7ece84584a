import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { explorerTables } from "../../src/core/readmodel/explorer/tables.js"
import { readTables, type SetProgress } from "../../src/core/readmodel/tables.js"
import { Diff } from "../../src/core/state/diff.js"
import type { ID } from "../../src/core/types/id.js"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { repairChain } from "../../src/tools/repair.js"
import { explorerRows } from "../fixtures/ownedHistory.js"

const AVAX = 1_000_000_000n
const REFUSED = { code: "platform.history_incomplete", data: { missingFrom: 4 } }

/** Sets all past balances of a stored chain to zero. The next payment then leads to a negative one, which no row can hold. */
async function damageBalances(dataDir: string): Promise<void> {
  const store = openStore(chainDir(dataDir))
  const diff = new Diff(store.latest)
  for (const [key] of store.latest.rows(explorerTables.pastBalances)) {
    diff.put(explorerTables.pastBalances, key, { amount: 0n, count: 0n })
  }
  store.commit(diff.edits)
  await store.close()
}

test("a block whose history cannot be made is accepted; its history is refused until a repair", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-gap-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const options = { dataDir, accounts: 2, startTime: 1_900_000_000n, freezeTime: true }
  const started = async () => {
    const devnet = await startDevnet(options)
    const [alice, bob] = devnet.keys.slice(2).map(({ address }) => address) as [string, string]
    return { devnet, alice, bob, pay: () => devnet.dev.pay({ from: alice, to: bob, amount: AVAX }) }
  }
  const balanceOf = async ({ rpc }: Devnet, address: string) =>
    (await rpc("platform.getBalance", { addresses: [address] })).balance

  const first = await started()
  await first.pay()
  await first.pay()
  const before = await first.devnet.rpc("platform.getTxsByAddress", { address: first.bob })
  await first.devnet.stop()
  await damageBalances(dataDir)

  const second = await started()
  const { devnet, alice, bob } = second
  const funds = await balanceOf(devnet, bob)
  await second.pay()
  expect(await balanceOf(devnet, bob)).toBe(funds + AVAX)
  await second.pay()
  // An answer that was stored before a block of the gap is not sent again after it.
  expect(await balanceOf(devnet, bob)).toBe(funds + 2n * AVAX)
  expect((await devnet.rpc("platform.getHeight")).height).toBe(5n)
  for (const [method, params] of [
    ["platform.getTxs", {}],
    ["platform.getTxsByAddress", { address: bob }],
    ["platform.getRewardsByAddress", { address: bob }],
    ["platform.getStakesByAddress", { address: bob }],
    ["platform.getBalanceAt", { address: bob, height: 4 }],
    ["platform.getUTXOsAt", { address: bob, height: 5 }],
    ["platform.getFormerValidators", {}],
  ] as const) {
    await expect(devnet.rpc(method as "platform.getTxs", params as never), method).rejects.toMatchObject(REFUSED)
  }
  expect((await devnet.rpc("platform.getUTXOsAt", { address: alice, height: 3 })).utxos).toHaveLength(1)
  const stream = await fetch(`${devnet.url}/ext/bc/P/events?addresses=${bob}`)
  expect([stream.status, await stream.text()]).toEqual([400, expect.stringContaining("platform.history_incomplete: ")])
  const health = await devnet.rpc("health.health")
  expect(health.healthy).toBe(false)
  expect(health.checks.history?.error).toBe("the history has no rows from block 4 on; run `serac repair`")
  await devnet.stop()

  const third = await started()
  await third.pay()
  await expect(third.devnet.rpc("platform.getTxs")).rejects.toMatchObject(REFUSED)
  await third.devnet.stop()

  expect(await repairChain({ dir: chainDir(dataDir), onPart: () => {}, begin: () => () => {} })).toEqual({ height: 6n })
  const store = openStore(chainDir(dataDir))
  expect((explorerRows(store.latest).effects as unknown[]).length).toBeGreaterThan(10)
  await store.close()
  const last = await started()
  const { txs } = await last.devnet.rpc("platform.getTxsByAddress", { address: last.bob })
  expect(txs.map(({ height }) => height)).toEqual([6n, 5n, 4n, ...before.txs.map(({ height }) => height)])
  expect((await last.devnet.rpc("health.health")).healthy).toBe(true)
  await last.devnet.stop()
})

test("a block whose rows about the present cannot be made is accepted, too, and a repair makes them", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "serac-gap-"))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const options = { dataDir, accounts: 2, startTime: 1_900_000_000n, freezeTime: true }
  const first = await startDevnet(options)
  await first.stop()
  const store = openStore(chainDir(dataDir))
  const damage = new Diff(store.latest)
  // One more change than this does not fit its field.
  const [[subnetID, progress]] = [...store.latest.rows(readTables.setProgress)] as [[ID, SetProgress]]
  damage.put(readTables.setProgress, subnetID, { ...progress, changes: 0, members: 0xffff_ffff })
  store.commit(damage.edits)
  await store.close()

  const second = await startDevnet(options)
  const before = (await second.rpc("platform.getHeight")).height
  await second.dev.addValidators({ count: 1 })
  const { height } = await second.rpc("platform.getHeight")
  expect(height > before).toBe(true)
  // The other rows of the block are there.
  expect((await second.rpc("platform.getTimestamp")).timestamp).toBeDefined()
  const health = await second.rpc("health.health")
  expect(health.checks.history?.error).toBe(`the history has no rows from block ${before + 1n} on; run \`serac repair\``)
  await second.stop()

  expect(await repairChain({ dir: chainDir(dataDir), onPart: () => {}, begin: () => () => {} })).toEqual({ height })
  const repaired = openStore(chainDir(dataDir))
  expect(repaired.latest.get(readTables.setProgress, subnetID)?.members).toBe(progress.members + 1)
  expect(repaired.latest.get(readTables.blockTimes, height)).toBeDefined()
  await repaired.close()
})
