import { expect, test, vi } from "vitest"
import { expectJudged, judgedTest } from "../../test/judge.js"
import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import { buildBlock } from "../core/chain/builder.js"
import { Chain } from "../core/chain/chain.js"
import { AVAX } from "../core/networks/params.js"
import { chainTimeOf } from "../core/rules/context.js"
import { TxStatus, tables } from "../core/state/tables.js"
import { idText, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import { storeError } from "../store/errors.js"
import type { Store } from "../store/store.js"
import { Actor } from "./actor.fixture.js"
import { ChainHead } from "./chain/chainHead.js"
import { type Devnet, openDevnet, TEST_START } from "./devnet.fixture.js"
import { grantTo } from "./funds/treasury.js"
import { Purse } from "./funds/wallet.js"
import { accountsOf } from "./keys/accounts.js"
import { PrivateChain } from "./privateChain.js"

const heightOf = ({ chain }: Devnet) => chain.status.lastAccepted.height

/** Two users with a UTXO each. */
async function withUsers(options?: Parameters<typeof openDevnet>[0]): Promise<{ devnet: Devnet; alice: Actor; bob: Actor }> {
  const devnet = await openDevnet(options)
  const alice = await Actor.withFunds(devnet, 1, 5_000n * AVAX)
  const bob = await Actor.withFunds(devnet, 2, 5_000n * AVAX)
  return { devnet, alice, bob }
}

test("a transaction gets its block at once, and those that arrive together share one", async () => {
  const { devnet, alice, bob } = await withUsers()
  const { chain, store } = devnet
  const events: AcceptedEvent[] = []
  chain.onAccepted((event) => events.push(event))
  const [one, two] = [alice.make("BaseTx", {}), bob.make("BaseTx", {})]
  const both = Promise.all([chain.issueTx(one), chain.issueTx(two)])
  // A short verification ends in the same turn of the event loop.
  for (let i = 0; i < 10; i++) await Promise.resolve()
  expect(chain.txStatus(one.id)).toEqual({ status: "Processing" })
  await both
  expect(heightOf(devnet)).toBe(3n)
  expect([one, two].map(({ id }) => store.latest.get(tables.txs, id)?.height)).toEqual([3n, 3n])
  expect(events.map((event) => event.kind === "block" && event.block.height)).toEqual([3n])
  expect(chain.status.pool.has(one.id)).toBe(false)
  // Accepted before, it is judged once more, and fails on its spent inputs.
  await expect(chain.issueTx(one)).rejects.toMatchObject({ code: "rules.unknown_utxo" })
})

test("a refused transaction gets the reason, the second time without another verification", async () => {
  const { devnet, alice } = await withUsers()
  const { chain } = devnet
  const { unsignedTx, ...tx } = alice.make("BaseTx", {})
  const forged = { ...tx, unsignedTx, credentials: [] }
  const reason = `failed execution: standard tx ${idText(tx.id)} failed execution: flow check failed`
  const first = await chain.issueTx(forged).catch((error) => error)
  expect(first).toMatchObject({ code: "rules.credential_count" })
  const status = chain.txStatus(tx.id)
  expect(status).toMatchObject({ status: "Dropped" })
  const reasonText = status?.status === "Dropped" ? status.reason : ""
  expect(first.avalanchegoMessage).toBe(`failed verification: ${reasonText}`)
  expect(reasonText.startsWith(reason.slice(0, 40))).toBe(true)
  await expect(chain.issueTx(forged)).rejects.toMatchObject({ code: "rules.credential_count", avalanchegoMessage: reasonText })
  // Moving the clock forward clears the remembered refusals.
  await devnet.dev.setTime({ to: chain.now() + 1n })
  expect(chain.txStatus(tx.id)).toBeUndefined()
})

test("of two conflicting transactions in one block, the second is dropped and its issuer gets the reason", async () => {
  const { devnet, alice, bob } = await withUsers()
  const { chain, dev } = devnet
  const node = await dev.newIdentity()
  const both = await Promise.allSettled([
    alice.addValidator(node, 2_000n * AVAX, 86_400n),
    bob.addValidator(node, 2_000n * AVAX, 86_400n),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
  const refused = both.find(({ status }) => status === "rejected") as PromiseRejectedResult
  expect(refused.reason).toMatchObject({ code: "rules.already_validator" })
  expect(chain.status.pool.size).toBe(0)
})

test("of two transactions that spend the same UTXO, the second one is refused", async () => {
  const { devnet, alice } = await withUsers({ choices: { blockMode: { mode: "manual" } } })
  const { chain } = devnet
  const first = alice.make("BaseTx", {})
  await chain.issueTx(first)
  await chain.issueTx(first)
  const second = alice.make("CreateSubnetTx", { owner: alice.owner })
  await expect(chain.issueTx(second)).rejects.toMatchObject({ avalanchegoMessage: "tx conflicts with other tx" })
})

test("with an interval, waiting transactions get their block at the next tick", async () => {
  const { devnet, alice, bob } = await withUsers({ choices: { blockMode: { mode: "interval", seconds: 5 } } })
  const { chain, machine } = devnet
  await machine.pass(3)
  await alice.issue(alice.make("BaseTx", {}))
  await machine.pass(1)
  await bob.issue(bob.make("BaseTx", {}))
  expect([heightOf(devnet), chain.status.pool.size]).toEqual([2n, 2])
  await machine.pass(1)
  expect([heightOf(devnet), chain.status.pool.size]).toEqual([3n, 0])
  await machine.pass(60)
  expect(heightOf(devnet)).toBe(3n)
})

judgedTest("in manual mode only dev.mine makes blocks, except for stakers and the transactions of dev itself", async (judge) => {
  const { devnet, alice, bob } = await withUsers({ choices: { blockMode: { mode: "manual" } } })
  const { chain, machine, dev, store } = devnet
  const staked = alice.addValidator(await dev.newIdentity(), 2_000n * AVAX, 86_400n)
  await staked
  expect(await dev.mine({ blocks: 1, filler: false })).toEqual({ height: 3n, blocks: 1 })
  const waiting = await bob.issue(bob.make("BaseTx", {}))
  await machine.pass(3600)
  expect([heightOf(devnet), chain.status.pool.size]).toEqual([3n, 1])
  await dev.fund(grantTo(bob.key.address, 1n))
  expect([heightOf(devnet), chain.status.pool.size]).toEqual([4n, 1])
  await machine.pass(86_400)
  expect([heightOf(devnet), chain.status.pool.size]).toEqual([6n, 1])
  expect(await dev.mine({ blocks: 3, filler: false })).toEqual({ height: 7n, blocks: 1 })
  expect(store.latest.get(tables.txs, waiting)?.height).toBe(7n)
  expect(await dev.mine({ blocks: 3, filler: false })).toEqual({ height: 7n, blocks: 0 })
  expect(await dev.mine({ blocks: 3, filler: true })).toEqual({ height: 10n, blocks: 3 })
  judge(() => expectJudged(store))
})

test("an idle chain makes no block until a staker's time is over, and then makes it at that second", async () => {
  const { devnet, alice } = await withUsers()
  const { machine, dev, store } = devnet
  await alice.addValidator(await dev.newIdentity(), 2_000n * AVAX, 100_000n)
  const start = devnet.chain.now()
  await machine.pass(99_999)
  expect([heightOf(devnet), chainTimeOf(store.latest)]).toEqual([3n, start])
  await machine.pass(1)
  expect([heightOf(devnet), chainTimeOf(store.latest)]).toEqual([5n, start + 100_000n])
})

test("a frozen clock makes no block by itself, and gas does not come back", async () => {
  const { devnet, alice } = await withUsers({ choices: { isFrozen: true, startTime: TEST_START + 100n } })
  const { machine, chain, dev } = devnet
  const made = await dev.mine({ blocks: 1000, filler: true })
  expect(made.blocks).toBeLessThan(300)
  await expect(alice.issue(alice.make("BaseTx", {}))).rejects.toMatchObject({ code: "producer.frozen_without_gas" })
  await expect(dev.fund(grantTo(alice.key.address))).rejects.toMatchObject({ code: "producer.frozen_without_gas" })
  await machine.pass(1000)
  expect([chain.now(), chain.status.pool.size]).toEqual([TEST_START + 100n, 0])
  await dev.setTime({ to: chain.now() + 1n })
  await alice.issue(alice.make("BaseTx", {}))
  expect(chain.status.pool.size).toBe(0)
})

test("a grant that finds no gas gets its block at once, because the clock moves until gas is back", async () => {
  const { devnet, alice } = await withUsers()
  const { chain, dev } = devnet
  await dev.mine({ blocks: 1000, filler: true })
  const before = chain.now()
  for (let i = 0; i < 50; i++) {
    const { txID } = await dev.fund(grantTo(alice.key.address))
    expect(chain.status.view.get(tables.txs, txID!)).toBeDefined()
  }
  expect([chain.now() > before, alice.balance > 50n * AVAX]).toEqual([true, true])
})

test("a payment whose funds wait for a block in other transactions is refused with the way out", async () => {
  const { devnet, alice } = await withUsers({ choices: { blockMode: { mode: "manual" } } })
  const { chain, store } = devnet
  const { balance } = alice
  await alice.issue(alice.make("BaseTx", {}, balance / 2n))
  const pay = (amount: bigint) => chain.treasury.pay(store.latest, [grantTo(alice.key.address, amount)], chain.now(), alice.key)
  expect(() => pay(balance / 2n)).toThrow(
    expect.objectContaining({ code: "producer.funds_wait", data: expect.objectContaining({ held: balance }) }),
  )
  expect(() => pay(balance * 2n)).toThrow(expect.objectContaining({ code: "producer.insufficient_funds" }))
  await devnet.dev.mine({ blocks: 1, filler: false })
  expect(() => pay(balance / 2n)).toThrow(expect.objectContaining({ code: "producer.insufficient_funds" }))
})

test("runs with a frozen clock repeat, transaction by transaction", async () => {
  const run = async () => {
    const { devnet, alice } = await withUsers({ choices: { isFrozen: true, startTime: TEST_START, accounts: { count: 3 } } })
    devnet.machine.time += 12_345_678
    await devnet.dev.addValidators({ count: 2, delegators: 1 })
    await alice.issue(alice.make("BaseTx", {}))
    await devnet.dev.fund({ ...grantTo(alice.key.address), stakeableLocktime: 9_999_999_999n })
    return devnet.chain.status.lastAccepted
  }
  expect(await run()).toEqual(await run())
})

judgedTest(
  "AvalancheGo accepts the block of the default accounts, and the one of those that a kept chain lacks",
  async (judge) => {
    const balances = (store: Store, count: number) =>
      accountsOf({ count }).map((key) => new Purse(store.latest, key, chain.status.rules, { now: chain.now() }).balance)
    const { chain, store, machine } = await openDevnet({ choices: { accounts: { count: 10, isDefault: true } } })
    expect([chain.status.lastAccepted.height, balances(store, 10)]).toEqual([1n, Array(10).fill(100_000n * AVAX)])
    await chain.stop()
    // By default nothing is funded again. With twelve accounts, the two that own nothing are funded.
    for (const [accounts, height] of [
      [{ count: 12, isDefault: true }, 1n],
      [{ count: 12, balance: 5n * AVAX }, 2n],
    ] as const) {
      const again = await openDevnet({ store, machine, choices: { accounts } })
      expect(again.chain.status.lastAccepted.height).toBe(height)
      await again.chain.stop()
    }
    expect(balances(store, 12).slice(9)).toEqual([100_000n * AVAX, 5n * AVAX, 5n * AVAX])
    judge(() => expectJudged(store))
  },
)

test("a chain whose genesis time is now waits for gas before it funds accounts", async () => {
  const { chain, store } = await openDevnet({ choices: { startTime: TEST_START - 3600n, accounts: { count: 100 } } })
  expect(heightOf({ chain } as Devnet)).toBe(1n)
  expect(chainTimeOf(store.latest) - (TEST_START - 3600n)).toBe(2n)
})

test("default accounts with a balance that cannot be paid are refused", async () => {
  const accounts = { count: 10, isDefault: true, balance: 100_000_000n * AVAX }
  await expect(openDevnet({ choices: { accounts } })).rejects.toMatchObject({
    code: "producer.unaffordable_accounts",
    data: { accounts: 10, balance: 100_000_000n * AVAX },
  })
})

test("accounts that cannot be funded are refused with the requested amounts", async () => {
  const funded = (count: number, balance?: bigint) => openDevnet({ choices: { accounts: { count, balance } } })
  await expect(funded(1000)).rejects.toMatchObject({
    code: "producer.unaffordable_accounts",
    data: {
      ...{ accounts: 1000, balance: 100_000n * AVAX, needed: 100_000_000n * AVAX, owned: 30_000_000n * AVAX },
      address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
    },
  })
  await expect(funded(1000, AVAX)).rejects.toMatchObject({
    code: "producer.too_many_accounts",
    data: { accounts: 1000, capacity: 1_000_000n },
  })
})

test("waiting transactions that are no longer valid are dropped when the pool is checked", async () => {
  const { devnet, alice, bob } = await withUsers({ choices: { blockMode: { mode: "manual" } } })
  const { chain, machine, dev } = devnet
  const node = await dev.newIdentity()
  const late = await alice.addValidator(node, 2_000n * AVAX, 3_600n + 60n)
  await machine.pass(1500)
  // However often others come, it is looked at every 30 minutes.
  const fine = await bob.issue(bob.make("BaseTx", {}))
  await machine.pass(299)
  expect(chain.txStatus(late)?.status).toBe("Processing")
  await machine.pass(1)
  expect([chain.txStatus(late)?.status, chain.txStatus(fine)?.status]).toEqual(["Dropped", "Processing"])
})

test("a stopped chain refuses transactions", async () => {
  const { devnet, alice } = await withUsers()
  const tx = alice.make("BaseTx", {})
  await devnet.chain.stop()
  await expect(devnet.chain.issueTx(tx)).rejects.toMatchObject({ code: "producer.stopped" })
  await devnet.machine.pass(400 * 86_400)
  expect(heightOf(devnet)).toBe(2n)
})

test("after a restart the clock continues where it stopped, ahead of the machine's", async () => {
  const devnet = await openDevnet()
  await devnet.dev.setTime({ to: devnet.dev.now() + 10_000n })
  await devnet.chain.stop()
  const { store, machine } = devnet
  machine.time += 5_000
  const again = await openDevnet({ store, machine })
  expect([again.dev.now(), again.dev.status().offset]).toEqual([TEST_START + 10_005n, 10_000n])
  await again.dev.setTime({ to: again.dev.now(), isFrozen: true })
  await again.chain.stop()
  machine.time += 5_000
  expect((await openDevnet({ store, machine })).dev.status()).toMatchObject({ clock: TEST_START + 10_005n, frozen: true })
})

judgedTest("a proposal that waits for its option when the node starts is decided", async (judge) => {
  const { devnet, alice } = await withUsers()
  const { chain, store, machine, dev } = devnet
  const node = await dev.newIdentity()
  await alice.addValidator(node, 2_000n * AVAX, 86_400n)
  await chain.stop()
  machine.time += 86_400_000
  const now = chain.now()
  const { block } = buildBlock([], chain.status.contextAt(now))
  const other = new Chain({ rules: chain.status.rules, state: store })
  other.verify(block!, { now })
  other.accept(block!.id)
  other.flush()
  const again = await openDevnet({ store, machine })
  expect(heightOf(again)).toBe(5n)
  expect(store.latest.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID: node.nodeID })).toBeUndefined()
  judge(() => expectJudged(store))
})

test.each([
  ["fails for a reason that Serac does not know ends the node", new Error("no room"), true],
  ["has overwritten memory of the process ends the node", storeError("store.write_failed", { dir: "d" }), true],
  ["has no room does not end the node", storeError("store.disk_full", { dir: "d" }), false],
])("a store that %s, and no transaction is called accepted", async (_, failure, isFault) => {
  const { devnet, alice } = await withUsers()
  const { store, machine, chain } = devnet
  const tx = alice.make("BaseTx", {})
  await chain.stop()
  const faults: unknown[] = []
  let hasFailed = false
  const commit = store.commit.bind(store)
  store.commit = (...args) => {
    if (hasFailed) throw failure
    commit(...args)
  }
  const { timers, wall } = machine
  const again = new PrivateChain({ ...chain.options, timers, wall, onFault: (error) => faults.push(error) })
  await again.start()
  hasFailed = true
  await expect(again.issueTx(tx)).rejects.toBe(failure)
  expect(new Set(faults)).toEqual(new Set(isFault ? [failure] : []))
  expect(store.latest.get(tables.txs, tx.id)).toBeUndefined()
  if (failure.name === "Invalid") await again.stop()
})

test("a fault while a block is made refuses its transactions and is reported, and the chain continues with what is written", async () => {
  const { devnet, alice } = await withUsers()
  const { store, machine, chain } = devnet
  await chain.stop()
  const [faults, ends] = [[] as unknown[], [] as unknown[]]
  const { timers, wall } = machine
  const again = new PrivateChain({
    ...chain.options,
    timers,
    wall,
    onFault: (error) => ends.push(error),
    reportFault: (error, where) => faults.push(error, where),
  })
  await again.start()
  const { height } = again.status.lastAccepted
  const fault = new TypeError("a fault")
  vi.spyOn(ChainHead.prototype, "extend").mockRejectedValueOnce(fault)
  const tx = alice.make("BaseTx", {})
  await expect(again.issueTx(tx)).rejects.toBe(fault)
  await machine.idle()
  expect([faults, ends, again.status.lastAccepted.height]).toEqual([[fault, "timer of the private chain"], [], height])
  await again.issueTx(tx)
  expect([again.status.lastAccepted.height, store.latest.get(tables.txs, tx.id)?.status]).toEqual([
    height + 1n,
    TxStatus.committed,
  ])
  // The timer of the attempt after the fault finds nothing to do.
  await machine.pass(3)
  expect(faults.length).toBe(2)
  await again.stop()
})

test("a turn that cannot be written changes neither the clock nor the block mode", async () => {
  const { devnet } = await withUsers()
  const { store, machine, chain, dev } = devnet
  await machine.pass(7)
  const { clock, blockMode } = dev.status()
  vi.spyOn(store, "commit").mockImplementation(() => {
    throw storeError("store.disk_full", { dir: "d" })
  })
  const refused = { code: "store.disk_full" }
  await expect(dev.setTime({ to: clock + 86_400n })).rejects.toMatchObject(refused)
  await expect(dev.setTime({ to: clock + 86_400n, isFrozen: true })).rejects.toMatchObject(refused)
  await expect(dev.setBlockMode({ mode: "manual" })).rejects.toMatchObject(refused)
  expect(dev.status()).toMatchObject({ clock, offset: 0n, frozen: false, blockMode })
  vi.restoreAllMocks()
  await machine.pass(2)
  expect(dev.status()).toMatchObject({ clock: clock + 2n, offset: 0n, frozen: false, blockMode })
  expect(store.getMeta("clockOffset")).toBe(0n)
  await chain.stop()
})
