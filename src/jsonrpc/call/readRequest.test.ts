import { expect, test } from "vitest"
import { neverPausing } from "../../core/lib/pace.js"
import { type Request, readEnvelope, readItem, readLongEnvelope, readMethodName } from "./readRequest.js"

function readSingle(text: string): Request {
  const envelope = readEnvelope(Buffer.from(text))
  if (envelope.kind !== "single") throw new Error("a batch")
  return envelope.request
}

const call = '"jsonrpc":"2.0","method":"platform.getHeight"'

test("one brace too many does not matter", () => {
  expect(readSingle(`{${call},"params":{},"id":1}}`)).toEqual({
    jsonrpc: "2.0",
    method: "platform.getHeight",
    params: "{}",
    id: "1",
  })
})

test("names match in any letter case, and of doubled ones the last counts", () => {
  expect(readSingle('{"JSONRPC":"2.0","Method":"a.b","PARAMS":{},"Id":1,"id":2,"other":3}')).toEqual({
    jsonrpc: "2.0",
    method: "a.b",
    params: "{}",
    id: "2",
  })
})

test.each(["9223372036854775807", "1.50", "1e3", "0", "false", '""', '"\\u0041"', '"\\ud800"', '[1,{"a":2}]'])(
  "the id %s is kept as it is",
  (id) => {
    expect(readSingle(`{${call},"id":${id}}`).id).toBe(id)
  },
)

test("an id that is a list loses its white space", () => {
  expect(readSingle(`{${call},"id":[ 1 , "a b" ]}`).id).toBe('[1,"a b"]')
})

test("an id is sent back safe for HTML, as Go's encoder does", () => {
  expect(readSingle(`{${call},"id":"<b>&é\u2028"}`).id).toBe('"\\u003cb\\u003e\\u0026é\\u2028"')
})

test("an id may have 65,536 characters", () => {
  const idOf = (length: number) => readSingle(`{${call},"id":["${"a".repeat(length)} b", 1]}`)
  expect(idOf(65_000).id?.length).toBe(65_008)
  expect(idOf(15_000_000)).toMatchObject({ id: undefined, fault: { expected: "an id of at most 65536 characters" } })
})

test("the Kelvin sign is a k, the long s an s", () => {
  expect(readSingle('{"jsonrpc":"2.0","method":"a.b","param\u017f":{},"id":1}').params).toBe("{}")
})

test("a byte that is not UTF-8 is quoted as it is; in a text it becomes U+FFFD", () => {
  const request = (bytes: Uint8Array) => {
    const envelope = readEnvelope(bytes)
    return envelope.kind === "single" ? envelope.request : undefined
  }
  expect(request(Buffer.from("a0", "hex"))?.fault?.reason).toBe("invalid character '\\u00a0' looking for beginning of value")
  const body = Buffer.concat([Buffer.from('{"method":"'), Buffer.from("e280ff", "hex"), Buffer.from('"}')])
  expect(request(body)?.method).toBe("\ufffd\ufffd\ufffd")
})

test("a missing id and null both make a notification", () => {
  expect(readSingle(`{${call}}`).id).toBeUndefined()
  expect(readSingle(`{${call},"id":null}`).id).toBeUndefined()
})

test("a member of the wrong type is reported, and the others are still read", () => {
  expect(readSingle('{"jsonrpc":"2.0","method":5,"id":7}')).toEqual({
    jsonrpc: "2.0",
    method: "",
    params: undefined,
    id: "7",
    fault: { reason: "json: cannot unmarshal number into Go struct field serverRequest.method of type string" },
  })
})

test.each([
  ["5", "number"],
  ['"x"', "string"],
  ["true", "bool"],
])("%s is no request", (text, kind) => {
  const reason = `json: cannot unmarshal ${kind} into Go value of type json2.serverRequest`
  expect(readSingle(text)).toMatchObject({ id: undefined, fault: { reason } })
})

test("null is an empty request", () => {
  expect(readSingle("null")).toEqual({ jsonrpc: "", method: "", params: undefined, id: undefined })
})

test("a list is a batch", async () => {
  const envelope = readEnvelope(Buffer.from(`[{${call},"id":1},5]`))
  if (envelope.kind !== "batch") throw new Error("a single request")
  const requests = envelope.items.map((item) => readItem(envelope.text, item, neverPausing))
  expect(await Promise.all(requests)).toMatchObject([{ id: "1" }, { fault: {} }])
})

test.each([
  `{${call},"params":{},"id":1}`,
  `{${call},"params":{"x":"é"},"id":"é"}`,
  `[{${call},"id":1},5]`,
  '{"jsonrpc":5}',
  '{"id":[1,}',
  "null",
  "",
])("the body %s is read with pauses as it is without", async (text) => {
  const body = Buffer.from(text)
  expect(await readLongEnvelope(body, neverPausing)).toEqual(readEnvelope(body))
})

test.each([
  ["an object", (text: string) => `{"a":"${text}","b":[1]}`, ['"a"', '"b"']],
  ["a list", (text: string) => `[ {"a":"${text}"} , 5]`, ['"a"']],
  ["null in a list", (text: string) => `[null,"${text}"]`, undefined],
  ["a text", (text: string) => `"${text}"`, undefined],
])("the members of long parameters are found while they are read: %s", async (_, paramsOf, keys) => {
  const params = paramsOf("é".repeat(200_000))
  const envelope = await readLongEnvelope(Buffer.from(`{${call},"params":${params}}`), neverPausing)
  if (envelope.kind !== "single") throw new Error("a batch")
  expect(envelope.request.params === params).toBe(true)
  expect(envelope.request.paramParts?.map(({ key }) => key)).toEqual(keys)
})

test("a method's name has one dot and a small letter behind it", () => {
  expect(readMethodName("platform.getHeight")).toEqual({
    kind: "name",
    service: "platform",
    method: "getHeight",
    quoted: '"platform.GetHeight"',
  })
  expect(readMethodName("platform.GetHeight")).toEqual({ kind: "upper-case" })
  expect(readMethodName("nope")).toEqual({ kind: "ill-formed", quoted: '"nope"' })
  expect(readMethodName("platform.getHeight.x")).toEqual({ kind: "ill-formed", quoted: '"platform.GetHeight.x"' })
})
