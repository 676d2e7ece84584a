import { expect, test } from "vitest"
import { silentLog } from "../core/lib/log.js"
import { MAX64 } from "../core/lib/math64.js"
import { Diff } from "../core/state/diff.js"
import { tables } from "../core/state/tables.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { type Devnet, type DevnetOptions, devnetTables, Machine, openDevnet, TEST_START } from "./devnet.fixture.js"
import { grantTo } from "./funds/treasury.js"

const DAY = 86_400

/** A chain whose next block is refused with `math.overflow`: no more fees fit in the total of a validator. Its first staker leaves in a day. */
async function overflowing(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await openDevnet(options)
  await devnet.dev.addValidators({ count: 1, delegators: 0, duration: BigInt(DAY) })
  await devnet.chain.stop()
  put(devnet, (diff) => diff.put(tables.accruedFees, null, MAX64))
  return openDevnet({ ...options, store: devnet.store, machine: devnet.machine })
}

function put({ store }: Devnet, change: (diff: Diff) => void): void {
  const diff = new Diff(store.latest)
  change(diff)
  store.commit(diff.edits)
}

/** Records the milliseconds of each timer that is set. */
function timersOf({ timers }: Machine): number[] {
  const set: number[] = []
  const after = timers.after
  Object.assign(timers, {
    after(milliseconds: number, callback: () => void) {
      set.push(milliseconds)
      return after(milliseconds, callback)
    },
  })
  return set
}

const OVERFLOW = "a sum or product does not fit in 64 bits"

test("a chain that cannot make the block that is due says why once, and waits longer before each try", async () => {
  const machine = new Machine(TEST_START)
  const logged: unknown[] = []
  const log = { ...silentLog, error: (...line: unknown[]) => void logged.push(line) }
  const devnet = await overflowing({ machine, log })
  await machine.pass(DAY - 2)
  expect(devnet.chain.halted).toBeUndefined()
  const set = timersOf(machine)
  await machine.pass(2000)
  expect(devnet.chain.halted).toContain(OVERFLOW)
  expect(set.slice(-14)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300, 300].map((seconds) => seconds * 1000))
  expect(logged).toEqual([["the chain cannot make its next block", { reason: devnet.chain.halted }]])
})

test("a chain that cannot make the block that is due starts, answers, refuses transactions, and is reverted, dumped and reset", async () => {
  const first = await overflowing()
  const { machine, store } = first
  await first.chain.stop()
  machine.time += DAY * 1000
  const { chain, dev } = await openDevnet({ store, machine })
  const { height } = chain.status.lastAccepted
  expect([chain.halted, dev.status()]).toEqual([expect.stringContaining(OVERFLOW), expect.objectContaining({ height })])
  await expect(dev.fund(grantTo("ab".repeat(20) as never))).rejects.toMatchObject({ code: "math.overflow" })
  expect((await dev.dumpState()).length).toBeGreaterThan(0)
  const { id } = await dev.snapshot()
  await dev.revert(id)
  expect(chain.status.lastAccepted.height).toBe(height)
  expect(await dev.reset()).toEqual({ height: 0n })
  expect([chain.halted, dev.status().halted]).toEqual([undefined, undefined])
  await dev.mine({ blocks: 1, filler: true })
})

test("a chain that a revert brings back to where it can make blocks makes them again", async () => {
  const devnet = await openDevnet()
  const { chain, dev, machine } = devnet
  await dev.addValidators({ count: 1, delegators: 0, duration: BigInt(DAY) })
  const { id } = await dev.snapshot()
  put(devnet, (diff) => diff.put(tables.accruedFees, null, MAX64))
  await dev.setBlockMode({ mode: "auto" })
  await machine.pass(DAY + 60)
  expect(chain.halted).toContain(OVERFLOW)
  await dev.revert(id)
  await machine.pass(DAY + 60)
  expect([
    chain.halted,
    [...devnet.store.latest.rows(tables.currentStakers)].some(([, { endTime }]) => endTime < chain.now()),
  ]).toEqual([undefined, false])
})

test("a chain starts after a fault in Serac, which is reported and tried again with pauses", async () => {
  const store = new MemoryStore({ tables: devnetTables })
  const devnet = await overflowing({ store })
  const { machine } = devnet
  await devnet.chain.stop()
  put(devnet, (diff) => {
    diff.put(tables.accruedFees, null, 0n)
    diff.delete(tables.members, diff.first(tables.currentStakers)![1])
  })
  machine.time += DAY * 1000
  const { chain, dev } = await openDevnet({ store, machine })
  expect(chain.halted).toMatch(/^no member /)
  const set = timersOf(machine)
  await machine.pass(100)
  expect(set).toEqual([2000, 4000, 8000, 16_000, 32_000, 64_000])
  expect(await dev.reset()).toEqual({ height: 0n })
  expect(chain.halted).toBeUndefined()
})
