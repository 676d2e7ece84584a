import { expect, test } from "vitest"
import { hexToBytes } from "../lib/bytes.js"
import { fieldsOf } from "./fields.js"
import { recognise } from "./recognise.js"

const row = ({ path, start, end, value }: ReturnType<typeof fieldsOf>[number]) => [path, start, end, value]

test("fields are listed in the order of the bytes, without gaps, with their values", () => {
  const { found } = recognise(hexToBytes("0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000"))
  expect(fieldsOf(found, {}).map(row)).toEqual([
    ["version", 0, 2, undefined],
    ["unsignedTx.typeID", 2, 6, 20],
    ["unsignedTx.txID", 6, 38, "TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES"],
    ["credentials.length", 38, 42, 0],
  ])
})

test("a wrapped block is shown field by field inside its wrapper", () => {
  const parent = "11".repeat(32)
  const block = `00000000001f0000000000000009${parent}0000000000000007`
  const { found } = recognise(hexToBytes(`000000000001${parent}00000036${block}`))
  expect(fieldsOf(found, {}).map(row)).toEqual([
    ["version", 0, 2, undefined],
    ["typeID", 2, 6, 1],
    ["parentID", 6, 38, "8WwpJCixn9cKe3jAyXvxNeo5JrBFKj43ULkUeTfeLMqQJgouM"],
    ["block.length", 38, 42, 54],
    ["block.version", 42, 44, undefined],
    ["block.typeID", 44, 48, 31],
    ["block.time", 48, 56, 9n],
    ["block.parentID", 56, 88, "8WwpJCixn9cKe3jAyXvxNeo5JrBFKj43ULkUeTfeLMqQJgouM"],
    ["block.height", 88, 96, 7n],
  ])
})

test("addresses are spelled for the network that is asked for", () => {
  const { found } = recognise(hexToBytes(`0000000b${"00".repeat(8)}0000000100000001${"ab".repeat(20)}`))
  expect(fieldsOf(found, { hrp: "fuji" }).at(-1)).toMatchObject({ path: "addresses.0", value: expect.stringMatching(/^P-fuji1/) })
})
