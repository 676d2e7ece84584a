import { createHash } from "node:crypto"
import { base58 } from "@scure/base"
import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { latin1 } from "../lib/bytes.js"
import { type WasmEngine, wasmEngine } from "../lib/wasm.js"
import { makeIDProgram } from "./idProgram.js"
import { IDS_AT_ONCE, IDTextMakers, type IDTexts, PlainIDTexts, VectorIDTexts } from "./idTexts.js"

/** The text of an ID by the packages that define it. */
const expectedText = (id: Uint8Array) => base58.encode(Buffer.concat([id, createHash("sha256").update(id).digest().subarray(-4)]))

/** The texts of IDs, each behind three other bytes of its holder. */
function textsBy(texts: IDTexts, ids: readonly Uint8Array[]): readonly string[] {
  const out = Buffer.alloc(4 + 52)
  const view = new DataView(out.buffer, out.byteOffset, out.length)
  texts.make(["not asked for", ...ids.map((id) => `abc${latin1(id)}de`)], 1, 3)
  return ids.map((_, i) => out.toString("latin1", 4, texts.put(i, view, 4)))
}

const engine = wasmEngine()
const program = engine && makeIDProgram(engine)
if (program === undefined) throw new Error("Every machine that runs these tests computes with vectors.")

test.each([
  ["vectors", new VectorIDTexts(program)],
  ["no vectors", new PlainIDTexts()],
])("the texts of IDs are those of the definition with %s", (_, texts) => {
  const random = new Random(1)
  const ids = [
    ...Array.from({ length: 33 }, (_, zeros) => random.bytes(32).fill(0, 0, zeros)),
    ...Array.from({ length: 33 }, (_, ones) => random.bytes(32).fill(0xff, 0, ones)),
    ...Array.from({ length: 256 }, (_, bit) => bigEndian(1n << BigInt(bit))),
    ...Array.from({ length: 44 }, (_, digits) => bigEndian(58n ** BigInt(digits))),
    ...Array.from({ length: 4000 }, () => random.bytes(32)),
  ]
  for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
    const some = ids.slice(i, i + IDS_AT_ONCE)
    expect(textsBy(texts, some)).toEqual(some.map(expectedText))
  }
})

test("a process that makes many lists gets the program, and all its texts are those of the definition", () => {
  const random = new Random(2)
  const makers = new IDTextMakers()
  const kinds = new Set<unknown>()
  for (let list = 0; list < 100; list++) {
    const ids = Array.from({ length: 1 + (list % IDS_AT_ONCE) }, () => random.bytes(32))
    const texts = makers.next()
    kinds.add(texts.constructor)
    expect(textsBy(texts, ids)).toEqual(ids.map(expectedText))
  }
  expect([...kinds]).toEqual([PlainIDTexts, VectorIDTexts])
})

test("an engine without vectors has no program", () => {
  const older: WasmEngine = { ...(engine as WasmEngine), validate: () => false }
  expect(makeIDProgram(older)).toBeUndefined()
})

const bigEndian = (value: bigint) => new Uint8Array(Buffer.from(value.toString(16).padStart(64, "0"), "hex"))
