import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, test } from "vitest"
import type { RawEntry } from "./blockEntry.js"
import { entriesIn, readBlockFile } from "./blockFile.js"

const folder = mkdtempSync(join(tmpdir(), "serac-blocks-"))
afterAll(() => rmSync(folder, { recursive: true }))

async function* piecesOf(text: string, size = 1 << 16): AsyncIterable<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function all(entries: AsyncIterable<RawEntry>): Promise<RawEntry[]> {
  const found: RawEntry[] = []
  for await (const entry of entries) found.push(entry)
  return found
}

const refusing = (code: string, data: object = {}) => expect.objectContaining({ code, data: expect.objectContaining(data) })

describe("the blocks of a text", () => {
  const blocks = [
    { text: "0x01", place: 3 },
    { text: "0x02 7", place: 5 },
  ]

  test("are read from lines, wherever the text is cut, and lines are counted from 1", async () => {
    const text = "\n# first\n0x01\n\n0x02 7"
    for (const size of [1, 2, 3, 100]) expect(await all(entriesIn(piecesOf(text, size)))).toEqual(blocks)
    expect(await all(entriesIn(piecesOf(" \n \n")))).toEqual([])
  })

  test("are read from a list, from its records, or from a named member, wherever the text is cut", async () => {
    const entries = [
      { text: "0x01", place: 0 },
      { text: "0x02", place: 1 },
    ]
    for (const json of [
      ' ["0x01", "0x02"]',
      '[{"id": "a", "bytes": "0x01"}, {"bytes": "0x02", "more": {"bytes": "no"}}]',
      '\n{"about": ["x"], "blocks": ["0x01", "0x02"], "containers": ["0x03"]}',
    ]) {
      for (const size of [1, 7, 100]) expect(await all(entriesIn(piecesOf(json, size)))).toEqual(entries)
    }
  })
})

// A reader that scans its input repeatedly needs minutes for these, and exceeds the test's time limit.
describe("a file of any shape is read in linear time and bounded memory", () => {
  test("one line or one text without end is refused", async () => {
    const long = "0".repeat((1 << 24) + 1)
    await expect(all(entriesIn(piecesOf(`0x01\n${long}`)))).rejects.toEqual(refusing("sync.line_too_long", { line: 2 }))
    await expect(all(entriesIn(piecesOf(`["${long}"]`)))).rejects.toEqual(refusing("sync.line_too_long"))
    await expect(all(entriesIn(piecesOf(`{"${long}": 1}`)))).rejects.toEqual(refusing("sync.bad_json"))
    const endless = async function* () {
      for (yield "["; ; ) yield " ".repeat(1 << 22)
    }
    await expect(all(entriesIn(endless()))).rejects.toEqual(refusing("sync.json_too_long", { limit: 1 << 28 }))
  })

  test("a line as long as may be, in small pieces", async () => {
    const line = "0".repeat(1 << 24)
    expect(await all(entriesIn(piecesOf(line, 1 << 10)))).toEqual([{ text: line, place: 1 }])
  })

  test("blanks alone, in small pieces", async () => {
    expect(await all(entriesIn(piecesOf(`${" ".repeat(1 << 24)}\n0x01`, 1 << 10)))).toEqual([{ text: "0x01", place: 2 }])
  })

  test("texts deep within brackets", async () => {
    const deep = (depth: number) => `${'["a",'.repeat(depth)}1${"]".repeat(depth)}`
    expect(await all(entriesIn(piecesOf(deep(1000))))).toEqual([{ text: "a", place: 0 }])
    await expect(all(entriesIn(piecesOf(deep(100_000))))).rejects.toEqual(
      refusing("sync.bad_json", { reason: "the JSON is nested too deeply" }),
    )
  })
})

test("a file that is missing, no gzip, or cut off is refused with the reason", async () => {
  const fileWith = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  for (const [path, reason] of [
    [join(folder, "missing.gz"), "ENOENT"],
    [join(folder, "missing.txt"), "ENOENT"],
    [fileWith("text.gz", Buffer.from("0x01\n")), "incorrect header check"],
    [fileWith("cut.gz", gzipSync("0x01\n0x02\n").subarray(0, -9)), "unexpected end of file"],
  ] as const) {
    await expect(all(readBlockFile(path))).rejects.toEqual(
      refusing("sync.unreadable_file", { file: path, reason: expect.stringContaining(reason) }),
    )
  }
  expect(await all(readBlockFile(fileWith("whole.gz", gzipSync("0x01\n"))))).toEqual([{ text: "0x01", place: 1 }])
})
