import { expect, test } from "vitest"
import { utf8 } from "../../core/lib/bytes.js"
import { refusals } from "../../core/lib/invalid.js"
import { type AnyMethod, methodWith, ofState } from "../method.js"
import type { JsonPieces } from "../printedJson.js"
import { string } from "../schema/kinds.js"
import { object } from "../schema/object.js"
import { json } from "../schema/outputs.js"
import { handle } from "./dispatch.js"
import type { Endpoint } from "./endpoint.js"

const testError = refusals({ "test.none": { sentence: "there is none", avalanchegoMessage: "none" } })

/** An endpoint whose results are all stored, with a clock as its context, and the texts that its methods were executed for. */
function endpoint() {
  const executed: string[] = []
  const clock = { now: 1 }
  const kept = new Map<string, JsonPieces>()
  const results = {
    printedResult: (key: string) => kept.get(key),
    keepResult: (key: string, made: JsonPieces) => void kept.set(key, made),
  }
  const method = methodWith<typeof clock>()
  const common = { summary: "", result: json, examples: [], params: object({ text: string }) }
  const handler = ({ text }: { readonly text: string }) => {
    executed.push(text)
    if (text === "none") throw testError("test.none")
    return text
  }
  const methods: readonly AnyMethod[] = [
    method({ ...common, name: "test.plain", handler }),
    method({ ...common, name: "test.reused", reuse: ofState, handler }),
    method({
      ...common,
      name: "test.steps",
      reuse: ofState,
      *handler(params) {
        yield
        return handler(params)
      },
    }),
    method({ ...common, name: "test.some", reuse: { holds: (text) => text !== "passing" }, handler }),
    method({ ...common, name: "test.timed", reuse: { dependsOn: ({ now }) => String(now) }, handler }),
  ]
  const at: Endpoint = {
    service: { name: "test", needsChain: true, isPrivileged: false, isExtension: false, foreignOrigins: "allowed" },
    textFormat: { dialect: "contract" },
    methods: new Map(methods.map((each) => [each.name, each])),
    dialect: "contract",
    open: () => ({ context: clock, height: 5n, results, release: () => {} }),
  }
  const ask = async (name: string, text: string, id = 1) => {
    const request = `{"jsonrpc":"2.0","id":${id},"method":"test.${name}","params":{"text":${JSON.stringify(text)}}}`
    const { body, height } = await handle(utf8(request), at)
    return `${Buffer.concat(body)} ${height}`
  }
  return { executed, clock, kept, ask }
}

test.each(["reused", "steps"])("a result of the method %s is printed once for the same parameters", async (name) => {
  const { executed, ask } = endpoint()
  const first = await ask(name, "a")
  expect(first).toBe('{"jsonrpc":"2.0","result":"a","id":1}\n 5')
  expect([await ask(name, "a"), await ask(name, "a", 7)]).toEqual([first, first.replace('"id":1', '"id":7')])
  await ask(name, "b")
  expect(executed).toEqual(["a", "b"])
})

test("a method without the property is executed each time, and an error is never reused", async () => {
  const { executed, kept, ask } = endpoint()
  for (const name of ["plain", "reused"]) {
    expect(await ask(name, "none")).toContain('"error"')
    await ask(name, "none")
  }
  await ask("plain", "a")
  await ask("plain", "a")
  expect(executed).toEqual(["none", "none", "none", "none", "a", "a"])
  expect(kept.size).toBe(0)
})

test("a result that is no longer valid is made again, and so is one that depends on a changed value", async () => {
  const { executed, clock, ask } = endpoint()
  for (const text of ["passing", "passing", "lasting", "lasting"]) await ask("some", text)
  expect(executed.splice(0)).toEqual(["passing", "passing", "lasting"])
  for (const now of [1, 1, 2, 1, 2]) {
    clock.now = now
    await ask("timed", "a")
  }
  expect(executed).toEqual(["a", "a"])
})

test("methods do not share results, and long parameters are not kept", async () => {
  const { executed, ask } = endpoint()
  const long = "x".repeat(1024)
  for (const name of ["reused", "steps", "reused", "steps"]) await ask(name, "a")
  for (const name of ["reused", "reused"]) await ask(name, long)
  expect(executed).toEqual(["a", "a", long, long])
})
