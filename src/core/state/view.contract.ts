import { describe, expect, test } from "vitest"
import { Random } from "../../../test/strangers/random.js"
import { type ID, ID_SIZE } from "../types/id.js"
import type { AnyTable } from "./table.js"
import { tables } from "./tables.js"
import type { Range, View } from "./view.js"

/** A row to begin with: table, key, value. */
export type Row = readonly [table: AnyTable, key: unknown, value: unknown]

/** An ID of one byte again and again. */
export const idOfByte = (byte: string): ID => byte.repeat(ID_SIZE) as ID

const [A, B, C, F] = ["0a", "ab", "ac", "ff"].map(idOfByte) as [ID, ID, ID, ID]
const supplies: readonly Row[] = [
  [tables.supplies, F, 4n],
  [tables.supplies, B, 2n],
  [tables.supplies, A, 1n],
  [tables.supplies, C, 3n],
]

/** What any view must do, whoever implements it. */
export function viewContract(name: string, open: (rows: readonly Row[]) => View): void {
  const keysIn = (range?: Range) => {
    const view = open(supplies)
    const rows = [...view.rows(tables.supplies, range)]
    expect([...view.values(tables.supplies, range)]).toEqual(rows.map(([, value]) => value))
    return rows.map(([key]) => key)
  }

  describe(name, () => {
    test("a row is there or it is not", () => {
      const view = open(supplies)
      expect(view.get(tables.supplies, B)).toBe(2n)
      expect(view.get(tables.supplies, idOfByte("ad"))).toBeUndefined()
      expect(view.get(tables.l1Weights, B)).toBeUndefined()
    })

    test("rows come in the order of their keys", () => {
      const view = open(supplies)
      expect([...view.rows(tables.supplies)]).toEqual([[A, 1n], [B, 2n], [C, 3n], [F, 4n]]) // biome-ignore format: one line a set
      expect([...view.rows(tables.l1Weights)]).toEqual([])
    })

    test("the first row is the one with the lowest key", () => {
      const view = open(supplies)
      expect(view.first(tables.supplies)).toEqual([A, 1n])
      expect(view.first(tables.l1Weights)).toBeUndefined()
    })

    test("the rows of a prefix", () => {
      expect(keysIn({ prefix: "" })).toEqual([A, B, C, F])
      expect(keysIn({ prefix: "ab" })).toEqual([B])
      expect(keysIn({ prefix: "a" })).toEqual([B, C])
      expect(keysIn({ prefix: "f" })).toEqual([F])
      expect(keysIn({ prefix: F })).toEqual([F])
      expect(keysIn({ prefix: "ad" })).toEqual([])
    })

    test("the rows from a key on, itself included", () => {
      expect(keysIn({ from: B })).toEqual([B, C, F])
      expect(keysIn({ from: `${B.slice(0, -1)}c` })).toEqual([C, F])
      expect(keysIn({ from: "a" })).toEqual([B, C, F])
      expect(keysIn({ from: idOfByte("00") })).toEqual([A, B, C, F])
      expect(keysIn({ from: "ffff" })).toEqual([F])
    })

    test("the rows of a prefix from a key on", () => {
      expect(keysIn({ prefix: "a", from: C })).toEqual([C])
      expect(keysIn({ prefix: "a", from: A })).toEqual([B, C])
      expect(keysIn({ prefix: "a", from: F })).toEqual([])
      expect(keysIn({ prefix: "ab", from: C })).toEqual([])
    })

    test("keys in several parts, and rows that hold nothing", () => {
      const view = open([
        [tables.expiries, { expiry: 9n, validationID: A }, null],
        [tables.expiries, { expiry: 8n, validationID: B }, null],
      ])
      expect([...view.rows(tables.expiries)]).toEqual([
        [{ expiry: 8n, validationID: B }, null],
        [{ expiry: 9n, validationID: A }, null],
      ])
      expect(view.get(tables.expiries, { expiry: 9n, validationID: A })).toBeNull()
      expect(view.get(tables.expiries, { expiry: 9n, validationID: B })).toBeUndefined()
    })

    test("a table with one row", () => {
      const view = open([[tables.timestamp, null, 1_600_000_000n]])
      expect(view.get(tables.timestamp, null)).toBe(1_600_000_000n)
      expect([...view.rows(tables.timestamp)]).toEqual([[null, 1_600_000_000n]])
      expect(view.first(tables.timestamp)).toEqual([null, 1_600_000_000n])
      expect(view.get(tables.accruedFees, null)).toBeUndefined()
    })

    test("a walk may be broken off, and two may go side by side", () => {
      const view = open(supplies)
      for (const [key] of view.rows(tables.supplies)) if (key === B) break
      const pairs: unknown[] = []
      for (const [outer] of view.rows(tables.supplies, { prefix: "a" })) {
        for (const [inner] of view.rows(tables.supplies, { from: F })) pairs.push([outer, inner])
      }
      expect(pairs).toEqual([[B, F], [C, F]]) // biome-ignore format: one line a set
    })

    test("any range of many rows is what a list of them says", () => {
      const random = new Random(7)
      const texts = [...new Set(Array.from({ length: 400 }, () => random.below(2 ** 16)))].map((n) =>
        n.toString(16).padStart(4, "0"),
      )
      const rows = texts.map((text): Row => [tables.blockIDs, BigInt(`0x${text}`) << 48n, idOfByte("01")])
      const view = open(rows)
      const sorted = texts.map((text) => text.padEnd(16, "0")).sort()
      for (let i = 0; i < 200; i++) {
        const cut = () => random.pick(sorted).slice(0, random.below(5))
        const range = { prefix: cut().slice(0, 2), from: cut() }
        const expected = sorted.filter((text) => text.startsWith(range.prefix) && text >= range.from)
        expect([...view.rows(tables.blockIDs, range)].map(([key]) => tables.blockIDs.key.toText(key))).toEqual(expected)
      }
    })
  })
}
