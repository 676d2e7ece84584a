import { describe, expect, test } from "vitest"
import { hangingChain, scriptedPlugin } from "./hangs.js"

const plugin = scriptedPlugin(new URL("hangingPlugin.fixture.ts", import.meta.url))

describe.runIf(process.platform !== "win32")("a VM that hangs while its chain starts", () => {
  describe.each([
    "initialize",
    "createHandlers",
    "newHTTPHandler",
    "version",
    "stateSyncEnabled",
    "setState",
    "connected",
    "setPreference",
  ])("in %s", (method) => {
    test("has five minutes, and the chain says where it hung", async () => {
      const { chain, orders, hangs, pass } = hangingChain(plugin, `limit-${method}`)
      orders.hangIn(method)
      const started = expect(chain.start()).rejects.toMatchObject({
        code: "vm.silent",
        data: { path: plugin.path, call: `${method[0]?.toUpperCase()}${method.slice(1)}`, seconds: 300 },
      })
      await hangs(method)
      expect(chain.report().state).toBe("starting")
      await pass(300_000)
      await started
      expect(chain.report()).toMatchObject({ reason: expect.stringContaining("did not answer within the time limit") })
    })

    test("is ended by a stop at once", async () => {
      const { chain, orders, hangs } = hangingChain(plugin, `stop-${method}`)
      orders.hangIn(method)
      const started = expect(chain.start()).rejects.toMatchObject({ code: "vm.stopped", data: { reason: "enough" } })
      await hangs(method)
      await chain.stop("enough")
      await started
      expect(chain.report()).toMatchObject({ state: "stopped", reason: "enough", pid: undefined })
    })
  })
})
