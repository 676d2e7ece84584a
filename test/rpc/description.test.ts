import { describe, expect, test } from "vitest"
import { openRpcOf, serviceList, services } from "../../src/client/services.js"
import type { Json } from "../../src/core/lib/json.js"
import type { AnyMethod, Example } from "../../src/jsonrpc/method.js"
import { fakeNode, localApi } from "../fixtures/api.js"
import { misfits } from "./conforms.js"

const methods = serviceList.flatMap(({ name: service, methods: all }) => all.map((method) => ({ service, method })))

test("every method is named after its service, once, with a small letter", () => {
  for (const { service, method } of methods) expect(method.name).toMatch(new RegExp(`^${service}\\.[a-z][A-Za-z0-9]*$`))
  expect(new Set(methods.map(({ method }) => method.name)).size).toBe(methods.length)
})

test("no two services share a path", () => {
  const paths = serviceList.flatMap((each) => each.paths)
  expect(new Set(paths).size).toBe(paths.length)
})

test("every method says what it does in a sentence", () => {
  for (const { method } of methods) expect(method.summary, method.name).toMatch(/^[A-Z0-9].*\.$/)
})

test("every description of a parameter or a result is a sentence, or one of the names of a type", () => {
  const others = methods.flatMap(({ method: { name, params, result } }) =>
    [...descriptionsIn(params.inputSchema), ...descriptionsIn(result.jsonSchema)]
      .filter((each) => !/^([A-Z].*\.|by .*|an? (ID|node ID|address)\b.*)$/.test(each))
      .map((each) => `${name}: ${each}`),
  )
  expect(others).toEqual([])
})

test("every parameter has a description", () => {
  const silent = methods.flatMap(({ method: { name, params } }) =>
    Object.entries(params.inputSchema.properties as Record<string, { readonly description?: string }>)
      .filter(([, { description }]) => !/^[A-Z].*\.$/.test(description ?? ""))
      .map(([param]) => `${name} ${param}`),
  )
  expect(silent).toEqual([])
})

test("every amount in parameters and results says its unit", () => {
  const unitless = methods.flatMap(({ method: { name, params, result } }) =>
    [...amountsIn(params.inputSchema), ...amountsIn(result.jsonSchema)]
      .filter(([, text]) => !/nAVAX|percent|millionths|smallest unit/.test(text))
      .map(([member]) => `${name} ${member}`),
  )
  expect(unitless).toEqual([])
})

/** The members of a JSON Schema that are numbers and whose names are those of amounts, with their descriptions. */
function amountsIn(schema: unknown): [name: string, description: string][] {
  if (typeof schema !== "object" || schema === null) return []
  const { properties = {} } = schema as {
    readonly properties?: Readonly<Record<string, { description?: string; type?: string }>>
  }
  const own = Object.entries(properties).filter(
    ([name, { type }]) => AMOUNT.test(name) && !["array", "object", "boolean"].includes(type ?? ""),
  )
  const inner = Object.values(schema).flatMap(amountsIn)
  return [...own.map(([name, { description = "" }]): [string, string] => [name, description]), ...inner]
}

const AMOUNT =
  /^(?!endsAt)(.*[bB]alance|amount|.*Amount|.*Reward|fee|.*Fee|stake|staked|unlocked|locked\w*able|supply|min\w*Stake|price)$/

/** All `description` texts of a JSON Schema, at any depth. */
function descriptionsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "description" && typeof value === "string" ? [value] : descriptionsIn(value),
  )
}

test("every example matches the parameters and the result of its method", () => {
  const faults = methods.flatMap(({ method: { name, params, result, examples } }) =>
    examples.flatMap((example: Example) => [
      ...misfits(example.params, params.inputSchema, `${name} params`).filter((each) => !each.includes("is not described")),
      ...misfits(example.result, result.wholeSchema ?? result.jsonSchema, `${name} result`),
    ]),
  )
  expect(faults).toEqual([])
})

test("the description contains every method of the contract and every extension", () => {
  const counts = Object.fromEntries(serviceList.map(({ name: service, methods: all }) => [service, all.length]))
  expect(counts).toMatchObject({ info: 14, keystore: 5, platform: 49, avm: 6, proposervm: 2, index: 6, admin: 3, health: 3 })
  const document = openRpcOf(serviceList, "0.1.0", "") as {
    openrpc: string
    methods: { name: string; params: { name: string }[] }[]
  }
  expect(document.methods.map(({ name }) => name)).toEqual(methods.map(({ method }) => method.name))
})

describe("examples of the small services return the results that they show", () => {
  const { api } = localApi()
  const small: readonly AnyMethod[] = [...services.avm.methods, ...services.proposervm.methods]
  const cases = small.flatMap((method) => method.examples.map((example: Example) => ({ name: method.name, example })))
  test.each(cases)("$name", async ({ name, example }) => {
    const path = serviceList.find(({ name: service }) => name.startsWith(`${service}.`))?.paths[0] as string
    const request = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params: example.params }))
    const reply = await api.handle(path, request)
    const { result } = JSON.parse(Buffer.concat(reply?.body ?? []).toString()) as { result: Json }
    expect(result).toEqual(example.result)
  })
})

const ofXChain = ["avm.getHeight", "avm.getUTXOs", "avm.getBalance", "avm.getAllBalances"]
test.each(ofXChain)("%s is refused on a node of a network whose X-Chain other nodes run", async (method) => {
  const { api } = localApi({ node: fakeNode({ isPrivate: false }) })
  const params = { address: "X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", assetID: "AVAX" }
  const reply = await api.handle("/ext/bc/X", Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })))
  const { error } = JSON.parse(Buffer.concat(reply?.body ?? []).toString()) as { error: { data: { code: string } } }
  expect(error.data.code).toBe("rpc.no_x_chain")
})
