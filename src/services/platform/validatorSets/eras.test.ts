import { expect, test } from "vitest"
import { idOfByte } from "../../../../test/fixtures/txs.js"
import { blankEra, type SetEra } from "../../../core/readmodel/sets/setEra.js"
import { Eras } from "./eras.js"

const [one, other] = [idOfByte(1), idOfByte(2)]
const EMPTY = { entries: 0, keyed: 0, spells: 0, digits: 0, lines: 0, keyLines: 0 }
const HEADER = blankEra(0n, 0n, EMPTY).bytes.length
const era = (from: bigint, upTo: bigint, size = 100): SetEra => blankEra(from, upTo, { ...EMPTY, digits: size - HEADER })

test("an era is found by any of its heights, and by its own subnet", () => {
  const eras = new Eras(1000)
  const [early, late] = [era(10n, 20n), era(21n, 30n)]
  eras.add(one, early)
  eras.add(one, late)
  expect([9n, 10n, 20n, 21n, 30n, 31n].map((height) => eras.find(one, height))).toEqual([
    undefined,
    early,
    early,
    late,
    late,
    undefined,
  ])
  expect(eras.find(other, 15n)).toBeUndefined()
  eras.clear()
  expect(eras.find(one, 15n)).toBeUndefined()
})

test("those not used for long go first when there are too many bytes", () => {
  const eras = new Eras(300)
  const [a, b, c, d] = [era(1n, 2n), era(3n, 4n), era(5n, 6n), era(7n, 8n)]
  for (const each of [a, b, c]) eras.add(one, each)
  eras.find(one, 1n)
  eras.add(other, d)
  expect([1n, 3n, 5n].map((height) => eras.find(one, height))).toEqual([a, undefined, c])
  expect(eras.find(other, 7n)).toBe(d)
})

test("there are never too many, however small they are", () => {
  const eras = new Eras(1000, 2)
  const [a, b, c] = [era(1n, 2n), era(3n, 4n), era(5n, 6n)]
  for (const each of [a, b, c]) eras.add(one, each)
  expect([1n, 3n, 5n].map((height) => eras.find(one, height))).toEqual([undefined, b, c])
})

test("an era makes those within it needless", () => {
  const eras = new Eras(300)
  eras.add(one, era(5n, 9n))
  const longer = era(2n, 9n, 250)
  eras.add(one, longer)
  expect(eras.find(one, 6n)).toBe(longer)
})
