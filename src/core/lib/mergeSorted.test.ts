import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { mergeSorted } from "./mergeSorted.js"

interface Entry {
  readonly value: number
  readonly list: number
}

const byValue = (a: Entry, b: Entry) => a.value - b.value

test("lists are merged as if all were sorted together, equal entries in the order of the lists", () => {
  const random = new Random(1)
  for (let count = 0; count < 60; count++) {
    const lists = Array.from({ length: count }, (_, list) =>
      Array.from({ length: random.below(12) }, (): Entry => ({ value: random.below(20), list })).sort(byValue),
    )
    expect([...mergeSorted(lists, byValue)]).toEqual(lists.flat().sort((a, b) => byValue(a, b) || a.list - b.list))
  }
})

test("a list is read only as far as needed, and closed when the reader stops", () => {
  const log: string[] = []
  function* numbers(name: string, from: number): Iterable<number> {
    try {
      for (let i = from; ; i += 10) {
        log.push(`${name}${i}`)
        yield i
      }
    } finally {
      log.push(`${name} closed`)
    }
  }
  for (const value of mergeSorted([numbers("a", 0), numbers("b", 5)], (a, b) => a - b)) if (value === 10) break
  expect(log).toEqual(["a0", "b5", "a10", "b15", "a closed", "b closed"])
})

test("the merge of many lists does not compare each entry with all lists", () => {
  let compared = 0
  const lists = Array.from({ length: 1000 }, (_, list) => [list, list + 1000, list + 2000])
  const count = (a: number, b: number) => {
    compared++
    return a - b
  }
  expect([...mergeSorted(lists, count)]).toEqual(Array.from({ length: 3000 }, (_, i) => i))
  expect(compared).toBeLessThan(3000 * 40)
})
