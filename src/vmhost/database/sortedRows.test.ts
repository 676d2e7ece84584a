import { expect, test } from "vitest"
import { attempts, Random, seed } from "../../../test/fuzz/random.js"
import { SortedRows } from "./sortedRows.js"

const rounds = attempts(20)
test(`random changes and iterations show what a sorted list shows, ${rounds} times`, () => {
  const random = new Random(seed("rows in memory"))
  const bytes = (text: string) => Buffer.from(text, "latin1")
  for (let round = 0; round < rounds; round++) {
    const rows = new SortedRows()
    const model = new Map<string, number>()
    const open: { readonly rows: Iterator<readonly [Uint8Array, Uint8Array], undefined>; readonly expected: string[] }[] = []
    // Few first characters, so that prefixes have many rows, and enough keys for several chunks.
    const key = () => `${"ab"[random.below(2)]}${random.below(3000).toString(36)}`
    for (let step = 0; step < 6000; step++) {
      const [text, chance] = [key(), random.below(100)]
      if (chance < 70) {
        expect(rows.set(text, bytes(String(step)))?.length).toBe(model.has(text) ? String(model.get(text)).length : undefined)
        model.set(text, step)
      } else if (chance < 99) {
        expect(rows.delete(text) === undefined).toBe(!model.delete(text))
      } else {
        const [start, prefix] = [random.below(2) ? key() : "", ["", "a", "b1", "c"][random.below(4)] as string]
        const expected = [...model]
          .filter(([each]) => each >= start && each.startsWith(prefix))
          .sort(([a], [b]) => (a < b ? -1 : 1))
        open.push({ rows: rows.rows(bytes(start), bytes(prefix)), expected: expected.map((each) => each.join("=")) })
      }
      const probe = key()
      expect(rows.get(probe)?.toString()).toBe(model.get(probe)?.toString())
    }
    for (const { rows: iterator, expected } of open) {
      const shown: string[] = []
      for (let next = iterator.next(); !next.done; next = iterator.next())
        shown.push(next.value.map((each) => Buffer.from(each).toString()).join("="))
      expect(shown).toEqual(expected)
    }
  }
})
