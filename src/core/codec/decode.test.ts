import { describe, expect, test } from "vitest"
import { Invalid } from "../lib/invalid.js"
import { decode, encode, spansOf, versioned } from "./decode.js"
import { unmarshalText } from "./errors.js"
import { list } from "./list.js"
import { oneOf, variant } from "./oneOf.js"
import { bool, bytes, fixedBytes, i64, str, u8, u32, u64 } from "./primitives.js"
import type { Codec } from "./schema.js"
import { struct } from "./struct.js"

const registered = { 1: "*test.Leaf", 2: "*test.Box", 3: "*test.Stranger" }
const leaf = variant("Leaf", 1, { amount: u64 })
const box = variant("Box", 2, { inner: oneOf({ interface: "test.Thing", registered, nestsAlso: [2] }, leaf), name: str })
const thing = oneOf({ interface: "test.Thing", registered }, leaf, box)
const document = versioned(struct({ count: u32, things: list(thing), memo: bytes, key: fixedBytes(4), isLast: bool }))

const value = {
  count: 7,
  things: [
    { kind: "Leaf", amount: 5n },
    { kind: "Box", inner: { kind: "Leaf", amount: 6n }, name: "abc" },
  ],
  memo: Uint8Array.of(1, 2, 3),
  key: Uint8Array.of(9, 9, 9, 9),
  isLast: true,
} as const
const hex = [
  "0000", // version
  "00000007", // count
  "00000002", // things
  "000000010000000000000005", // a leaf
  "00000002000000010000000000000006", // a box with a leaf
  "0003616263", // and its name
  "00000003010203", // memo
  "09090909", // key
  "01", // isLast
].join("")
const raw = Uint8Array.from(Buffer.from(hex, "hex"))

/** Returns the code, the data and AvalancheGo's message of a refusal. */
function refusalOf<T>(codec: Codec<T>, given: Uint8Array | string, limits = {}) {
  const input = typeof given === "string" ? Uint8Array.from(Buffer.from(given, "hex")) : given
  try {
    return { read: decode(codec, input, limits) }
  } catch (error) {
    if (error instanceof Invalid) return { code: error.code, ...error.data, text: unmarshalText(error) }
    throw error
  }
}

function changed(at: number, ...values: number[]): Uint8Array {
  const out = raw.slice()
  out.set(values, at)
  return out
}

describe("a value and its bytes", () => {
  test("are made of each other", () => {
    expect(Buffer.from(encode(document, value)).toString("hex")).toBe(hex)
    expect(decode(document, raw)).toEqual(value)
  })

  test("are plain arrays of bytes, and copies", () => {
    const input = Buffer.from(raw)
    const read = decode(document, input)
    input.fill(0)
    expect(read).toEqual(value)
    expect(Object.getPrototypeOf(read.memo)).toBe(Uint8Array.prototype)
    expect(Object.getPrototypeOf(encode(document, value))).toBe(Uint8Array.prototype)
  })

  test("can be read from the middle of a larger buffer", () => {
    const larger = new Uint8Array(raw.length + 10).fill(0xee)
    larger.set(raw, 5)
    expect(decode(document, larger.subarray(5, 5 + raw.length))).toEqual(value)
  })

  test("are shown field by field, with every byte in one of them", () => {
    expect(spansOf(document, raw)).toEqual([
      { path: "version", start: 0, end: 2 },
      { path: "count", start: 2, end: 6 },
      { path: "things.length", start: 6, end: 10 },
      { path: "things.0.typeID", start: 10, end: 14 },
      { path: "things.0.amount", start: 14, end: 22 },
      { path: "things.1.typeID", start: 22, end: 26 },
      { path: "things.1.inner.typeID", start: 26, end: 30 },
      { path: "things.1.inner.amount", start: 30, end: 38 },
      { path: "things.1.name", start: 38, end: 43 },
      { path: "memo", start: 43, end: 50 },
      { path: "key", start: 50, end: 54 },
      { path: "isLast", start: 54, end: 55 },
    ])
  })
})

describe("bytes are refused with the place of what is wrong", () => {
  const insufficient = "packer has insufficient length for input"
  const cases: readonly [what: string, bytes: Uint8Array, refusal: object][] = [
    [
      "nothing at all",
      new Uint8Array(0),
      { code: "codec.no_version", path: "", offset: 0, wanted: 2, left: 0, text: "couldn't unpack codec version" },
    ],
    [
      "half a version",
      raw.subarray(0, 1),
      { code: "codec.no_version", path: "", offset: 0, wanted: 2, left: 1, text: "couldn't unpack codec version" },
    ],
    [
      "another version",
      changed(0, 0, 1),
      { code: "codec.unknown_version", path: "", offset: 0, version: 1, text: "unknown codec version" },
    ],
    [
      "an integer cut off",
      raw.subarray(0, 4),
      {
        code: "codec.truncated",
        path: "count",
        offset: 2,
        wanted: 4,
        left: 2,
        reading: "uint32",
        text: `couldn't unmarshal uint32: ${insufficient}`,
      },
    ],
    [
      "a count cut off",
      raw.subarray(0, 9),
      {
        code: "codec.truncated",
        path: "things",
        offset: 6,
        wanted: 4,
        left: 3,
        reading: "slice",
        text: `couldn't unmarshal slice: ${insufficient}`,
      },
    ],
    [
      "a list that cannot fit",
      changed(6, 0, 0, 0, 9),
      {
        code: "codec.list_too_long",
        path: "things",
        offset: 6,
        length: 9,
        left: 45,
        reference: "*test.Stranger does not implement interface test.Thing",
        reading: "interface",
        text: "couldn't unmarshal interface: *test.Stranger does not implement interface test.Thing",
      },
    ],
    [
      "a list past 31 bits",
      changed(6, 0x80, 0, 0, 0),
      {
        code: "codec.list_too_long",
        path: "things",
        offset: 6,
        length: 0x8000_0000,
        left: 45,
        text: "max slice length exceeded; array length, 2147483648, exceeds maximum length, 2147483647",
      },
    ],
    [
      "an unknown type",
      changed(13, 9),
      {
        code: "codec.unknown_type",
        path: "things.0",
        offset: 10,
        typeID: 9,
        text: "couldn't unmarshal interface: unknown type ID 9",
      },
    ],
    [
      "a type that is for elsewhere",
      changed(13, 3),
      {
        code: "codec.misplaced_type",
        path: "things.0",
        offset: 10,
        typeID: 3,
        typeName: "*test.Stranger",
        place: "test.Thing",
        text: "couldn't unmarshal interface: *test.Stranger does not implement interface test.Thing",
      },
    ],
    [
      "a type inside itself",
      changed(29, 2),
      {
        code: "codec.nested_type",
        path: "things.1.inner",
        offset: 26,
        typeID: 2,
        typeName: "*test.Box",
        text: "recursive interface types: *test.Box",
      },
    ],
    [
      "an amount cut off",
      Uint8Array.of(...raw.subarray(0, 6), 0, 0, 0, 1, ...raw.subarray(10, 22)).subarray(0, 21),
      {
        code: "codec.list_too_long",
        path: "things",
        offset: 6,
        length: 1,
        left: 11,
        reference: insufficient,
        reading: "uint64",
        text: `couldn't unmarshal uint64: ${insufficient}`,
      },
    ],
    [
      "text that cannot fit",
      changed(38, 0xff, 0xff),
      {
        code: "codec.bytes_too_long",
        path: "things.1.name",
        offset: 38,
        length: 0xffff,
        left: 15,
        reading: "string",
        text: `couldn't unmarshal string: ${insufficient}`,
      },
    ],
    [
      "bytes that cannot fit",
      changed(43, 0, 0, 0, 9),
      { code: "codec.bytes_too_long", path: "memo", offset: 43, length: 9, left: 8, text: insufficient },
    ],
    [
      "bytes past 31 bits",
      changed(43, 0xff, 0xff, 0xff, 0xff),
      {
        code: "codec.bytes_too_long",
        path: "memo",
        offset: 43,
        length: 0xffff_ffff,
        left: 8,
        text: "max slice length exceeded; array length, 4294967295, exceeds maximum length, 2147483647",
      },
    ],
    [
      "a key cut off",
      raw.subarray(0, 53),
      { code: "codec.truncated", path: "key", offset: 50, wanted: 4, left: 3, text: insufficient },
    ],
    [
      "a truth value of 2",
      changed(54, 2),
      {
        code: "codec.bad_bool",
        path: "isLast",
        offset: 54,
        value: 2,
        text: "couldn't unmarshal bool: unexpected value when unpacking bool",
      },
    ],
    [
      "a byte too many",
      Uint8Array.of(...raw, 0),
      {
        code: "codec.trailing",
        path: "",
        offset: 55,
        read: 55,
        provided: 56,
        text: "trailing buffer space: read 55 provided 56",
      },
    ],
  ]
  test.each(cases)("%s", (_what, given, refusal) => {
    expect(refusalOf(document, given)).toEqual(refusal)
  })

  test("more bytes than the codec allows, before any is read", () => {
    expect(refusalOf(document, raw, { maxSize: 54 })).toEqual({
      code: "codec.too_large",
      path: "",
      offset: 0,
      size: 55,
      limit: 54,
      text: "byte array exceeds maximum length: 55 > 54",
    })
    expect(decode(document, raw, { maxSize: 55 })).toEqual(value)
  })

  test("a type that does not fit, with the reference's text", () => {
    const place = { interface: "test.Any", registered }
    expect(refusalOf(oneOf(place, leaf), "00000003")).toMatchObject({
      code: "codec.misplaced_type",
      text: "couldn't unmarshal interface: *test.Stranger does not implement interface test.Any",
    })
  })
})

test("numbers of each size are read and written, including the smallest and largest", () => {
  const numbers = struct({ a: u8, b: u8, c: u32, d: u64, e: i64, f: i64 })
  const ends = { a: 0xff, b: 0, c: 0xffff_ffff, d: 2n ** 64n - 1n, e: -(2n ** 63n), f: 2n ** 63n - 1n }
  const written = encode(numbers, ends)
  expect(Buffer.from(written).toString("hex")).toBe(`ff00${"ff".repeat(12)}80${"00".repeat(7)}7f${"ff".repeat(7)}`)
  expect(decode(numbers, written)).toEqual(ends)
})

test("a value that cannot be written throws a plain error, and no refusal", () => {
  const write =
    <T>(codec: Codec<T>, given: T) =>
    () =>
      encode(codec, given)
  const faults = [
    write(u32, 2 ** 32),
    write(u32, -1),
    write(u64, 2n ** 64n),
    write(fixedBytes(2), Uint8Array.of(1)),
    write(str, "x".repeat(65_536)),
    write(thing, { kind: "Stranger" } as never),
  ]
  for (const fault of faults) {
    expect(fault).toThrow(Error)
    expect(fault).not.toThrow(Invalid)
  }
})

test("a writer grows as needed", () => {
  const long = list(u64)
  const values = Array.from({ length: 10_000 }, (_, i) => BigInt(i))
  expect(decode(long, encode(long, values))).toEqual(values)
})

test("a list of things without bytes cannot be declared", () => {
  expect(() => list(struct({}))).toThrow("at least one byte")
})

test("two kinds with one type ID or one name cannot be declared", () => {
  const place = { interface: "test.Thing", registered: {} }
  expect(() => oneOf(place, leaf, variant("Other", 1, {}))).toThrow("listed twice")
  expect(() => oneOf(place, leaf, variant("Leaf", 5, {}))).toThrow("listed twice")
})
