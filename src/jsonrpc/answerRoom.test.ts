import { expect, test } from "vitest"
import { neverPausing } from "../core/lib/pace.js"
import { AnswerRoom, type GrowingAnswer } from "./answerRoom.js"

const MiB = 1 << 20

/** Makes an answer of 3 MiB that grows by half a MiB in each step. Returns the number of steps. */
async function madeIn(room: AnswerRoom): Promise<number> {
  using answer = room.begin()
  for (let size = MiB / 2; size <= 3 * MiB; size += MiB / 2) await answer.grow(size, neverPausing)
  return 6
}

/** Begins this number of answers that have taken a place and are not finished. */
async function largeAnswers(room: AnswerRoom, count: number): Promise<GrowingAnswer[]> {
  const answers = Array.from({ length: count }, () => room.begin())
  for (const answer of answers) await answer.grow(MiB, neverPausing)
  return answers
}

test("an answer that has no room is refused with the limit", async () => {
  expect(await madeIn(new AnswerRoom(3 * MiB))).toBe(6)
  await expect(madeIn(new AnswerRoom(3 * MiB - 1))).rejects.toMatchObject({
    code: "rpc.answer_too_large",
    data: { limit: 3 * MiB - 1 },
  })
})

test("four large answers are made at once, and the next one waits with a MiB until one of them is made", async () => {
  const room = new AnswerRoom()
  const [first] = await largeAnswers(room, 4)
  const fifth = room.begin()
  await fifth.grow(MiB / 2, neverPausing)
  let hasGrown = false
  const growing = fifth.grow(MiB, neverPausing).then(() => {
    hasGrown = true
  })
  await new Promise(setImmediate)
  expect(hasGrown).toBe(false)
  first?.[Symbol.dispose]()
  await growing
  // Small answers never wait.
  await room.begin().grow(MiB - 1, neverPausing)
})

test("a place is free again after an answer that was abandoned, refused, or abandoned while it waited", async () => {
  const room = new AnswerRoom(2 * MiB)
  for (let i = 0; i < 10; i++) {
    await expect(madeIn(room)).rejects.toMatchObject({ code: "rpc.answer_too_large" })
    for (const answer of await largeAnswers(room, 4)) answer[Symbol.dispose]()
  }
  const [first, ...others] = await largeAnswers(room, 4)
  const waiting = room.begin()
  const growing = waiting.grow(MiB, neverPausing)
  first?.[Symbol.dispose]()
  await growing
  for (const answer of [waiting, ...others]) answer[Symbol.dispose]()
  expect((await largeAnswers(room, 4)).length).toBe(4)
})

test("a call is refused if 64 large answers wait", async () => {
  const room = new AnswerRoom()
  const made = await largeAnswers(room, 4)
  const waiting = Array.from({ length: 64 }, () => madeIn(room))
  await new Promise(setImmediate)
  await expect(madeIn(room)).rejects.toMatchObject({ reason: { code: "rpc.busy" } })
  for (const answer of made) answer[Symbol.dispose]()
  expect(await Promise.all(waiting)).toEqual(Array(64).fill(6))
})
