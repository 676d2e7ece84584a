import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { expect, onTestFinished, test } from "vitest"
import { startProcess } from "../clients/nodeProcess.js"
import { root } from "../sources.js"
import { runBin, seracOfFile } from "./serac.js"

const built = seracOfFile("mcp")

/** Connects the official client to `serac mcp`: in the present version of the protocol, or in those with `initialize`. */
async function connect(mode: "auto" | "legacy", flags: readonly string[] = []) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({ command: process.execPath, args: [built.bin, "mcp", ...flags], stderr: "pipe" })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [{ text } = { text: "" }] = content as { readonly text: string }[]
    return isError ? { refused: text } : JSON.parse(text)
  }
  return { client, transport, call }
}

const DAY = 86_400

test.each([
  ["auto", "2026-07-28"],
  ["legacy", "2025-11-25"],
] as const)("an assistant (%s) starts a private chain, stakes, moves time and reads the reward", async (mode, version) => {
  const { client, call } = await connect(mode)
  expect(client.getNegotiatedProtocolVersion()).toBe(version)
  expect(client.getInstructions()).toContain("a private chain for development")
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["dev_addValidators", "platform_getRewardsByAddress"]))
  const { txIDs } = await call("dev_addValidators", { count: 1, duration: 14 * DAY })
  const { accounts } = await call("dev_accounts")
  const { address } = accounts[0]
  expect(await call("platform_getRewardsByAddress", { address })).toEqual({ rewards: [], cursor: null })
  await call("dev_advanceTime", { seconds: 15 * DAY })
  const { rewards } = await call("platform_getRewardsByAddress", { address })
  expect(rewards).toMatchObject([{ stakerTxID: txIDs[0] }])
  expect(BigInt(rewards[0].amount)).toBeGreaterThan(0n)
})

test("the pages of the docs and of the reference are resources", async () => {
  cpSync(join(root, "docs/mcp.md"), join(dirname(built.bin), "../docs/mcp.md"))
  cpSync(join(root, "docs/quick-start.md"), join(dirname(built.bin), "../docs/quick-start.md"))
  mkdirSync(join(dirname(built.bin), "../docs/reference"))
  writeFileSync(join(dirname(built.bin), "../docs/reference/api.md"), "# The API\n")
  const { client } = await connect("auto")
  const { resources } = await client.listResources()
  expect(resources.find(({ name }) => name === "api")).toMatchObject({ uri: "serac://docs/reference/api", title: "The API" })
  expect(resources).toContainEqual({
    uri: "serac://docs/mcp",
    name: "mcp",
    title: "For assistants",
    mimeType: "text/markdown",
  })
  const { contents } = await client.readResource({ uri: "serac://docs/mcp" })
  expect(contents).toMatchObject([{ text: expect.stringContaining("serac mcp") }])
})

test("at a node without a private chain its tools are refused by name; others and clear errors work", async () => {
  const chain = join(built.folder, "chain")
  const first = await startProcess(built.bin, ["--data-dir", chain, "--http-port", "0"])
  await first.stop()
  const node = await startProcess(built.bin, ["serve", "--data-dir", chain, "--http-port", "0"])
  onTestFinished(() => node.stop())
  const { client, call } = await connect("auto", ["--url", node.url])
  const { tools } = await client.listTools()
  expect(tools.filter(({ name }) => name.startsWith("dev_"))).toEqual([])
  expect(await call("dev_advanceTime", { seconds: 1 })).toEqual({
    refused: "mcp.only_private: only a private chain has this tool, and this node has none (method: dev.advanceTime)",
  })
  expect(await call("info_getNetworkName")).toEqual({ networkName: "local" })
  expect(await call("platform_getTxInfo", { txID: "no ID" })).toEqual({ refused: expect.stringMatching(/^[a-z0-9]+\.[a-z_]+: /) })
  await expect(client.callTool({ name: "dev_fly" })).rejects.toMatchObject({ code: -32602 })
})

test("bad lines get errors, stdout has only the protocol, and the end of stdin stops the chain", async () => {
  const child = spawn(process.execPath, [built.bin, "mcp"], { stdio: ["pipe", "pipe", "pipe"] })
  const ended = once(child, "close")
  let [out, log] = ["", ""]
  child.stdout.on("data", (chunk) => {
    out += chunk
  })
  child.stderr.on("data", (chunk) => {
    log += chunk
  })
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const lines = [
    "no JSON",
    "",
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    "\u0000",
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"dev_fund","arguments":{"address":"Ünknown","amount":1}}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"dev_status"}}',
  ]
  child.stdin.end(`${lines.join("\n")}\n`)
  expect(await ended).toEqual([0, null])
  expect(log).toBe("")
  const answers = out.trimEnd().split("\n")
  const byID = new Map(answers.map((line) => [JSON.parse(line).id, JSON.parse(line)]))
  expect(answers).toHaveLength(5)
  expect(answers.filter((line) => JSON.parse(line).error?.code === -32700)).toHaveLength(2)
  expect(byID.get(2).result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Ünknown") }] })
  expect(byID.get(3).result).toMatchObject({ isError: false })
})

test("an address where no node answers, and flags of a chain beside --url, are refused", () => {
  const absent = runBin(built.bin, ["mcp", "--url", "http://127.0.0.1:1"], { input: "" })
  expect(absent).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("cli.no_answer") })
  const conflict = runBin(built.bin, ["mcp", "--url", "http://127.0.0.1:1", "--accounts", "3"], { input: "" })
  expect(conflict).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("cli.flag_without_effect") })
})
