import { expect, test } from "vitest"
import { flatRefusal } from "../../test/refusal.js"
import { doNow, finish, type Work } from "../core/lib/work.js"
import { AnswerRoom } from "./answerRoom.js"

const MiB = 1 << 20

/** Makes an answer that grows by half a MiB in each step, and notes its size after each. */
function* answerIn(room: AnswerRoom, sizes: number[] = []): Work<number> {
  using answer = room.begin()
  for (let size = MiB / 2; size <= 3 * MiB; size += MiB / 2) {
    yield* answer.grow(size)
    sizes.push(size)
    yield
  }
  return sizes.length
}

/** Runs work until it has to wait for a promise or ends, and returns the promise. */
function untilItWaits(work: Work<unknown>): Promise<unknown> | undefined {
  for (;;) {
    const { done, value } = work.next()
    if (done) return undefined
    if (value instanceof Promise) return value
  }
}

/** Begins this number of answers that have taken a place and are not finished. */
function largeAnswers(room: AnswerRoom, count: number): Work<number>[] {
  return Array.from({ length: count }, () => {
    const sizes: number[] = []
    const work = answerIn(room, sizes)
    while (sizes.length < 2) work.next()
    return work
  })
}

test("an answer that has no room is refused with the limit", () => {
  expect(doNow(answerIn(new AnswerRoom(3 * MiB)))).toBe(6)
  expect(flatRefusal(() => doNow(answerIn(new AnswerRoom(3 * MiB - 1))))).toEqual({
    code: "rpc.answer_too_large",
    limit: 3 * MiB - 1,
  })
})

test("four large answers are made at once, and the next one waits with a MiB until one of them is made", async () => {
  const room = new AnswerRoom()
  const [first] = largeAnswers(room, 4)
  const sizes: number[] = []
  const fifth = answerIn(room, sizes)
  const waits = untilItWaits(fifth)
  expect([waits instanceof Promise, sizes]).toEqual([true, [MiB / 2]])
  expect(doNow(first as Work<number>)).toBe(6)
  await waits
  expect(doNow(fifth)).toBe(6)
  // Small answers never wait.
  const small = room.begin()
  expect([...small.grow(MiB - 1)]).toEqual([])
})

test("a place is free again after an answer that was abandoned, refused, or abandoned while it waited", async () => {
  const room = new AnswerRoom(2 * MiB)
  for (let i = 0; i < 10; i++) {
    expect(flatRefusal(() => doNow(answerIn(room))).code).toBe("rpc.answer_too_large")
    for (const work of largeAnswers(room, 4)) work.return(0)
  }
  const [first, ...others] = largeAnswers(room, 4)
  const waiting = answerIn(room)
  const waits = untilItWaits(waiting)
  first?.return(0)
  await waits
  waiting.return(0)
  for (const work of others) work.return(0)
  expect(largeAnswers(room, 4).length).toBe(4)
})

test("a call is refused if 64 large answers wait", async () => {
  const room = new AnswerRoom()
  const made = largeAnswers(room, 4)
  const waiting = Array.from({ length: 64 }, () => finish(answerIn(room)))
  await expect(finish(answerIn(room))).rejects.toMatchObject({ reason: { code: "rpc.busy" } })
  for (const work of made) doNow(work)
  expect(await Promise.all(waiting)).toEqual(Array(64).fill(6))
})
