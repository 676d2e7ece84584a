import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, onTestFinished, test, vi } from "vitest"
import { idOfName, idText, SUBNET_EVM } from "../../core/types/id.js"
import { LogLines } from "./logLines.js"
import { PluginClock } from "./pluginClock.js"
import { pluginsIn, requirePlugin, vmIDOf, vmName } from "./pluginFiles.js"
import { type PluginOptions, startPlugin } from "./pluginProcess.js"
import { pluginProtocolOf } from "./pluginProtocol.js"

const dir = mkdtempSync(join(tmpdir(), "serac-plugins-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Writes a program into a folder of its own. */
function program(text: string, mode = 0o755): string {
  const folder = mkdtempSync(join(dir, "p-"))
  const path = join(folder, idText(SUBNET_EVM))
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const start = (path: string, options: Partial<PluginOptions> = {}) => {
  const onFault = (error: unknown) => {
    throw error
  }
  return startPlugin({ path, clock: new PluginClock(), onLine: () => {}, onFault, ...options })
}

/** A program that reports to its host with this version of the protocol, prints the answer, and stays. */
const reporting = (version: number) => `#!${process.execPath}
const http2 = require("node:http2")
const address = "127.0.0.1:1"
const message = Buffer.concat([Buffer.from([8, ${version}, 18, address.length]), Buffer.from(address)])
const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message])
const session = http2.connect("http://" + process.env.AVALANCHE_VM_RUNTIME_ENGINE_ADDR)
const call = session.request({ ":method": "POST", ":path": "/vm.runtime.Runtime/Initialize", "content-type": "application/grpc", te: "trailers" })
call.on("response", (headers) => headers["grpc-message"] && console.log(decodeURIComponent(headers["grpc-message"])))
call.on("data", () => {})
call.end(frame)
require("node:fs").mkdtempSync(require("node:os").tmpdir() + "/keystore")
console.log("environment " + Object.keys(process.env).filter((name) => !/^(PWD|OLDPWD|SHLVL|_|GRPC_.*|GODEBUG.*)$/.test(name)).sort())
process.on("SIGTERM", () => process.exit(7))
setInterval(() => {}, 1000)
`

test("names and IDs name VMs", () => {
  expect(vmIDOf("subnet-evm")).toBe(SUBNET_EVM)
  expect(vmIDOf("srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy")).toBe(SUBNET_EVM)
  expect(vmIDOf("xsvm")).toBe(idOfName("xsvm"))
  expect(vmIDOf("nothing")).toBeUndefined()
  expect([vmName(SUBNET_EVM), vmName(idOfName("other"))]).toEqual(["subnet-evm", idText(idOfName("other"))])
})

test("a directory's files are plugins by their names; folders, hidden files and other names are left out", () => {
  const folder = mkdtempSync(join(dir, "d-"))
  const path = program("#!/bin/sh\n")
  for (const name of [`${idText(SUBNET_EVM)}.exe`, ".hidden", "README.md"]) writeFileSync(join(folder, name), "x")
  mkdirSync(join(folder, idText(idOfName("folder"))))
  symlinkSync(path, join(folder, "xsvm"))
  expect(
    pluginsIn(folder)
      .map(({ vmID }) => vmID)
      .sort(),
  ).toEqual([SUBNET_EVM, idOfName("xsvm")].sort())
  expect(requirePlugin(folder, idOfName("xsvm")).path).toBe(path)
  expect(() => requirePlugin(folder, SUBNET_EVM)).toThrow(expect.objectContaining({ code: "vm.not_executable" }))
  expect(() => requirePlugin(folder, idOfName("other"))).toThrow(expect.objectContaining({ code: "vm.unknown_vm" }))
  expect(() => pluginsIn(join(folder, "missing"))).toThrow(expect.objectContaining({ code: "vm.bad_plugin_dir" }))
})

test("a plugin reports where it serves, gets two variables, and ends when it is told to", async () => {
  const lines: string[] = []
  const plugin = await start(program(reporting(45)), { onLine: (line) => lines.push(line) })
  expect([plugin.address, plugin.protocol]).toEqual(["127.0.0.1:1", 45])
  await vi.waitFor(() => expect(lines).toEqual(["environment AVALANCHE_VM_RUNTIME_ENGINE_ADDR,TMPDIR"]))
  await plugin.stop()
  expect(await plugin.ended).toBe("it ended with status 7")
  expect(plugin.lastLines).toEqual(lines)
})

test.each([44, 45, 46, 47])("a plugin of version %d of the protocol is started", async (version) => {
  const plugin = await start(program(reporting(version)))
  expect(plugin.protocol).toBe(version)
  await plugin.stop()
})

test("a plugin of an older version of the protocol is refused, and both versions are named", async () => {
  const path = program(reporting(43))
  const refusal = { code: "vm.protocol", data: { path, version: 43, known: [44, 45, 46, 47] } }
  await expect(start(path)).rejects.toMatchObject(refusal)
  await expect(start(path, { pluginProtocol: "any" })).rejects.toMatchObject(refusal)
})

test("a plugin of a newer version of the protocol is refused with what starts it, and started on request", async () => {
  const path = program(reporting(48))
  const refusal = { code: "vm.newer_protocol", data: { path, version: 48, known: [44, 45, 46, 47] } }
  const lines: string[] = []
  await expect(start(path, { onLine: (line) => lines.push(line) })).rejects.toMatchObject({
    ...refusal,
    message: expect.stringContaining("--plugin-protocol any"),
  })
  await expect(start(path, { pluginProtocol: 49 })).rejects.toMatchObject(refusal)
  for (const pluginProtocol of [48, "any"] as const) {
    const plugin = await start(path, { pluginProtocol })
    expect(plugin.protocol).toBe(48)
    await plugin.stop()
  }
})

test("a version of the protocol is a whole number that is not older than the oldest, or any", () => {
  expect(["any", "48", 48, "44", 47].map(pluginProtocolOf)).toEqual(["any", 48, 48, 44, 47])
  expect(["", "43", 43, "4.8e1", "-48", 48.5, "all", true, null, undefined].map(pluginProtocolOf)).toEqual(
    Array.from({ length: 10 }, () => undefined),
  )
})

test("a plugin that ends is refused with what it printed, also without a line end", async () => {
  const path = program("#!/bin/sh\nprintf 'error: fd limit 20000 too low, need 32768'; exit 1\n")
  await expect(start(path)).rejects.toMatchObject({
    code: "vm.exited",
    data: { path, reason: "it ended with status 1", printed: "error: fd limit 20000 too low, need 32768" },
  })
  await expect(start(program("no program"))).rejects.toMatchObject({ code: "vm.exited" })
})

test("folders that a plugin makes among temporary files end with it", async () => {
  const temporary = mkdtempSync(join(dir, "temporary-"))
  vi.stubEnv("TMPDIR", temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines: string[] = []
  const plugin = await start(program(reporting(46)), { onLine: (line) => lines.push(line) })
  await vi.waitFor(() => expect(lines.length).toBe(1))
  const [own = ""] = readdirSync(temporary)
  expect(readdirSync(join(temporary, own)).sort()).toEqual(["clock", expect.stringMatching(/^keystore/)])
  plugin.kill()
  await plugin.ended
  expect(readdirSync(temporary)).toEqual([])
})

test("a plugin that is killed is noticed", async () => {
  const plugin = await start(program(reporting(46)))
  process.kill(plugin.pid, "SIGKILL")
  expect(await plugin.ended).toBe("it was ended by SIGKILL")
})

test("lines are kept without colours, the last twenty", () => {
  const seen: string[] = []
  const lines = new LogLines((line) => seen.push(line))
  lines.add("\x1b[32mINFO\x1b[0m one\ntw")
  lines.add("o\r\n\n")
  expect(seen).toEqual(["INFO one", "two"])
  for (let i = 0; i < 30; i++) lines.add(`line ${i}\n`)
  lines.add("rest")
  expect(lines.last).toEqual([...Array.from({ length: 20 }, (_, i) => `line ${i + 10}`), "rest"])
})
