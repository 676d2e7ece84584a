import { expect, onTestFinished, test, vi } from "vitest"
import { refusal } from "../../../test/refusal.js"
import type { Call } from "../../client/client.js"
import { decidedStatus, statusAt } from "./walletFlags.js"

/** Asks for the decision of a transaction at a node that answers with these statuses, the last one for ever. */
async function decisionOf(...answers: readonly object[]) {
  vi.useFakeTimers({ toFake: ["setTimeout", "Date"] })
  onTestFinished(() => void vi.useRealTimers())
  const notes: string[] = []
  const terminal = { note: (text: string) => void notes.push(text), now: () => Date.now() }
  let asked = 0
  const call = (async () => answers[Math.min(asked++, answers.length - 1)]) as unknown as Call
  const deciding = decidedStatus(
    { txID: "t", status: "Processing" },
    { "no-wait": false },
    statusAt(call),
    terminal as never,
  ).then(
    (status) => status,
    (error) => error,
  )
  await vi.advanceTimersByTimeAsync(61_000)
  return { outcome: await deciding, asked, notes: notes.length }
}

test("the status of a transaction is asked for until it is decided, for a minute at most", async () => {
  const waiting = { status: "Processing" }
  expect(await decisionOf(waiting, waiting, { status: "Committed" })).toEqual({ outcome: "Committed", asked: 3, notes: 1 })
  expect(await decisionOf(waiting)).toEqual({ outcome: "Processing", asked: 300, notes: 1 })
  const { outcome } = await decisionOf(waiting, { status: "Dropped", reason: "the mempool was full" })
  const { code, data } = refusal(() => {
    throw outcome
  })
  expect([code, data]).toEqual(["cli.tx_dropped", { txID: "t", reason: "the mempool was full" }])
})
