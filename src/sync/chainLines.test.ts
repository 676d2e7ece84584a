import { expect, test } from "vitest"
import { copyHeaderText } from "../core/networks/chainIdentity.js"
import { toHexText } from "../core/types/hexText.js"
import { lineOf, readChainLine, readFileHead } from "./chainLines.js"

const entriesOf = async function* (...lines: readonly string[]) {
  for (const [i, text] of lines.entries()) yield { text, place: i + 1 }
}

const header = {
  kind: "private",
  id: "chain",
  networkID: 12345,
  rules: { "min-stake-duration": "1h" },
  upgrades: { a: "b" },
} as const
const head = lineOf("chain", copyHeaderText(header))

test("the head of a file has the header of the chain and its genesis, as they were written", async () => {
  const genesis = Uint8Array.of(1, 2, 3)
  expect(await readFileHead(entriesOf(head, lineOf("genesis", toHexText(genesis)), lineOf("override", "0 0x")))).toEqual({
    header,
    genesis,
    genesisBlockID: undefined,
  })
  expect(await readFileHead(entriesOf())).toBeUndefined()
})

test.each([
  ["chain {}"],
  ["chain []"],
  ["chain nothing"],
  [lineOf("chain", copyHeaderText({ ...header, kind: "other" as "private" }))],
  [lineOf("chain", copyHeaderText({ ...header, rules: { a: 1 } as never }))],
  ["genesis 0xzz"],
  ["genesis 0x0102030405"],
])("the line %s is refused with its number", async (line) => {
  await expect(readFileHead(entriesOf(head, line))).rejects.toMatchObject({ code: "sync.bad_line", data: { line: 2 } })
})

test("an override has a number and a row, and other lines are blocks or about the whole chain", () => {
  const at = (text: string) => readChainLine({ text, place: 7 })
  const row = Uint8Array.of(9, 8)
  expect(at(lineOf("override", `12 ${toHexText(row)}`))).toEqual({ position: 12n, override: row, place: 7 })
  expect([at(head), at("genesis 0x"), at("0x00"), at("c0ffee")]).toEqual(["head", "head", undefined, undefined])
  for (const rest of ["0x00", "x 0x00", "-1 0x00", `${"9".repeat(20)} 0x00`, "1 0x00 2", "1 0xzz"]) {
    expect(() => at(lineOf("override", rest)), rest).toThrow(expect.objectContaining({ code: "sync.bad_line" }))
  }
})
