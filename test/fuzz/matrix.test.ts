import { describe, expect, test } from "vitest"
import { decodeBlock, topLevelBlock } from "../../src/core/blocks/block.js"
import { blockTypes } from "../../src/core/blocks/kinds.js"
import { spansOf } from "../../src/core/codec/decode.js"
import { concatBytes } from "../../src/core/lib/bytes.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import { txTypes } from "../../src/core/txs/index.js"
import { decodeTx, topLevelTx } from "../../src/core/txs/tx.js"
import { blockFixture } from "../fixtures/blocks.js"
import { signedFixture } from "../fixtures/txs.js"

/** One kind of the list: the bytes of its fixture, its decoder, and the place of each field. */
interface Kind {
  readonly kind: string
  readonly bytes: Uint8Array
  readonly read: (bytes: Uint8Array) => unknown
  readonly fields: readonly { path: string; start: number; end: number }[]
}

const txs = txTypes.map(({ kind }): Kind => {
  const { bytes } = signedFixture(kind)
  return { kind, bytes, read: decodeTx, fields: spansOf(topLevelTx, bytes) }
})
const blocks = blockTypes.map(({ kind }): Kind => {
  const { bytes } = blockFixture(kind)
  return { kind, bytes, read: decodeBlock, fields: spansOf(topLevelBlock, bytes) }
})

/** The code, path and offset of the refusal. */
function refusalOf(read: Kind["read"], bytes: Uint8Array) {
  try {
    read(bytes)
  } catch (error) {
    if (error instanceof Invalid) return { code: error.code, path: error.data.path, offset: error.data.offset }
    throw error
  }
  return undefined
}

const withU32 = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
  const out = bytes.slice()
  new DataView(out.buffer).setUint32(at, value)
  return out
}

test("no two kinds share a type ID or a name, and the lists go by type ID", () => {
  const ids = [...txTypes, ...blockTypes].map(({ typeID }) => typeID)
  const kinds = [...txTypes, ...blockTypes].map(({ kind }) => kind)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(kinds).size).toBe(kinds.length)
  for (const list of [txTypes, blockTypes]) {
    const listed = list.map(({ typeID }) => typeID)
    expect(listed).toEqual([...listed].sort((a, b) => a - b))
  }
})

test("transactions and blocks have the type IDs of the protocol", () => {
  expect(txTypes.map(({ typeID }) => typeID)).toEqual([
    12, 13, 14, 15, 16, 17, 18, 19, 20, 23, 24, 25, 26, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42,
  ])
  expect(blockTypes.map(({ typeID }) => typeID)).toEqual([0, 1, 2, 3, 4, 29, 30, 31, 32])
})

describe.each([...txs, ...blocks])("$kind", ({ bytes, read, fields }) => {
  test("is refused without bytes, with half a version, with another version, and with a version alone", () => {
    expect(refusalOf(read, new Uint8Array(0))).toEqual({ code: "codec.no_version", path: "", offset: 0 })
    expect(refusalOf(read, Uint8Array.of(0))).toEqual({ code: "codec.no_version", path: "", offset: 0 })
    expect(refusalOf(read, concatBytes(Uint8Array.of(0, 1), bytes.subarray(2)))).toMatchObject({
      code: "codec.unknown_version",
      offset: 0,
    })
    expect(refusalOf(read, bytes.subarray(0, 2))).toMatchObject({ code: "codec.truncated", offset: 2 })
  })

  test("is refused under an unknown type ID", () => {
    for (const typeID of [6, 8, 43, 44, 45, 0xffff_ffff]) {
      expect(refusalOf(read, withU32(bytes, 2, typeID))).toMatchObject({ code: "codec.unknown_type", offset: 2 })
    }
  })

  test("is refused when its last byte is missing, and when a byte follows it", () => {
    expect(refusalOf(read, bytes.subarray(0, -1))?.code).toMatch(/^codec\.(truncated|list_too_long|bytes_too_long)$/)
    expect(refusalOf(read, concatBytes(bytes, Uint8Array.of(0)))).toEqual({
      code: "codec.trailing",
      path: "",
      offset: bytes.length,
    })
  })

  test("is refused at the list whose length is too large", () => {
    const lengths = fields.filter(({ path }) => path.endsWith(".length") || path === "length")
    for (const { path, start } of lengths) {
      const list = path.slice(0, -".length".length)
      for (const length of [0xffff_ffff, 0x7fff_ffff, 0x00ff_ffff]) {
        expect(refusalOf(read, withU32(bytes, start, length))).toEqual({ code: "codec.list_too_long", path: list, offset: start })
      }
    }
  })

  test("is refused at the byte string whose length is too large", () => {
    const strings = fields.filter(({ path }) => /(^|\.)(memo|message|genesisData|address)$/.test(path))
    for (const { path, start } of strings) {
      const refusal = refusalOf(read, withU32(bytes, start, 0xffff_ffff))
      expect(refusal).toEqual({ code: "codec.bytes_too_long", path, offset: start })
    }
  })

  test("has no byte outside its fields, which lie in their order", () => {
    let at = 0
    for (const { start, end } of fields) {
      expect(start).toBe(at)
      at = end
    }
    expect(at).toBe(bytes.length)
  })
})
