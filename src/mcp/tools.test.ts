import { expect, test } from "vitest"
import { openRpcOf, serviceList } from "../client/services.js"
import { type ToolOptions, toolsOf } from "./tools.js"

const tools = (options: Partial<ToolOptions> = {}) =>
  toolsOf({ call: async (method, params) => [method, params as never], isPrivate: true, listsAll: false, ...options })

const find = (name: string, options?: Partial<ToolOptions>) => {
  const found = tools(options).find((tool) => tool.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  return found
}

interface Described {
  readonly name: string
  readonly summary: string
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: unknown }[]
}

test("every method is a tool, with the name, the sentences and the schemas of the OpenRPC description", () => {
  const { methods } = openRpcOf(serviceList, "", "") as unknown as { readonly methods: readonly Described[] }
  const made = tools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const expected = methods.map(({ name, summary, params }) => ({
    name: name.replace(".", "_"),
    description: summary,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(params.map((param) => [param.name, param.schema])),
      required: params.filter(({ required }) => required).map((param) => param.name),
    },
  }))
  expect(made).toEqual(expected)
  for (const { name } of made) expect(name).toMatch(/^[a-zA-Z0-9_]{1,64}$/)
})

test("at most 40 tools are listed unless all are asked for, and those of a private chain only there", () => {
  const listed = (options: Partial<ToolOptions>) =>
    tools(options)
      .filter(({ isListed }) => isListed)
      .map(({ name }) => name)
  const [usual, all, elsewhere] = [listed({}), listed({ listsAll: true }), listed({ isPrivate: false })]
  expect(usual.length).toBeLessThanOrEqual(40)
  expect(all).toHaveLength(tools().length)
  expect(elsewhere).toEqual(usual.filter((name) => !name.startsWith("dev_")))
  expect(elsewhere.length).toBeGreaterThan(0)
})

test("a tool calls its method, and says whether it only reads", async () => {
  expect(await find("platform_getBalance").run({ addresses: ["a"] })).toBe('["platform.getBalance",{"addresses":["a"]}]')
  const readOnly = ["platform_getBalance", "platform_issueTx", "dev_advanceTime"].map((name) => find(name).isReadOnly)
  expect(readOnly).toEqual([true, false, false])
})

test("a tool of a private chain is refused elsewhere by name", async () => {
  await expect(find("dev_fund", { isPrivate: false }).run({})).rejects.toMatchObject({
    code: "mcp.only_private",
    data: { method: "dev.fund" },
  })
})

test("an unknown parameter is refused, also one that a node would ignore", async () => {
  await expect(find("platform_getBalance").run({ adresses: [] })).rejects.toMatchObject({
    code: "rpc.unknown_param",
    data: { param: "adresses", didYouMean: "addresses" },
  })
})

test("an answer that would fill an assistant's memory is refused", async () => {
  const call = async () => "x".repeat(200_000)
  await expect(find("platform_getBlocks", { call }).run({})).rejects.toMatchObject({ code: "mcp.answer_too_long" })
})
