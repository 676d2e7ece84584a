import { expect, test } from "vitest"
import { refusals } from "../core/lib/invalid.js"
import { type Answer, answerTo, type Request, Requests } from "./requests.js"

const testError = refusals({ "test.bad": { sentence: "it is bad", avalanchegoMessage: ({ size }) => `bad ${size}` } })

/** Sends a request to the other side, which gets a copy of it, and whose answer is a copy too. */
function asked(action: () => unknown): Promise<unknown> {
  const requests = new Requests()
  const post = async ({ id }: Request<string>) => requests.received(structuredClone(await answerTo(id, action)) as Answer)
  return requests.send("a question", post)
}

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error,
  )

test("a result crosses as it is", async () => {
  expect(await asked(() => ({ amount: 5n, bytes: new Uint8Array([1, 2]) }))).toEqual({
    amount: 5n,
    bytes: new Uint8Array([1, 2]),
  })
})

test("a refusal crosses whole", async () => {
  const refusal = testError("test.bad", { size: 7n, text: "seven" }).withStep("first: ").dependingOn("clock")
  const error = await errorOf(
    asked(() => {
      throw refusal
    }),
  )
  expect(error).toEqual(refusal)
  const { name, message, avalanchegoMessage } = error
  expect({ name, message, avalanchegoMessage }).toEqual({
    name: "Invalid",
    message: "it is bad (size: 7, text: seven)",
    avalanchegoMessage: "bad 7",
  })
})

test("a fault crosses with its message and stack", async () => {
  const fault = new Error("out of memory")
  const { message, stack } = await errorOf(asked(() => Promise.reject(fault)))
  expect({ message, stack }).toEqual({ message: "out of memory", stack: fault.stack })
})

test("notes reach the request until its result", async () => {
  const requests = new Requests()
  const notes: unknown[] = []
  const result = requests.send("a question", () => {}, notes.push.bind(notes))
  requests.received({ kind: "note", id: 0, note: "half" })
  expect(requests.size).toBe(1)
  requests.received({ kind: "result", id: 0, result: "whole" })
  requests.received({ kind: "note", id: 0, note: "too late" })
  expect([await result, notes, requests.size]).toEqual(["whole", ["half"], 0])
})

test("requests that wait and later ones are rejected when the other side has ended", async () => {
  const requests = new Requests()
  const waiting = errorOf(requests.send("a question", () => {}))
  const ended = new Error("it ended")
  requests.end(ended)
  requests.end(new Error("it ended again"))
  expect([await waiting, await errorOf(requests.send("another", () => {}))]).toEqual([ended, ended])
})
