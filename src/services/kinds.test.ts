import { expect, test } from "vitest"
import { refusal } from "../../test/refusal.js"
import { EMPTY_ID, EMPTY_NODE_ID } from "../core/types/id.js"
import { readParams as readParamsOf } from "../jsonrpc/call/readRequest.js"
import { bool, list, oneOf, optional, string, withDefault } from "../jsonrpc/schema/kinds.js"
import { number, u16, u32, u64 } from "../jsonrpc/schema/numbers.js"
import { nothing, object } from "../jsonrpc/schema/object.js"
import type { AnyParam, Members, ObjectParam, ParseContext } from "../jsonrpc/schema/param.js"
import { encoding, height, id, nodeID } from "./kinds.js"

const readParams = <M extends Members>(text: string | undefined, param: ObjectParam<M>, as: ParseContext) =>
  readParamsOf({ params: text }, param, as)

const PLATFORM = "11111111111111111111111111111111LpoYY"
const contract: ParseContext = { dialect: "contract" }
const avalanchego: ParseContext = { dialect: "avalanchego" }

const everything = object({
  small: u16,
  middle: u32,
  large: u64,
  height,
  subnetID: id,
  nodeIDs: list(nodeID),
  encoding,
  text: string,
  flag: bool,
  inner: object({ address: string, utxo: string }),
})

test("in the dialect of AvalancheGo a missing parameter is the zero of its type", () => {
  expect(readParams(undefined, everything, avalanchego)).toEqual({
    small: 0,
    middle: 0,
    large: 0n,
    height: 0n,
    subnetID: EMPTY_ID,
    nodeIDs: [],
    encoding: "hex",
    text: "",
    flag: false,
    inner: { address: "", utxo: "" },
  })
})

test("our own dialect names the missing parameter", () => {
  expect(refusal(() => readParams("{}", everything, contract))).toEqual({ code: "rpc.missing_param", data: { param: "small" } })
  expect(refusal(() => readParams('{"inner":{}}', object({ inner: object({ address: string }) }), contract)).data).toEqual({
    param: "inner.address",
  })
})

test.each(["[]", "[null]", "null", "[{}]", '[{},{"large":1}]', '{"large":null}'])("%s leaves all to the defaults", (params) => {
  expect(readParams(params, object({ large: withDefault(u64, 7n) }), contract)).toEqual({ large: 7n })
})

test.each(["5", '"x"', '"\\n"', "true", "[5]", "[[{}]]", '["x"]', '["\\n"]'])("%s are no parameters", (params) => {
  for (const as of [contract, avalanchego]) {
    expect(refusal(() => readParams(params, nothing, as))).toMatchObject({ code: "rpc.bad_param" })
  }
})

test("names match in any letter case, the last one counts, others are ignored", () => {
  const params = object({ subnetID: withDefault(string, "none") })
  expect(readParams('{"SUBNETID":"a","x":{"y":[]},"subnetid":"b","__proto__":5}', params, contract)).toEqual({ subnetID: "b" })
  expect(readParams('{"subnetID":"a","subnetId":"b","subnetID":"c"}', params, contract)).toEqual({ subnetID: "c" })
})

const one = (param: AnyParam, json: string, as = contract) =>
  (readParams(`{"x":${json}}`, object({ x: param }), as) as { x: unknown }).x
const badParam = (param: AnyParam, json: string) => refusal(() => one(param, json))

test.each([
  [u16, "5", 5],
  [u16, '"65535"', 65_535],
  [u32, '"0000000000000000000000000007"', 7],
  [u64, "18446744073709551615", 2n ** 64n - 1n],
  [u64, '"18446744073709551615"', 2n ** 64n - 1n],
  [height, '"proposed"', "proposed"],
  [height, "18446744073709551614", 2n ** 64n - 2n],
  [id, `"${PLATFORM}"`, EMPTY_ID],
  [nodeID, '"NodeID-111111111111111111116DBWJs"', EMPTY_NODE_ID],
  [encoding, '"HexNC"', "hexnc"],
  [string, '""', ""],
  [bool, "true", true],
  [list(u16), '[1,"2"]', [1, 2]],
  [number, "1.5", 1.5],
  [number, "3", 3],
  [oneOf("auto", "manual"), '"manual"', "manual"],
])("a parameter takes what it should (%#)", (param, json, value) => {
  expect(one(param, json)).toEqual(value)
})

test.each([
  [u16, "65536"],
  [u64, "-1"],
  [u64, "1.0"],
  [u64, "1e3"],
  [u64, '""'],
  [u64, '" 1"'],
  [u64, '"+1"'],
  [u64, '"0x1"'],
  [u64, "true"],
  [u64, "18446744073709551616"],
  [u64, `"${"9".repeat(2000)}"`],
  [height, "18446744073709551615"],
  [height, '"latest"'],
  [id, '"abc"'],
  [id, '""'],
  [id, "5"],
  [nodeID, `"${PLATFORM}"`],
  [encoding, '""'],
  [encoding, '"cb58"'],
  [string, "5"],
  [bool, '"true"'],
  [bool, "0"],
  [list(string), '"a"'],
  [list(string), '["a",5]'],
  [number, '"5"'],
  [number, "1e999"],
  [oneOf("auto"), '"AUTO"'],
  [object({}), "[]"],
])("a parameter refuses the rest by name (%#)", (param, json) => {
  const { code, data } = badParam(param, json)
  expect(code).toBe("rpc.bad_param")
  expect(data.param).toMatch(/^x/)
})

test("an empty ID counts as missing only where it may be missing, and only in our dialect", () => {
  expect(one(withDefault(id, EMPTY_ID), '""')).toBe(EMPTY_ID)
  expect(one(optional(id), '""')).toBeUndefined()
  expect(refusal(() => one(withDefault(id, EMPTY_ID), '""', avalanchego)).code).toBe("rpc.bad_param")
})

test("null inside a list is zero in AvalancheGo's dialect, and refused in the contract's", () => {
  expect(one(list(string), '["a",null]', avalanchego)).toEqual(["a", ""])
  expect(badParam(list(string), '["a",null]').data.param).toBe("x.1")
})

test("an unknown parameter may nest deeply; a known one may not", () => {
  const deep = `{"x":${"[".repeat(9000)}${"]".repeat(9000)},"y":5}`
  expect(readParams(deep, object({ y: u16 }), contract)).toEqual({ y: 5 })
  expect(refusal(() => readParams(deep, object({ x: list(string) }), contract)).code).toBe("rpc.bad_param")
})

test("a list of millions of values is refused before it is read", () => {
  const zeroes = `[${"0,".repeat(1_500_000)}0]`
  expect(readParams(`{"x":${zeroes},"y":5}`, object({ y: u16 }), contract)).toEqual({ y: 5 })
  expect(badParam(list(u16), zeroes)).toMatchObject({ code: "rpc.bad_param", data: { reason: "the JSON holds too many values" } })
})

test("a number of millions of digits is ignored or refused without being parsed", () => {
  const digits = "9".repeat(2_000_000)
  expect(readParams(`{"x":${digits}}`, nothing, contract)).toEqual({})
  expect(badParam(u64, digits).code).toBe("rpc.bad_param")
})

// Seen side by side with AvalancheGo v1.14.2.
test("repeated members are all read in turn, as in Go", () => {
  const inner = object({ address: withDefault(string, ""), utxo: withDefault(string, "") })
  const params = object({
    height: withDefault(u64, 0n),
    nodeIDs: withDefault(list(string), []),
    inner: withDefault(inner, { address: "", utxo: "" }),
  })
  const read = (json: string) => readParams(json, params, avalanchego)
  expect(refusal(() => read('{"height":"bad","height":1}')).code).toBe("rpc.bad_param")
  expect(refusal(() => read('{"HEIGHT":[],"height":1}')).code).toBe("rpc.bad_param")
  expect(read('{"height":1,"height":null}')).toMatchObject({ height: 1n })
  expect(read('{"nodeIDs":["a"],"nodeIDs":null}')).toMatchObject({ nodeIDs: [] })
  expect(read('{"inner":{"address":"a","utxo":"b"},"inner":{"utxo":"c"},"inner":null}')).toMatchObject({
    inner: { address: "a", utxo: "c" },
  })
})

test("the Kelvin sign is a k, the long s an s", () => {
  const params = object({ blockID: withDefault(string, ""), size: withDefault(u16, 0) })
  expect(readParams('{"bloc\u212aID":"a","\u017fize":5}', params, avalanchego)).toEqual({ blockID: "a", size: 5 })
})

// Seen side by side with AvalancheGo v1.14.2.
test("AvalancheGo's own types do not know escapes, and ours do", () => {
  for (const [param, json] of [
    [u64, '"\\u0031"'],
    [height, '"\\u0070roposed"'],
    [encoding, '"he\\u0078"'],
    [id, `"\\u0031${PLATFORM.slice(1)}"`],
    [nodeID, '"\\u004eodeID-111111111111111111116DBWJs"'],
  ] as const) {
    expect(refusal(() => one(param, json, avalanchego)).code).toBe("rpc.bad_param")
    expect(one(param, json)).toEqual(one(param, JSON.stringify(JSON.parse(json)), avalanchego))
  }
  expect(one(string, '"\\u0070"', avalanchego)).toBe("p")
})

test("half of a surrogate pair is refused", () => {
  expect(one(string, '"a\\ud800b"')).toBe("a\ufffdb")
})

test("a schema says which parameters are optional, and their defaults", () => {
  const { inputSchema } = object({ subnetID: withDefault(id, EMPTY_ID), txID: id, limit: optional(u32) })
  expect(inputSchema).toEqual({
    type: "object",
    properties: {
      subnetID: { type: "string", description: "an ID in cb58", default: PLATFORM },
      txID: { type: "string", description: "an ID in cb58" },
      limit: {
        oneOf: [
          { type: "string", pattern: "^[0-9]+$" },
          { type: "integer", minimum: 0, maximum: 4_294_967_295n },
        ],
      },
    },
    required: ["txID"],
  })
})
