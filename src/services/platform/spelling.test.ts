import { expect, test } from "vitest"
import { addressOfByte, idOfByte } from "../../../test/fixtures/txs.js"
import { address } from "../../core/types/address.js"
import { id, type NodeID, nodeID } from "../../core/types/id.js"
import type { Context } from "../context.js"
import { RecentTexts, spellingOf } from "./spelling.js"

test("texts asked for lately are remembered, and no more than twice as many", () => {
  const texts = new RecentTexts(2)
  let spelled = 0
  const ask = (value: string) => texts.recall(value, () => `${value}${++spelled}`)
  expect(["a", "b", "a", "c", "a", "d", "e", "a", "b"].map(ask)).toEqual(["a1", "b2", "a1", "c3", "a1", "d4", "e5", "a1", "b6"])
})

test("the same bytes are remembered as what they are", () => {
  const as = spellingOf({ node: { hrp: "local" } } as Context)
  const bytes = addressOfByte(7)
  for (let i = 0; i < 2; i++) {
    expect(address.toJson(bytes, as)).toBe(address.toJson(bytes, { hrp: "local" }))
    expect(nodeID.toJson(bytes as string as NodeID, as)).toBe(nodeID.toJson(bytes as string as NodeID, {}))
    expect(address.toJson(bytes, { recall: as.recall! })).toBe(address.toJson(bytes, {}))
    expect(id.toJson(idOfByte(7), as)).toBe(id.toJson(idOfByte(7), {}))
  }
})
