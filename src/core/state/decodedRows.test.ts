import { expect, test } from "vitest"
import { DecodedRows } from "./decodedRows.js"

const decodeTo = (calls: number[]) => (bytes: Uint8Array) => {
  calls.push(bytes.length)
  return { size: bytes.length }
}

test("the value of a row is decoded once", () => {
  const rows = new DecodedRows()
  const calls: number[] = []
  const first = rows.valueOf("aa", new Uint8Array(4096), decodeTo(calls))
  expect([first, calls]).toEqual([{ size: 4096 }, [4096]])
  expect(rows.valueOf("aa", new Uint8Array(4096), decodeTo(calls))).toBe(first)
  expect([rows.valueOf("bb", new Uint8Array(2), decodeTo(calls)), calls]).toEqual([{ size: 2 }, [4096, 2]])
})

test("a long row is decoded every time, and so is one after many others", () => {
  const rows = new DecodedRows()
  const calls: number[] = []
  for (let i = 0; i < 2; i++) rows.valueOf("aa", new Uint8Array(4097), decodeTo(calls))
  expect(calls).toEqual([4097, 4097])
  for (let i = 0; i < 200; i++) rows.valueOf(`row ${i}`, new Uint8Array(1), decodeTo(calls))
  expect(calls.length).toBe(202)
  rows.valueOf("row 0", new Uint8Array(1), decodeTo(calls))
  expect(calls.length).toBe(203)
})
