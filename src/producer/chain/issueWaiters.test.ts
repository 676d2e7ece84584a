import { expect, test } from "vitest"
import { given, row } from "../../../test/fixtures/state.js"
import { idOfByte } from "../../../test/fixtures/txs.js"
import { tables } from "../../core/state/tables.js"
import { IssueWaiters } from "./issueWaiters.js"

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
