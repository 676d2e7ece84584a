import { expect, test } from "vitest"
import { readStore } from "../../../../test/fixtures/readModel.js"
import { addressOfByte, idOfByte } from "../../../../test/fixtures/txs.js"
import type { AcceptedEvent } from "../../../core/blocks/acceptedEvent.js"
import { readTables } from "../../../core/readmodel/tables.js"
import { Diff } from "../../../core/state/diff.js"
import { tables } from "../../../core/state/tables.js"
import { Raw } from "../../../jsonrpc/method.js"
import type { Context, NodePort } from "../../context.js"
import { answerAbout } from "./lasting.js"

test("what is said of an address stays true through blocks that leave it alone, and through nothing else", () => {
  const store = readStore()
  const listeners: ((event: AcceptedEvent) => void)[] = []
  let now = 10n
  const node = { now: () => now, onAccepted: (listener: never) => listeners.push(listener) } as unknown as NodePort
  const [mine, other] = [addressOfByte(1), addressOfByte(2)]
  let made = 0
  const ask = (until?: bigint): number => {
    const cached = new Map<string, unknown>()
    const context = {
      node,
      dialect: "contract",
      view: store.latest,
      cached: (key: string, make: () => unknown) => cached.get(key) ?? cached.set(key, make()).get(key),
    } as unknown as Context
    const make = () => ({ raw: new Raw(new Uint8Array(++made)), until })
    const [, second, third] = [1, 2, 3].map(() => answerAbout(context, [mine], "question", make))
    expect(third).toBe(second)
    return second?.size ?? 0
  }
  const accept = (height: number, address: typeof mine) => {
    const diff = new Diff(store.latest)
    diff.put(tables.blockIDs, BigInt(height), idOfByte(height))
    diff.put(readTables.txsByAddress, { address, height: BigInt(height), index: 0 }, { txID: idOfByte(9), typeID: 34 })
    store.commit(diff.edits)
    for (const listener of listeners) listener({ kind: "block" } as AcceptedEvent)
  }
  expect([ask(), ask()]).toEqual([2, 2])
  accept(1, other)
  expect(ask()).toBe(2)
  accept(2, mine)
  expect([ask(), ask()]).toEqual([4, 4])
  for (const listener of listeners) listener({ kind: "override" })
  expect(ask(11n)).toBe(6)
  now = 11n
  expect(ask()).toBe(7)
})
