import { expect, test } from "vitest"
import { KEPT, NO_BLOCKS, type SentEvent, withEvents } from "./recentBlocks.js"

const sent = (name: string, data: object): SentEvent => ({ name, data: JSON.stringify(data) })
const block = (height: number, id: string) => sent("block", { height: String(height), id, kind: "BanffStandardBlock", txs: [] })
const tx = (height: number, txID: string) =>
  sent("tx", { height: String(height), txID, kind: "BaseTx", status: "Committed", effect: "" })
const revert = (height: number, id: string) => sent("revert", { height: String(height), id })

const shown = (events: readonly SentEvent[]) => {
  const { blocks, height } = withEvents(NO_BLOCKS, events)
  return [height, blocks.map((each) => `${each.height} ${each.id} ${each.txs.map(({ txID }) => txID).join()}`.trim())]
}

test("a block and a revert that arrive together leave no removed block", () => {
  const events = [block(5, "a"), tx(6, "gone"), block(6, "removed"), revert(5, "a")]
  expect(shown(events)).toEqual([5, ["5 a"]])
  expect(shown([...events, tx(6, "t"), block(6, "new")])).toEqual([6, ["6 new t", "5 a"]])
})

test("transactions whose block did not come are forgotten by a revert, and a chain that begins anew has another first block", () => {
  expect(shown([block(0, "a"), block(1, "b"), tx(2, "t"), revert(0, "z"), block(1, "c")])).toEqual([1, ["1 c"]])
})

test("the newest blocks are kept", () => {
  const { blocks } = withEvents(
    NO_BLOCKS,
    Array.from({ length: KEPT + 3 }, (_, height) => block(height, `b${height}`)),
  )
  expect([blocks.length, blocks[0]?.height, blocks.at(-1)?.height]).toEqual([KEPT, KEPT + 2, 3])
})
