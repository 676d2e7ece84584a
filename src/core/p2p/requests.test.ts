import { expect, test } from "vitest"
import type { NodeID } from "../types/id.js"
import { AdaptiveTimeout } from "./adaptiveTimeout.js"
import type { MessageKind } from "./message.js"
import { Requests } from "./requests.js"

const a = "aa" as NodeID
const b = "bb" as NodeID

const question = (data: string, answer: MessageKind) => ({ data, answer, message: () => ({ case: "ping", value: {} }) as const })

test("an answer counts from the node, with the number and of the kind that was asked for", () => {
  const requests = new Requests<string>(() => true)
  const requestID = requests.nextID()
  requests.ask(a, question("block", "put"), 0, requestID)
  expect(requests.answer(b, requestID, "put", 1)).toBeUndefined()
  expect(requests.answer(a, requestID + 1, "put", 1)).toBeUndefined()
  expect(requests.answer(a, requestID, "ancestors", 1)).toBeUndefined()
  expect(requests.answer(a, requestID, "put", 1)).toBe("block")
  expect(requests.answer(a, requestID, "put", 1)).toBeUndefined()
})

test("a request that cannot be sent is not waited for", () => {
  const requests = new Requests<string>(() => false)
  expect([requests.ask(a, question("vote", "chits"), 0, 1), requests.count]).toEqual([false, 0])
  expect(requests.answer(a, 1, "chits", 1)).toBeUndefined()
})

test("a request ends when it times out, or when its node disconnects", () => {
  const requests = new Requests<string>(() => true)
  requests.ask(a, question("first", "put"), 0, 1)
  requests.ask(a, question("second", "put"), 1, 2)
  requests.ask(b, question("third", "put"), 1, 2)
  expect(requests.expired(4_999)).toEqual([])
  expect(requests.expired(5_000).map(({ data }) => data)).toEqual(["first"])
  expect(requests.abandon(a).map(({ data }) => data)).toEqual(["second"])
  expect(requests.count).toBe(1)
})

test("a block that is asked for and does not come leaves the timeout as it is", () => {
  const requests = new Requests<string>(() => true)
  requests.ask(a, question("block", "put"), 0, 1)
  requests.expired(60_000)
  expect(requests.timeoutMs).toBe(5_000)
  requests.ask(a, question("vote", "chits"), 60_000, 2)
  requests.answer(a, 2, "chits", 60_000)
  // Twice the average of the 5 s to begin with and of an answer at once.
  expect(requests.timeoutMs).toBe(5_000)
  requests.ask(a, question("vote", "chits"), 60_000, 3)
  requests.answer(a, 3, "chits", 60_000)
  expect(requests.timeoutMs).toBeCloseTo(3_333.3, 0)
})

test("the timeout is twice the average of answers, between 2 and 10 seconds", () => {
  const timeout = new AdaptiveTimeout()
  expect(timeout.milliseconds).toBe(5_000)
  for (let i = 0; i < 60; i++) timeout.observe(10, i * 60_000)
  expect(timeout.milliseconds).toBe(2_000)
  for (let i = 60; i < 120; i++) timeout.observe(60_000, i * 60_000)
  expect(timeout.milliseconds).toBe(10_000)
})
