import { describe, expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { type ID, ID_SIZE, NODE_ID_SIZE, type NodeID } from "../types/id.js"
import type { Range } from "./range.js"
import type { ValidatorKey } from "./staker.js"
import type { AnyPrimaryTable } from "./table.js"
import { tables } from "./tables.js"
import type { View } from "./view.js"
import { valuesOf } from "./view.js"

/** An initial row: table, key, value. */
export type Row = readonly [table: AnyPrimaryTable, key: unknown, value: unknown]

/** Returns an ID that repeats one byte. */
export const idOfByte = (byte: string): ID => byte.repeat(ID_SIZE) as ID

const [A, B, C, F] = ["0a", "ab", "ac", "ff"].map(idOfByte) as [ID, ID, ID, ID]
const supplies: readonly Row[] = [
  [tables.supplies, F, 4n],
  [tables.supplies, B, 2n],
  [tables.supplies, A, 1n],
  [tables.supplies, C, 3n],
]

const [nodeA, nodeF] = ["0a", "ff"].map((byte) => byte.repeat(NODE_ID_SIZE) as NodeID) as [NodeID, NodeID]
/** The value names the subnet and the node of its key. */
const validations: readonly Row[] = [
  [tables.l1ValidationIDs, { subnetID: F, nodeID: nodeF }, idOfByte("ff")],
  [tables.l1ValidationIDs, { subnetID: A, nodeID: nodeF }, idOfByte("af")],
  [tables.l1ValidationIDs, { subnetID: F, nodeID: nodeA }, idOfByte("fa")],
  [tables.l1ValidationIDs, { subnetID: B, nodeID: nodeA }, idOfByte("ba")],
  [tables.l1ValidationIDs, { subnetID: A, nodeID: nodeA }, idOfByte("aa")],
]

/** The tests of a view, which every implementation passes. */
export function viewContract(name: string, open: (rows: readonly Row[]) => View): void {
  const keysIn = (range?: Range<ID>) => [...open(supplies).rows(tables.supplies, range)].map(([key]) => key)

  const chainsIn = (range: Range<ValidatorKey>) => {
    const view = open(validations)
    return [...valuesOf(view.rows(tables.l1ValidationIDs, range))].map((id) => id.slice(0, 2).toUpperCase())
  }

  describe(name, () => {
    test("a row is present or absent", () => {
      const view = open(supplies)
      expect(view.get(tables.supplies, B)).toBe(2n)
      expect(view.get(tables.supplies, idOfByte("ad"))).toBeUndefined()
      expect(view.get(tables.l1Weights, B)).toBeUndefined()
    })

    test("rows come in the order of their keys", () => {
      const view = open(supplies)
      expect([...view.rows(tables.supplies)]).toEqual([
        [A, 1n],
        [B, 2n],
        [C, 3n],
        [F, 4n],
      ])
      expect([...view.rows(tables.l1Weights)]).toEqual([])
    })

    test("the first row is the one with the lowest key", () => {
      const view = open(supplies)
      expect(view.first(tables.supplies)).toEqual([A, 1n])
      expect(view.first(tables.l1Weights)).toBeUndefined()
    })

    test("the rows whose key begins with some parts", () => {
      expect(chainsIn({})).toEqual(["AA", "AF", "BA", "FA", "FF"])
      expect(chainsIn({ under: {} })).toEqual(["AA", "AF", "BA", "FA", "FF"])
      expect(chainsIn({ under: { subnetID: A } })).toEqual(["AA", "AF"])
      expect(chainsIn({ under: { subnetID: F } })).toEqual(["FA", "FF"])
      expect(chainsIn({ under: { subnetID: F, nodeID: nodeF } })).toEqual(["FF"])
      expect(chainsIn({ under: { subnetID: C } })).toEqual([])
      expect(() => chainsIn({ under: { nodeID: nodeF } })).toThrow("the key part subnetID is missing, and later ones are named")
    })

    test("the rows from a key on, itself included", () => {
      expect(keysIn({ from: B })).toEqual([B, C, F])
      expect(keysIn({ from: `${B.slice(0, -1)}c` as ID })).toEqual([C, F])
      expect(keysIn({ from: idOfByte("00") })).toEqual([A, B, C, F])
      expect(keysIn({ from: F })).toEqual([F])
    })

    test("the rows after a key", () => {
      expect(keysIn({ after: idOfByte("00") })).toEqual([A, B, C, F])
      expect(keysIn({ after: B })).toEqual([C, F])
      expect(keysIn({ after: F })).toEqual([])
    })

    test("the rows under some parts, from a key on or after it", () => {
      expect(chainsIn({ under: { subnetID: A }, from: { nodeID: nodeF } })).toEqual(["AF"])
      expect(chainsIn({ under: { subnetID: A }, after: { nodeID: nodeA } })).toEqual(["AF"])
      expect(chainsIn({ under: { subnetID: A }, after: { nodeID: nodeF } })).toEqual([])
      expect(chainsIn({ from: { subnetID: B } })).toEqual(["BA", "FA", "FF"])
      expect(chainsIn({ after: { subnetID: A } })).toEqual(["BA", "FA", "FF"])
      expect(chainsIn({ after: { subnetID: F } })).toEqual([])
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

    test("an iteration may be cancelled, and two may run side by side", () => {
      const view = open(supplies)
      for (const [key] of view.rows(tables.supplies)) if (key === B) break
      const pairs: unknown[] = []
      for (const [outer] of view.rows(tables.supplies, { from: B })) {
        for (const [inner] of view.rows(tables.supplies, { from: F })) pairs.push([outer, inner])
      }
      expect(pairs).toEqual([
        [B, F],
        [C, F],
        [F, F],
      ])
    })

    test("any range of many rows is what a list of them says", () => {
      const random = new Random(7)
      const any = () => ({ expiry: BigInt(random.below(8) * 36), validationID: idOfByte(random.pick(["00", "7f", "80", "ff"])) })
      const { key } = tables.expiries
      const texts = new Set(Array.from({ length: 24 }, () => key.toText(any())))
      const view = open([...texts].map((text): Row => [tables.expiries, key.fromText(text), null]))
      for (let i = 0; i < 200; i++) {
        const [{ expiry }, { validationID }] = [any(), any()]
        const under = random.below(2) === 0 ? { expiry } : undefined
        const start = under ? { validationID } : any()
        const isAfter = random.below(2) === 0
        const first = key.toText(under ? { expiry, validationID } : (start as ReturnType<typeof any>))
        const isInside = (text: string) => (isAfter ? text > first : text >= first)
        const expected = [...texts].filter((text) => isInside(text) && (!under || text.startsWith(key.prefixText(under)))).sort()
        const range = { ...(under ? { under } : {}), ...(isAfter ? { after: start } : { from: start }) }
        expect([...view.rows(tables.expiries, range)].map(([each]) => key.toText(each))).toEqual(expected)
      }
    })
  })
}
