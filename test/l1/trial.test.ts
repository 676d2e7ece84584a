import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { startDevnet } from "../../src/devnet/devnet.js"
import { Orders, scriptedPlugin } from "./hangs.js"

const plugin = scriptedPlugin(new URL("hangingPlugin.fixture.ts", import.meta.url))

describe.runIf(process.platform !== "win32")("the creation of an L1", () => {
  const start = async (name: string) => {
    const devnet = await startDevnet({ pluginDir: plugin.pluginDir })
    onTestFinished(() => devnet.stop())
    const orders = new Orders(plugin.dir, name)
    const create = () => devnet.createL1({ name, vm: "xsvm", genesis: orders.genesis })
    const facts = async () => [(await devnet.rpc("platform.getHeight")).height, (await devnet.dev.listL1s()).l1s.length]
    return { devnet, orders, create, facts }
  }

  test.each(["initialize", "createHandlers", "version"])("leaves nothing if the VM refuses %s", async (method) => {
    const { orders, create, facts } = await start(`refused-${method}`.replace("-", ""))
    const before = await facts()
    orders.write(`refuse ${method}`)
    await expect(create()).rejects.toMatchObject({
      code: "vm.refused",
      data: { path: plugin.path, reason: "it was told to refuse" },
    })
    expect(await facts()).toEqual(before)
    orders.obey()
    await create()
    expect(await facts()).toEqual([(before[0] as bigint) + 1n, 1])
  })

  test("names its remedy if the chain does not start after all", async () => {
    const { devnet, orders, create } = await start("late")
    orders.write("refuse setState")
    await expect(create()).rejects.toMatchObject({
      code: "vm.refused",
      data: { remedy: expect.stringContaining("serac l1 remove late removes it") },
    })
    expect((await devnet.dev.listL1s()).l1s).toMatchObject([{ name: "late", state: "restarting" }])
    const answer = await fetch(`${devnet.url}/ext/bc/late/rpc`)
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("it was told to refuse")])
    expect((await fetch(`${devnet.url}/ext/health`)).status).toBe(503)
    await devnet.dev.removeL1({ name: "late" })
    expect((await fetch(`${devnet.url}/ext/health`)).status).toBe(200)
    orders.obey()
    await create()
  })

  test.each([true, false])("names the addresses that there are, with a port: %s", async (port) => {
    const devnet = await startDevnet({ pluginDir: plugin.pluginDir, ...(port ? {} : { port }) })
    onTestFinished(() => devnet.stop())
    const { genesis } = new Orders(plugin.dir, "addresses")
    const { rpcUrl, wsUrl, paths } = await devnet.createL1({ name: "one", vm: "xsvm", genesis })
    expect([rpcUrl, wsUrl, paths]).toEqual([port ? `${devnet.url}/ext/bc/one/rpc` : "", "", ["/ext/bc/one/rpc"]])
  })

  test("is no obstacle to others, and ends with the node, while the VM hangs in its trial", async () => {
    const { devnet, orders, create, facts } = await start("hanging")
    const before = await facts()
    const temporary = join(plugin.dir, "temporary")
    mkdirSync(temporary)
    vi.stubEnv("TMPDIR", temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const folders = () => readdirSync(temporary).filter((name) => name.startsWith("serac-l1-trial-"))
    orders.write("initialize")
    const created = expect(create()).rejects.toMatchObject({ code: "vm.stopped", data: { reason: "the node is stopping" } })
    await vi.waitFor(() => expect(existsSync(`${orders.path}.hangs`)).toBe(true), 10_000)
    expect(await facts()).toEqual(before)
    await devnet.dev.snapshot()
    expect(folders().length).toBe(1)
    await devnet.stop()
    await created
    expect(folders()).toEqual([])
  })
})
