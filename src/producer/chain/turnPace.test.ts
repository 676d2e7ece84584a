import { afterEach, expect, test, vi } from "vitest"
import { given, row } from "../../../test/fixtures/state.js"
import { idOfByte } from "../../../test/fixtures/txs.js"
import { tables } from "../../core/state/tables.js"
import { IssueWaiters } from "./issueWaiters.js"
import { TurnPace } from "./turnPace.js"

afterEach(() => void vi.restoreAllMocks())

/** A clock that work moves, and timers that note when others have their turn. */
function machine() {
  const clock = { milliseconds: 0 }
  vi.spyOn(performance, "now").mockImplementation(() => clock.milliseconds)
  const turns: number[] = []
  const soon = (callback: () => void) => {
    turns.push(clock.milliseconds)
    // Others work for a second.
    clock.milliseconds += 1000
    callback()
  }
  return { clock, turns, pace: new TurnPace({ soon, after: () => () => {} }) }
}

test("long work lets other calls run between its pieces, and is charged for its own milliseconds alone", async () => {
  const { clock, turns, pace } = machine()
  for (const milliseconds of [4, 5, 1, 30, 9]) {
    clock.milliseconds += milliseconds
    if (pace.isDue) await pace.pause()
  }
  expect([turns, pace.milliseconds]).toEqual([[10, 1040], 49])
})

test("a transaction that was issued while blocks were made is answered after the next blocks", async () => {
  const waiters = new IssueWaiters()
  const accepted = {
    pool: { has: () => false, dropOf: () => undefined },
    view: given(...[1, 2].map((byte) => row(tables.txs, idOfByte(byte), { status: 4, height: 1n, bytes: new Uint8Array() }))),
  }
  const answered: string[] = []
  const wait = (byte: number, name: string) =>
    void waiters.wait(idOfByte(byte)).then((share) => answered.push(`${name} ${share}`))
  wait(1, "first")
  const { arrivals } = waiters
  wait(1, "the same transaction, later")
  wait(2, "another one, later")
  waiters.answer(accepted, 12, arrivals)
  await Promise.resolve()
  expect(answered).toEqual(["first 12"])
  waiters.answer(accepted, 12)
  await Promise.resolve()
  expect(answered).toEqual(["first 12", "the same transaction, later 6", "another one, later 6"])
})
