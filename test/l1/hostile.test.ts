import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildSync } from "esbuild"
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { httpClient } from "../../src/client/client.js"
import { seracOfFile } from "../cli/serac.js"
import { needsSoak } from "../fuzz/random.js"

const built = seracOfFile("hostile")
const bundle = join(built.folder, "plugin.mjs")

beforeAll(() => {
  const entryPoints = [new URL("hostilePlugin.fixture.ts", import.meta.url).pathname]
  buildSync({ entryPoints, outfile: bundle, bundle: true, platform: "node", format: "esm", target: "node20" })
})

/** Makes a plugin of the fixture: a program in JavaScript that reports this version of the plugin protocol. Returns its directory. */
function pluginOf(protocol: number): string {
  const pluginDir = join(built.folder, `plugins-${protocol}`)
  mkdirSync(pluginDir, { recursive: true })
  const script = `#!/bin/sh\nPROTOCOL=${protocol} exec ${process.execPath} ${bundle}\n`
  writeFileSync(join(pluginDir, "xsvm"), script, { mode: 0o755 })
  return pluginDir
}

/** Starts a node that hosts plugins of this kind, as a process of its own. Its log is kept from the warnings on. */
async function startNode({ protocol = 46, flags = [] }: { protocol?: number; flags?: readonly string[] } = {}) {
  const args = ["--ephemeral", "--http-port", "0", "--json", "--log-level", "warn", "--plugin-dir", pluginOf(protocol), ...flags]
  const child = spawn(process.execPath, [built.bin, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text
  })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  })
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
  const { url } = JSON.parse(String(line)) as { url: string }
  const megabytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) >> 10
  return { url, call: httpClient(url), megabytes, child, log: () => log }
}

type TestNode = Awaited<ReturnType<typeof startNode>>

const createL1 = ({ call }: TestNode, deed: string) =>
  call("dev.createL1", { name: "bad", vm: "xsvm", genesis: `0x${Buffer.from(deed).toString("hex")}` })

/** Makes payments on the P-Chain: each is one call for the state, one block, and one call for its height. */
async function expectPChain({ call }: TestNode, payments: number) {
  const { accounts } = await call("dev.accounts")
  const [from, to] = accounts.map(({ address }) => address) as [string, string]
  const { height } = await call("platform.getHeight")
  for (let i = 0; i < payments; i++) await call("dev.pay", { from, to, amount: 1 })
  expect((await call("platform.getHeight")).height).toBe(height + BigInt(payments))
}

describe.runIf(process.platform === "linux")("a plugin", () => {
  test.each([44, 45, 46, 47])("of version %d of the protocol runs a chain, without a warning", async (protocol) => {
    const node = await startNode({ protocol })
    await createL1(node, "")
    const { l1s } = await node.call("dev.listL1s")
    expect(l1s).toMatchObject([{ name: "bad", state: "running", protocol }])
    expect(node.log()).not.toContain("protocol")
  })

  test.each(["48", "any"])(
    "of a newer version runs a chain with --plugin-protocol %s, and a warning names it",
    async (wanted) => {
      const node = await startNode({ protocol: 48, flags: ["--plugin-protocol", wanted] })
      await createL1(node, "")
      expect((await node.call("dev.listL1s")).l1s).toMatchObject([{ name: "bad", state: "running", protocol: 48 }])
      expect(node.log()).toMatch(/WARN.*newer version of the plugin protocol.*48/i)
    },
  )

  test("of a newer version is refused before a transaction is made, with the flag that starts it", async () => {
    const node = await startNode({ protocol: 48 })
    const { height } = await node.call("platform.getHeight")
    await expect(createL1(node, "")).rejects.toMatchObject({
      code: "vm.newer_protocol",
      message: expect.stringContaining("--plugin-protocol any"),
      data: { version: 48, known: [44, 45, 46, 47] },
    })
    expect(await node.call("platform.getHeight")).toEqual({ height })
    expect(await node.call("dev.listL1s")).toEqual({ l1s: [] })
  })
})

describe.runIf(process.platform === "linux")("beside a hostile plugin the P-Chain goes on, in bounded memory", () => {
  test.each(["calls", "messages", "huge messages", "endless streams", "lists"])("%s", async (deed) => {
    const node = await startNode()
    const before = node.megabytes()
    await createL1(node, deed)
    await expectPChain(node, 20)
    expect(node.megabytes() - before).toBeLessThan(900)
    await node.call("dev.removeL1", { name: "bad" })
    expect(await node.call("dev.listL1s")).toEqual({ l1s: [] })
    await expectPChain(node, 1)
  })

  test("an answer that is too large is refused with the reason", async () => {
    const node = await startNode()
    await createL1(node, "")
    const answer = await fetch(`${node.url}/ext/bc/bad`, { method: "POST", body: "{}" })
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringMatching(/^the plugin of the chain failed: /)])
    await expectPChain(node, 1)
  })

  test("rows without end are refused at the limit of the database", { ...needsSoak, timeout: 300_000 }, async () => {
    const node = await startNode()
    await createL1(node, "rows")
    await vi.waitFor(() => expect(node.megabytes()).toBeGreaterThan(1_000), { timeout: 120_000, interval: 200 })
    await expectPChain(node, 500)
    expect(node.megabytes()).toBeLessThan(2_000)
  })

  test("a plugin that takes more than 4 GiB of memory is ended, and the chain says so", {
    ...needsSoak,
    timeout: 300_000,
  }, async () => {
    const node = await startNode()
    await createL1(node, "memory")
    const reason = async () => (await fetch(`${node.url}/ext/bc/bad`, { method: "POST", body: "{}" })).text()
    await vi.waitFor(async () => expect(await reason()).toContain("bytes of memory, more than 4294967296"), {
      timeout: 60_000,
      interval: 100,
    })
    await expectPChain(node, 20)
  })
})
