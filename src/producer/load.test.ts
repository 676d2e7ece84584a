import { expect, test } from "vitest"
import { TestWallet } from "../../test/fixtures/testWallet.js"
import { expectJudged, judgedTest } from "../../test/judge.js"
import { txsOf } from "../core/blocks/block.js"
import { AVAX } from "../core/networks/params.js"
import type { Tx } from "../core/txs/tx.js"
import { blocksOf, type Devnet, openDevnet } from "./devnet.fixture.js"
import { grantTo } from "./funds/treasury.js"
import { accountsOf } from "./keys/accounts.js"

const raised = {
  "dynamic-fees-max-gas-capacity": "100000000",
  "dynamic-fees-max-gas-per-second": "10000000",
  "dynamic-fees-target-gas-per-second": "5000000",
  // Otherwise a block of such size would make gas dearer at once, and the next one wait a second.
  "dynamic-fees-excess-conversion-constant": "216404300",
}

/** A payment of each account to itself, at the price of now. */
function paymentsOf({ chain }: Devnet, count: number): Tx[] {
  return accountsOf({ count }).map((key) => new TestWallet(chain, key).make("BaseTx", {}))
}

/** Every block's transactions, in order. */
function acceptedIn(devnet: Devnet): { height: bigint; time: bigint; size: number; txIDs: string[] }[] {
  return blocksOf(devnet).map((block) => ({
    height: block.height,
    time: "time" in block ? block.time : 0n,
    size: block.bytes.length,
    txIDs: txsOf(block).map(({ id }) => id),
  }))
}

judgedTest("a thousand transactions at once are all accepted, none lost or doubled, in blocks below 128 KiB", async (judge) => {
  const devnet = await openDevnet({ flags: raised, choices: { accounts: { count: 1000, balance: AVAX }, poolGas: 100_000_000n } })
  const txs = paymentsOf(devnet, 1000)
  await Promise.all(txs.map((tx) => devnet.chain.issueTx(tx)))
  const [funding, ...blocks] = acceptedIn(devnet)
  expect(funding?.txIDs.length).toBe(1)
  expect(blocks.flatMap(({ txIDs }) => txIDs).sort()).toEqual(txs.map(({ id }) => id).sort())
  expect(Math.max(...blocks.map(({ size }) => size))).toBeLessThan(128 * 1024)
  expect(blocks.length).toBeLessThan(5)
  expect(devnet.chain.status.pool.size).toBe(0)
  judge(() => expectJudged(devnet.store, { flags: raised }))
})

judgedTest("at the default limits the same thousand transactions wait for gas, and none is lost", async (judge) => {
  const devnet = await openDevnet()
  const { chain, machine, dev } = devnet
  const keys = accountsOf({ count: 1000 })
  for (let i = 0; i < 1000; i += 250) {
    const grants = keys.slice(i, i + 250).map(({ address }) => grantTo(address, AVAX))
    await chain.issueTx(chain.treasury.pay(chain.options.store.latest, grants, chain.now()))
    await dev.setTime({ to: dev.now() + 60n })
  }
  const before = chain.status.lastAccepted.height
  const start = chain.now()
  const txs = paymentsOf(devnet, 1000)
  await Promise.all(txs.map((tx) => chain.issueTx(tx)))
  const isNew = ({ height }: { height: bigint }) => height > before
  const atOnce = acceptedIn(devnet)
    .filter(isNew)
    .flatMap(({ txIDs }) => txIDs)
  // The clock moves while gas is short; use above the target then makes gas dearer than the others pay, and those wait.
  expect(atOnce.length).toBeGreaterThan(500)
  expect(atOnce.length).toBeLessThan(600)
  expect(chain.now()).toBeGreaterThan(start)
  expect(chain.status.pool.size).toBe(1000 - atOnce.length)
  expect(chain.txStatus(txs.find(({ id }) => !atOnce.includes(id))!.id)).toEqual({ status: "Processing" })
  await machine.pass(170)
  const blocks = acceptedIn(devnet).filter(isNew)
  expect(blocks.flatMap(({ txIDs }) => txIDs).sort()).toEqual(txs.map(({ id }) => id).sort())
  expect(chain.status.pool.size).toBe(0)
  expect(blocks.at(-1)!.time - start).toBeGreaterThan(40n)
  judge(() => expectJudged(devnet.store))
})

test("a full pool refuses in the reference's words, and takes the same transaction once there is room", async () => {
  const devnet = await openDevnet({ choices: { accounts: { count: 3 }, poolGas: 8_000n, blockMode: { mode: "manual" } } })
  const [first, second] = paymentsOf(devnet, 3) as [Tx, Tx, Tx]
  await devnet.chain.issueTx(first)
  await expect(devnet.chain.issueTx(second)).rejects.toMatchObject({
    code: "chain.pool_full",
    avalanchegoMessage: "not enough gas",
  })
  expect(await devnet.dev.mine({ blocks: 5, filler: false })).toEqual({ height: 2n, blocks: 1 })
  await devnet.chain.issueTx(second)
  expect(await devnet.dev.mine({ blocks: 5, filler: false })).toEqual({ height: 3n, blocks: 1 })
})
