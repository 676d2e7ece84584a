import { expect, test } from "vitest"
import { Invalid } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import { McpServer, type Tool } from "./mcpServer.js"

const tool = (name: string, run: Tool["run"]): Tool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object" },
  isReadOnly: true,
  isListed: name !== "hidden",
  run,
})

function newServer() {
  const faults: unknown[] = []
  let open: (text: string) => void = () => {}
  const gate = new Promise<string>((resolve) => {
    open = resolve
  })
  const server = new McpServer({
    version: "1.2.3",
    instructions: "Use it.",
    tools: [
      tool("echo", async (given) => JSON.stringify(given)),
      tool("hidden", async () => "found"),
      tool("slow", () => gate),
      tool("refuse", async () => {
        throw new Invalid("test.refused", { sentence: "this is refused" }, { because: "why" })
      }),
      tool("fail", async () => {
        throw new Error("broken")
      }),
    ],
    pages: [{ uri: "serac://docs/mcp", title: "One", text: () => "# One" }],
    onFault: (error) => faults.push(error),
  })
  const ask = async (message: Json) => JSON.parse((await server.answer(JSON.stringify(message))) ?? "null")
  const request = (method: string, params: { readonly [name: string]: Json } = {}, id: Json = 1) =>
    ask({ jsonrpc: "2.0", id, method, params: { ...params, _meta: PRESENT } })
  return { server, faults, openGate: open, ask, request }
}

const PRESENT = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}
const SERVER = { "io.modelcontextprotocol/serverInfo": { name: "serac", title: "Serac", version: "1.2.3" } }
const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
const about = { capabilities: { tools: {}, resources: {} }, instructions: "Use it." }
const caching = { ttlMs: 3_600_000, cacheScope: "public" }

test("server/discover tells versions, capabilities and instructions", async () => {
  expect((await newServer().request("server/discover")).result).toEqual({
    resultType: "complete",
    supportedVersions: VERSIONS,
    ...about,
    ...caching,
    _meta: SERVER,
  })
})

test.each([
  ["2025-11-25", "2025-11-25"],
  ["2024-11-05", "2024-11-05"],
  ["2026-07-28", "2025-11-25"],
  ["1900-01-01", "2025-11-25"],
])("initialize with %s agrees on %s, and later requests need no version", async (asked, agreed) => {
  const { ask } = newServer()
  const early = await ask({ jsonrpc: "2.0", id: 1, method: "tools/list" })
  expect(early.error).toMatchObject({ code: -32602, data: { code: "mcp.not_initialized" } })
  // The official client of the earlier versions refuses any other member.
  expect((await ask({ jsonrpc: "2.0", id: "a", method: "ping" })).result).toEqual({})
  const { id, result } = await ask({ jsonrpc: "2.0", id: 2, method: "initialize", params: { protocolVersion: asked } })
  expect({ id, result }).toMatchObject({
    id: 2,
    result: { protocolVersion: agreed, serverInfo: { name: "serac", version: "1.2.3" }, ...about },
  })
  expect(await ask({ jsonrpc: "2.0", method: "notifications/initialized" })).toBe(null)
  expect((await ask({ jsonrpc: "2.0", id: 3, method: "tools/list" })).result.tools).toHaveLength(4)
})

test("a request of another version is refused with the versions that there are", async () => {
  const _meta = { ...PRESENT, "io.modelcontextprotocol/protocolVersion": "1900-01-01" }
  const { error } = await newServer().ask({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } })
  expect(error).toMatchObject({ code: -32022, data: { supported: VERSIONS, requested: "1900-01-01" } })
  const incomplete = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" }
  const missing = await newServer().ask({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: incomplete } })
  expect(missing.error).toMatchObject({ code: -32602, data: { code: "mcp.not_initialized" } })
})

test("tools are listed with their schemas, and called also if they are not listed", async () => {
  const { request } = newServer()
  const { result } = await request("tools/list")
  expect(result).toMatchObject({ resultType: "complete", ...caching })
  expect(result.tools[0]).toEqual({
    name: "echo",
    description: "Does echo.",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
  })
  expect(result.tools.map(({ name }: Tool) => name)).toEqual(["echo", "slow", "refuse", "fail"])
  expect((await request("tools/call", { name: "echo", arguments: { a: 1 } })).result).toEqual({
    resultType: "complete",
    content: [{ type: "text", text: '{"a":1}' }],
    isError: false,
    _meta: SERVER,
  })
  expect((await request("tools/call", { name: "hidden" })).result.content).toEqual([{ type: "text", text: "found" }])
})

test("a refusal of a tool is a result; an unknown tool and a fault are errors", async () => {
  const { request, faults } = newServer()
  const { result } = await request("tools/call", { name: "refuse" })
  expect(result).toMatchObject({
    content: [{ type: "text", text: "test.refused: this is refused (because: why)" }],
    isError: true,
  })
  expect((await request("tools/call", { name: "absent" })).error).toMatchObject({
    code: -32602,
    data: { code: "mcp.unknown_tool", tool: "absent" },
  })
  expect((await request("tools/call", { name: "echo", arguments: [1] })).error.data.code).toBe("mcp.bad_params")
  expect((await request("tools/call", { name: "fail" })).error.code).toBe(-32603)
  expect(faults).toEqual([new Error("broken")])
})

test("pages are listed and read", async () => {
  const { request } = newServer()
  expect((await request("resources/list")).result.resources).toEqual([
    { uri: "serac://docs/mcp", name: "mcp", title: "One", mimeType: "text/markdown" },
  ])
  expect((await request("resources/templates/list")).result.resourceTemplates).toEqual([])
  expect((await request("resources/read", { uri: "serac://docs/mcp" })).result.contents).toEqual([
    { uri: "serac://docs/mcp", mimeType: "text/markdown", text: "# One" },
  ])
  for (const uri of ["serac://docs/../package.json", 7]) {
    expect((await request("resources/read", { uri })).error).toMatchObject({
      code: -32602,
      data: { code: "mcp.unknown_resource" },
    })
  }
  expect((await request("resources/list", { cursor: "x" })).error).toMatchObject({
    code: -32602,
    data: { code: "mcp.bad_cursor" },
  })
})

test("a cancelled request has no answer, and other requests are answered meanwhile", async () => {
  const { request, ask, openGate } = newServer()
  const [cancelled, kept] = [request("tools/call", { name: "slow" }, 7), request("tools/call", { name: "slow" }, "7")]
  expect((await request("tools/call", { name: "hidden" })).result.isError).toBe(false)
  expect(await ask({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } })).toBe(null)
  expect(await ask({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "unknown" } })).toBe(null)
  openGate("done")
  expect(await cancelled).toBe(null)
  expect((await kept).result.content).toEqual([{ type: "text", text: "done" }])
})

test.each([
  ["{", undefined, -32700],
  ["[]", undefined, -32600],
  ["null", undefined, -32600],
  ['{"jsonrpc":"2.0","id":4,"result":{}}', 4, -32600],
  ['{"jsonrpc":"1.0","id":4,"method":"ping"}', 4, -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined, -32600],
  ['{"jsonrpc":"2.0","id":"x","method":"ping","params":[]}', "x", -32600],
  ['{"jsonrpc":"2.0","id":"x","method":"prompts/list"}', "x", -32601],
])("the line %s is refused", async (line, id, code) => {
  const answer = JSON.parse((await newServer().server.answer(line)) as string)
  expect({ jsonrpc: answer.jsonrpc, id: answer.id, code: answer.error.code }).toEqual({ jsonrpc: "2.0", id, code })
})
