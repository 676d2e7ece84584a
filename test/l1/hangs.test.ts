import { join } from "node:path"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import type { DevnetOptions } from "../../src/devnet/devnetOptions.js"
import { vmError } from "../../src/vmhost/errors.js"
import { hangingChain, Orders, scriptedPlugin } from "./hangs.js"

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
      orders.write(method)
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
      orders.write(method)
      const started = expect(chain.start()).rejects.toMatchObject({ code: "vm.stopped", data: { reason: "enough" } })
      await hangs(method)
      await chain.stop("enough")
      await started
      expect(chain.report()).toMatchObject({ state: "stopped", reason: "enough", pid: undefined })
    })
  })
})

describe.runIf(process.platform !== "win32")("a VM that hangs while its chain runs", () => {
  const run = async (name: string) => {
    const hosted = hangingChain(plugin, name)
    await hosted.chain.start()
    return hosted
  }
  const NOT_ANSWERED = (seconds: number) => ({ state: "restarting", reason: `its VM has not answered for ${seconds} seconds` })

  test.each(["buildBlock", "blockVerify", "setPreference", "blockAccept"])(
    "in %s of a block on request is started again",
    async (method) => {
      const { chain, orders, hangs, pass } = await run(method)
      orders.addTx()
      orders.write(method)
      const mined = expect(chain.mine(1)).rejects.toMatchObject({ code: "vm.stopped" })
      await hangs(method)
      await pass(60_000)
      await mined
      await pass(500)
      await vi.waitFor(() => expect(chain.report()).toMatchObject(NOT_ANSWERED(60)))
      orders.obey()
      await pass(1000)
      await vi.waitFor(() => expect(chain.report().state).toBe("running"), 5000)
      expect(await chain.mine(1)).toMatchObject({ blocks: 1 })
    },
  )

  test.each(["buildBlock", "blockAccept"])("in %s does not keep what waits for the end of its block", async (method) => {
    const { chain, orders, hangs, pass } = await run(`hold-${method}`)
    orders.addTx()
    orders.write(method)
    const mined = expect(chain.mine(1)).rejects.toMatchObject({ code: "vm.stopped" })
    await hangs(method)
    const held = chain.hold()
    await pass(10_000)
    const release = await held
    await mined
    expect(chain.report()).toMatchObject({ state: "restarting", reason: "its VM has not finished a block for 10 seconds" })
    release()
  })

  test("in Gather has a second, and goes on", async () => {
    const { chain, orders, hangs, pass } = await run("gather")
    orders.write("gather")
    const metrics = expect(chain.metrics()).rejects.toThrow("its VM has not answered for 1 seconds")
    await hangs("gather")
    await pass(1000)
    await metrics
    expect(chain.report().state).toBe("running")
  })

  test("in Health is started again", async () => {
    const { chain, orders, hangs, pass } = await run("health")
    orders.write("health")
    await pass(10_000)
    await hangs("health")
    await pass(20_000)
    await vi.waitFor(() => expect(chain.report()).toMatchObject(NOT_ANSWERED(20)))
  })

  test.each(["shutdown", "buildBlock"])("in %s is killed by a stop after five seconds", async (method) => {
    const { chain, orders, hangs, pass } = await run(`stop-running-${method}`)
    orders.addTx()
    orders.write(method)
    const mined = method === "shutdown" ? undefined : expect(chain.mine(1)).rejects.toMatchObject({ code: "vm.stopped" })
    if (mined) await hangs(method)
    const { pid } = chain.report()
    const stopped = chain.stop()
    if (!mined) await hangs(method)
    await pass(5000)
    await stopped
    await mined
    expect(() => process.kill(pid as number, 0)).toThrow("ESRCH")
    expect(chain.report()).toMatchObject({ state: "stopped", reason: "it was stopped" })
  })
})

test("a chain that fails is started again after pauses of a second that double up to five minutes", async () => {
  const { chain, timers, pass } = hangingChain(plugin, "pauses", () => {
    throw vmError("vm.unknown_vm")
  })
  await expect(chain.start()).rejects.toMatchObject({ code: "vm.unknown_vm" })
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
    await vi.waitFor(() => expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([seconds * 1000]))
    expect(chain.report()).toMatchObject({ state: "restarting", reason: expect.stringContaining("no plugin for this VM") })
    await pass(seconds * 1000)
  }
})

test.runIf(process.platform !== "win32")("a chain whose first start fails runs after the second one", async () => {
  const { chain, orders, pass } = hangingChain(plugin, "second")
  orders.write("exit")
  await expect(chain.start()).rejects.toMatchObject({ code: "vm.exited" })
  orders.obey()
  await pass(1000)
  await vi.waitFor(() => expect(chain.report()).toMatchObject({ state: "running", reason: undefined, restarts: 1 }), 5000)
})

describe.runIf(process.platform !== "win32")("beside an L1 that hangs while it starts", () => {
  const start = async (options: DevnetOptions = {}) => {
    const devnet = await startDevnet({ pluginDir: plugin.pluginDir, ...options })
    onTestFinished(() => devnet.stop())
    const states = async () => (await devnet.dev.listL1s()).l1s.map(({ name, state }) => `${name} ${state}`).sort()
    return { devnet, states }
  }
  const ordersFor = (name: string) => new Orders(plugin.dir, name)

  test("all operations go on, and its removal ends its creation", async () => {
    const { devnet, states } = await start()
    const orders = ordersFor("bad")
    await devnet.createL1({ name: "good", vm: "xsvm", genesis: ordersFor("good").genesis })
    orders.write("setState")
    const created = expect(devnet.createL1({ name: "bad", vm: "xsvm", genesis: orders.genesis })).rejects.toMatchObject({
      code: "vm.stopped",
      data: { reason: "it was removed" },
    })
    await vi.waitFor(async () => expect(await states()).toEqual(["bad starting", "good running"]), 5000)
    const { id } = await devnet.dev.snapshot()
    await devnet.dev.stopL1({ name: "good" })
    await devnet.dev.startL1({ name: "good" })
    await devnet.createL1({ name: "other", vm: "xsvm", genesis: ordersFor("other").genesis })
    await devnet.dev.removeL1({ name: "bad" })
    await created
    expect(await states()).toEqual(["good running", "other running"])
    orders.obey()
    await devnet.dev.revert({ id })
    expect(await states()).toEqual(["bad running", "good running"])
  })

  test("a handler that hangs is left when its client leaves, and a stop does not wait for it", async () => {
    const { devnet } = await start()
    const orders = ordersFor("handler")
    const { rpcUrl } = await devnet.createL1({ name: "one", vm: "xsvm", genesis: orders.genesis })
    orders.write("handleSimple")
    const leaving = new AbortController()
    const left = expect(fetch(rpcUrl, { signal: leaving.signal })).rejects.toThrow("aborted")
    const log = async () => (await devnet.dev.listL1s()).l1s[0]?.log
    await vi.waitFor(async () => expect(await log()).toContain("hangs in handleSimple"))
    leaving.abort()
    await left
    await vi.waitFor(async () => expect(await log()).toContain("handleSimple has ended"))
    const answer = fetch(rpcUrl).then(async (each) => `${each.status} ${await each.text()}`)
    await vi.waitFor(async () => expect((await log())?.filter((line) => line === "hangs in handleSimple").length).toBe(2))
    await devnet.stop()
    expect(await answer).toBe("503 the node is stopping\n")
  })

  test("the node starts, and a start that failed after a restart or a revert is repeated", async () => {
    const orders = ordersFor("kept")
    const dataDir = join(plugin.dir, "node")
    const before = await start({ dataDir })
    await before.devnet.createL1({ name: "kept", vm: "xsvm", genesis: orders.genesis })
    await before.devnet.stop()
    orders.write("setState")
    const { devnet, states } = await start({ dataDir })
    expect(await states()).toEqual(["kept starting"])
    expect((await devnet.rpc("platform.getHeight")).height).toBeGreaterThan(0n)
    const { id } = await devnet.dev.snapshot()
    orders.write("exit")
    await devnet.dev.revert({ id })
    expect(await states()).toEqual(["kept restarting"])
    orders.obey()
    await vi.waitFor(async () => expect(await states()).toEqual(["kept running"]), 10_000)
  })
})
