import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { doNow } from "../../core/lib/work.js"
import { readEnvelope } from "./envelope.js"
import { plainRequest } from "./plainRequest.js"

/** Reads a request with the reader for any JSON, which is used because a plain request does not end with a space. */
function readAsAnyJson(text: string) {
  expect(plainRequest(`${text} `)).toBeUndefined()
  const envelope = doNow(readEnvelope(Buffer.from(`${text} `)))
  return envelope.kind === "single" ? envelope.request : undefined
}

const params = '{"addresses":["P-local1a"],"limit":10,"nested":{"a":[1.5e3,true,null,"x, \\"id\\":1}"]}}'
const flat = '{"addresses":["P-local1a","P-local1b"],"limit":10,"startIndex":0,"encoding":"hex","none":[],"all":true}'

test.each([
  '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight"}',
  '{"jsonrpc":"2.0","id":1,"method":"platform.getHeight","params":{}}',
  '{"jsonrpc":"2.0","method":"platform.getHeight","params":[],"id":"a-1"}\n',
  '{"jsonrpc": "2.0", "method": "platform.getHeight", "params": {}, "id": 0}',
  `{"jsonrpc":"2.0","id":9007199254740993,"method":"platform.getUTXOs","params":${params}}`,
  `{"jsonrpc":"2.0","method":"platform.getUTXOs","params":[${params}],"id":""}`,
  `{"jsonrpc":"2.0","id":1,"method":"platform.getUTXOs","params":${flat}}`,
])("the plain request %s is read like any JSON", (text) => {
  const plain = plainRequest(text)
  expect(plain).toBeDefined()
  expect(plain).toEqual(readAsAnyJson(text))
})

test.each([
  '{"jsonrpc":"2.0","method":"a.b","params":{},"id":1,"params":{"x":1},"id":2}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":{},"other":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":{"x":}}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":[}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":{"x":01}}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":{"x":"1",}}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":{"x":["1",]}}',
  '{"jsonrpc":"2.0","id":01,"method":"a.b"}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":null}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":{} }',
  '{"jsonrpc":"2.0","id":1,"method":"a\\u002eb"}',
  '{"jsonrpc":"2.0","id":1,"method":"a.b","params":{"x":"é"}}',
  '[{"jsonrpc":"2.0","id":1,"method":"a.b"}]',
  '{"jsonrpc":"1.0","id":1,"method":"a.b"}',
  "",
])("%s is no plain request", (text) => {
  expect(plainRequest(text)).toBeUndefined()
})

test("parameters that are nested too deeply for Go are refused, as in any JSON", () => {
  const text = `{"jsonrpc":"2.0","id":1,"method":"a.b","params":${"[".repeat(10_001)}${"]".repeat(10_001)}}`
  expect(plainRequest(text)).toBeUndefined()
  expect(doNow(readEnvelope(Buffer.from(text)))).toMatchObject({
    request: { fault: { reason: "invalid character '[' exceeded max depth" } },
  })
})

test("a plain request with one changed character is read like any JSON, or is none", () => {
  const random = new Random(18)
  const characters = '{}[]",:\\ 01a.\n'
  const texts = [
    `{"jsonrpc":"2.0","id":12,"method":"a.b","params":${params}}`,
    `{"jsonrpc":"2.0","method":"a.b","params":${params},"id":"x"}`,
    `{"jsonrpc":"2.0","id":12,"method":"a.b","params":${flat}}`,
  ]
  let plainOnes = 0
  for (let i = 0; i < 6000; i++) {
    const text = texts[i % 3] as string
    const at = random.below(text.length)
    const changed = text.slice(0, at) + characters[random.below(characters.length)] + text.slice(at + 1)
    const plain = plainRequest(changed)
    if (!plain) continue
    plainOnes++
    expect(plain).toEqual(readAsAnyJson(changed))
  }
  expect(plainOnes).toBeGreaterThan(100)
})
