import { describe, expect, test } from "vitest"
import type { Example } from "../../src/jsonrpc/method.js"
import { createLog } from "../../src/node/log.js"
import { containers } from "../../src/node/port.js"
import { adminMethods } from "../../src/services/admin/index.js"
import { indexMethods } from "../../src/services/index/index.js"
import { exampleChain } from "../fixtures/exampleChain.js"
import { testNode } from "../fixtures/rpcNode.js"

const methods = [...indexMethods, ...adminMethods]
const chain = exampleChain()
const node = testNode({ ...chain, methods, port: { containers, log: { level: "off" } } })

describe.each(methods)("$name", ({ name, examples }) => {
  test.each(examples as readonly Example[])("answers as its example shows: $params", async ({ params, result }) => {
    expect(await node.call(name, params, "contract")).toEqual({ result })
  })
})

test.each([
  ["index.getContainerByIndex", { index: 999 }, "no container at index 999"],
  ["index.getContainerByID", { id: "11111111111111111111111111111111LpoYY" }, "not found"],
  ["index.getIndex", { id: "11111111111111111111111111111111LpoYY" }, "not found"],
  ["index.getContainerRange", { startIndex: 0, numToFetch: 0 }, "numToFetch must be in [1,1024] but is 0"],
  ["index.getContainerRange", { startIndex: 0, numToFetch: 1025 }, "numToFetch must be in [1,1024] but is 1025"],
  ["index.getContainerRange", { startIndex: 99, numToFetch: 1 }, "start index (99) > last accepted index (12)"],
  ["admin.setLoggerLevel", { loggerName: "serac" }, "need to specify either displayLevel or logLevel"],
  ["admin.getLoggerLevel", { loggerName: "C" }, 'logger with name "C" not found'],
  ["admin.setLoggerLevel", { logLevel: "loud" }, "unknown log level: loud"],
])("%s refuses %j in AvalancheGo's words", async (method, params, message) => {
  expect(await node.call(method, params, "avalanchego")).toEqual({ error: { code: -32000, message, data: null } })
})

test("the index lists every block after genesis in order, and nothing else", async () => {
  const { result } = await node.call("index.getContainerRange", { startIndex: 0, numToFetch: 1024 }, "contract")
  const { containers: listed } = result as { containers: readonly { id: string; index: string }[] }
  expect(listed.map(({ index }) => index)).toEqual(chain.blocks.slice(1).map((_, i) => String(i)))
  expect(await node.call("index.isAccepted", { id: "2gBt9dK95HXKNhADCPBATtQMbuDVBqj68fzU5F5WQgUqom4Y2T" })).toMatchObject({
    result: { isAccepted: true },
  })
})

test("the level of the log is set while the node runs, by AvalancheGo's names too", async () => {
  const lines: string[] = []
  const log = createLog({ level: "warn", form: "machines", now: () => 0, write: (line) => lines.push(line) })
  const logged = testNode({ ...chain, methods, port: { log } })
  const levelsOf = (level: string) => ({ result: { loggerLevels: { serac: { logLevel: level, displayLevel: level } } } })
  log.info("not written")
  expect(await logged.call("admin.getLoggerLevel", {})).toEqual(levelsOf("WARN"))
  expect(await logged.call("admin.setLoggerLevel", { loggerName: "serac", logLevel: "Verbo" })).toEqual(levelsOf("DEBUG"))
  log.debug("written")
  expect([lines.length, log.isEnabled("debug")]).toEqual([1, true])
  expect(await logged.call("admin.setLoggerLevel", { logLevel: "debug", displayLevel: "ERROR" })).toEqual(levelsOf("ERROR"))
  log.warn("not written")
  expect(lines.length).toBe(1)
  const fixed = testNode({ ...chain, methods })
  expect(await fixed.call("admin.getLoggerLevel", {}, "contract")).toMatchObject({ error: { data: { code: "admin.fixed_log" } } })
})
