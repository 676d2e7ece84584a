import { expect, test } from "vitest"
import type { ID } from "../../types/id.js"
import { defaultSnowParameters } from "./parameters.js"
import { SnowflakeTree } from "./snowflakeTree.js"

const idOfFirstByte = (byte: number) => (byte.toString(16).padStart(2, "0") + "00".repeat(31)) as ID
const A = idOfFirstByte(0)
const B = idOfFirstByte(1)
const C = idOfFirstByte(2)
const parameters = { ...defaultSnowParameters, beta: 3 }

test("three candidates are decided bit by bit, as AvalancheGo's tree decides them", () => {
  const tree = new SnowflakeTree(parameters, A)
  const votes = (...counts: [ID, number][]) => {
    tree.recordPoll(new Map(counts))
    return [tree.preference, tree.isFinalized]
  }
  expect(votes([A, 15])).toEqual([A, false])
  tree.add(B)
  tree.add(C)
  expect(tree.preference).toBe(A)
  expect(votes([A, 8], [C, 8])).toEqual([A, false])
  expect(votes([B, 16])).toEqual([B, false])
  expect(votes([B, 10], [C, 9])).toEqual([B, false])
  expect(votes([A, 3], [B, 2], [C, 15])).toEqual([C, false])
  expect(votes([A, 4], [C, 13])).toEqual([C, false])
  expect(votes([A, 2], [C, 15])).toEqual([C, false])
  expect(votes([C, 18])).toEqual([C, false])
  expect(votes([C, 15])).toEqual([C, true])
})

test("one candidate is decided after beta polls in a row, and an unsuccessful one starts again", () => {
  const tree = new SnowflakeTree(parameters, A)
  const poll = () => tree.recordPoll(new Map([[A, 15]]))
  poll()
  poll()
  tree.recordUnsuccessfulPoll()
  poll()
  poll()
  expect(tree.isFinalized).toBe(false)
  poll()
  expect(tree.isFinalized).toBe(true)
})

test("IDs that differ only in the last bit, and newcomers after a decided bit", () => {
  const last = `${"00".repeat(31)}80` as ID
  const tree = new SnowflakeTree({ ...parameters, beta: 1 }, A)
  tree.add(last)
  tree.recordPoll(new Map([[last, 20]]))
  expect([tree.preference, tree.isFinalized]).toEqual([last, true])
  const other = new SnowflakeTree({ ...parameters, beta: 2 }, A)
  other.add(B)
  other.add(C)
  for (let i = 0; i < 2; i++)
    other.recordPoll(
      new Map([
        [A, 8],
        [C, 8],
      ]),
    )
  other.add(idOfFirstByte(3))
  other.recordPoll(new Map([[idOfFirstByte(3), 20]]))
  expect([A, C]).toContain(other.preference)
})
