import { expect, test } from "vitest"
import { LOCAL_START_TIME } from "../../core/genesis/local.js"
import { silentLog } from "../../core/lib/log.js"
import { END_OF_TIME } from "../../core/lib/wholeSeconds.js"
import { AVAX } from "../../core/networks/params.js"
import { chainTimeOf } from "../../core/rules/context.js"
import { Actor } from "../actor.fixture.js"
import { TestDev } from "../dev.fixture.js"
import { emptyTreasury, openDevnet, TEST_START } from "../devnet.fixture.js"
import { PrivateChain } from "../privateChain.js"
import { packDump, unpackDump } from "../snapshots/packDump.fixture.js"

const NONE = { blocks: 0, rewarded: 0, aborted: 0, deactivated: 0 }

test("two simultaneous moves of the clock both take effect", async () => {
  const { dev } = await openDevnet()
  const [first, second] = await Promise.all([dev.setTime({ by: 10n }), dev.setTime({ by: 5n })])
  expect([first.clock, second.clock, dev.now()]).toEqual([TEST_START + 10n, TEST_START + 15n, TEST_START + 15n])
})

test("a move stops on its way for hosted chains, with the blocks that are due before, and counts those of both parts", async () => {
  const far = { by: 400n * 86_400n }
  const alone = await (await openDevnet({ choices: { renewsValidators: false } })).dev.setTime(far)
  for (const seconds of [2n, 300n * 86_400n, 365n * 86_400n]) {
    const { dev } = await openDevnet({ choices: { renewsValidators: false } })
    const seen: unknown[] = []
    const stop = { seconds, makeBlocks: async () => void seen.push(dev.now(), dev.status().chainTime <= dev.now()) }
    expect(await dev.setTime({ ...far, stop })).toEqual(alone)
    expect(seen).toEqual([TEST_START + seconds, true])
  }
  const { dev } = await openDevnet()
  const stop = { seconds: 2n, makeBlocks: () => Promise.reject(new Error("a move of this length has no stop")) }
  expect(await dev.setTime({ by: 2n, stop })).toMatchObject({ clock: TEST_START + 2n })
})

test("when the machine's clock is set back, the chain's clock waits at the last block's time, and transactions are still accepted", async () => {
  const logged: string[] = []
  const say = (event: string) => void logged.push(event)
  const devnet = await openDevnet({ log: { ...silentLog, warn: say } })
  const { dev, machine, store } = devnet
  await dev.mine({ blocks: 1, filler: true })
  for (const [i, seconds] of [12, 60, 3_600, 400 * 86_400].entries()) {
    machine.time -= seconds * 1000
    expect([dev.now(), chainTimeOf(store.latest)]).toEqual([TEST_START, TEST_START])
    const actor = await Actor.withFunds(devnet, i + 1, 1_000_000n)
    expect(actor.balance).toBe(1_000_000n)
  }
  expect([dev.status().height, dev.now(), chainTimeOf(store.latest)]).toEqual([5n, TEST_START, TEST_START])
  expect(logged).toEqual(["the machine's clock was set back: the chain's clock waits until it has caught up"])
  await expect(dev.setTime({ to: TEST_START - 1n })).rejects.toMatchObject({
    code: "producer.time_in_the_past",
    data: { earliest: TEST_START },
  })
  expect(await dev.setTime({ by: 60n })).toMatchObject({ clock: TEST_START + 60n })
})

test("a chain does not start before its genesis, nor from a state whose clock is past the year 9999", async () => {
  await expect(openDevnet({ choices: { startTime: LOCAL_START_TIME - 1n } })).rejects.toMatchObject({
    code: "producer.start_too_early",
    data: { startTime: LOCAL_START_TIME - 1n, earliest: LOCAL_START_TIME },
  })
  const { dev } = await openDevnet()
  const late = packDump({ ...unpackDump(await dev.dumpState()), now: END_OF_TIME + 1n })
  await expect(dev.loadState(late)).rejects.toMatchObject({ code: "producer.time_too_far" })
  expect(dev.now()).toBe(TEST_START)
})

test("a running clock stops at the end of the year 9999, and transactions are still accepted", async () => {
  const devnet = await openDevnet({ choices: { renewsValidators: false } })
  const { dev, machine, store } = devnet
  await dev.setTime({ to: END_OF_TIME - 5n, settle: true, force: true })
  await machine.pass(60)
  const actor = await Actor.withFunds(devnet, 1, 1_000_000n)
  expect([actor.balance, dev.now(), chainTimeOf(store.latest)]).toEqual([1_000_000n, END_OF_TIME, END_OF_TIME])
})

test("the clock cannot be moved past the end of the year 9999", async () => {
  const { dev } = await openDevnet({ choices: { renewsValidators: false } })
  const latest = 253_402_300_799n
  for (const options of [{ by: 2n ** 64n - 1n }, { to: 2n ** 64n - 1n }, { to: latest + 1n }]) {
    await expect(dev.setTime(options)).rejects.toMatchObject({ code: "producer.time_too_far", data: { latest } })
  }
  expect(dev.status()).toMatchObject({ clock: TEST_START, height: 0n })
  const travelled = await dev.setTime({ to: latest, settle: true, isFrozen: true, force: true })
  expect(travelled).toMatchObject({ clock: latest, chainTime: latest, rewarded: 5, blocks: 11 })
  expect(await dev.setTime({ by: 0n, settle: true })).toEqual({ ...NONE, clock: latest, chainTime: latest, height: 11n })
})

test("settling includes waiting transactions, and makes no payment when they advance the chain's time", async () => {
  const devnet = await openDevnet({ choices: { isFrozen: true, startTime: TEST_START } })
  const { dev, chain } = devnet
  const actor = await Actor.withFunds(devnet, 1, AVAX)
  await dev.setBlockMode({ mode: "manual" })
  const txID = await actor.issue(actor.make("BaseTx", {}))
  expect(await dev.setTime({ by: 10n, settle: true })).toMatchObject({ chainTime: TEST_START + 10n, blocks: 1, height: 2n })
  expect(chain.txStatus(txID)).toEqual({ status: "Processing" })
  await dev.setBlockMode({ mode: "interval", seconds: 3600 })
  await chain.turn((turn) => turn.setBlockMode({ mode: "auto" }))
  expect(await dev.setTime({ by: 10n, settle: true })).toMatchObject({ chainTime: TEST_START + 20n, blocks: 1, height: 3n })
  expect(chain.status.pool.size).toBe(0)
})

test("when no account can pay for settling, the clock does not move", async () => {
  const devnet = await openDevnet()
  const { dev } = devnet
  await emptyTreasury(devnet)
  const before = dev.status()
  await expect(dev.setTime({ by: 10n, settle: true })).rejects.toMatchObject({ code: "producer.insufficient_funds" })
  expect(dev.status()).toEqual(before)
})

test("an error during the move leaves a running clock", async () => {
  const { store, machine, chain } = await openDevnet()
  await chain.stop()
  const { timers, wall } = machine
  const commit = store.commit.bind(store)
  store.commit = (edits, options) => {
    if (chainTimeOf(store.latest) > TEST_START || edits.size > 0) throw new Error("no room")
    commit(edits, options)
  }
  const again = new PrivateChain({ ...chain.options, timers, wall })
  await again.start()
  await expect(new TestDev(again).setTime({ by: 400n * 86_400n })).rejects.toThrow("no room")
  expect(again.clock.isFrozen).toBe(false)
  const now = again.now()
  machine.time += 5_000
  expect(again.now()).toBe(now + 5n)
})
