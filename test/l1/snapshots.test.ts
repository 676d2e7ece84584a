import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, test, vi } from "vitest"
import { WebSocket } from "ws"
import { httpClient } from "../../src/client/client.js"
import { silentLog } from "../../src/core/lib/log.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { clientOf } from "../../src/node/api.js"
import { startPrivateNode } from "../../src/sources/private/privateNode.js"
import { backupChain } from "../../src/tools/backup.js"
import { seracOfFile } from "../cli/serac.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { eth } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"
import { balance, pay, payments, ThreeChains } from "./threeChains.js"

const built = seracOfFile("l1-snapshots")
const dir = mkdtempSync(join(tmpdir(), "serac-l1-test-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe("snapshots of a private chain with L1s", needsPlugin("subnet-evm"), () => {
  let devnet: Devnet
  afterEach(() => devnet?.stop())
  const names = async () => (await devnet.dev.listL1s()).l1s.map(({ name, state, height }) => `${name} ${state} ${height}`).sort()

  test.each([
    ["in memory", undefined],
    ["on the disk", join(dir, "stored")],
  ])("a revert returns every L1 to its block, %s", async (_where, dataDir) => {
    devnet = await startDevnet({ pluginDir, ...(dataDir === undefined ? {} : { dataDir }) })
    const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
    await devnet.createL1({ name: "idle", vm: "subnet-evm" })
    await devnet.dev.stopL1({ name: "idle" })
    await pay(l1, 0, 5n)
    const { id } = await devnet.dev.snapshot()
    const before = await names()
    for (let round = 0; round < 2; round++) {
      await pay(l1, 1, 7n)
      await devnet.createL1({ name: "later", vm: "subnet-evm" })
      await devnet.dev.startL1({ name: "idle" })
      expect(await balance(l1)).toBe(12n)
      await devnet.dev.revert({ id })
      expect(await names()).toEqual(before)
      expect([await balance(l1), await payments(l1)]).toEqual([5n, 1])
      await expect(eth(`${devnet.url}/ext/bc/later/rpc`, "eth_chainId")).rejects.toThrow(/^404/)
    }
    expect((await pay(l1, 1, 9n)).blockNumber).toBe("0x2")
    expect(await balance(l1)).toBe(14n)
  })

  test("an L1 that was removed after the snapshot is there again", async () => {
    devnet = await startDevnet({ pluginDir, dataDir: join(dir, "removed") })
    const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
    await pay(l1, 0)
    const { id } = await devnet.dev.snapshot()
    await devnet.dev.removeL1({ name: "mine" })
    expect(await names()).toEqual([])
    await devnet.dev.revert({ id })
    expect(await names()).toEqual(["mine running 1"])
    expect((await pay(l1, 1)).blockNumber).toBe("0x2")
    await devnet.dev.reset()
    expect(await names()).toEqual([])
  })

  test("a stop of the node closes a WebSocket with the reason, and does not wait for its client", async () => {
    devnet = await startDevnet({ pluginDir })
    const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
    const socket = new WebSocket(l1.wsUrl)
    await once(socket, "open")
    const closed = once(socket, "close")
    await devnet.stop()
    const [code, reason] = await closed
    expect([code, String(reason)]).toEqual([1001, "the node is stopping"])
  })

  test("a WebSocket is closed with the reason, and a filter is gone", async () => {
    devnet = await startDevnet({ pluginDir })
    const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
    const { id } = await devnet.dev.snapshot()
    const socket = new WebSocket(l1.wsUrl)
    const messages: unknown[] = []
    socket.on("message", (text) => messages.push(text))
    await new Promise((resolve) => socket.once("open", resolve))
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] }))
    await vi.waitFor(() => expect(messages.length).toBe(1))
    const filter = await eth(l1.rpcUrl, "eth_newBlockFilter")
    const closed = new Promise((resolve) => socket.once("close", (code, reason) => resolve([code, String(reason)])))
    await devnet.dev.revert({ id })
    expect(await closed).toEqual([1012, "the private chain was reverted"])
    await expect(eth(l1.rpcUrl, "eth_getFilterChanges", [filter])).rejects.toThrow("filter not found")
  })

  test("an unknown snapshot changes nothing, and a VM with files of its own is refused", async () => {
    devnet = await startDevnet({ pluginDir })
    const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
    await pay(l1, 0)
    const [{ pid } = { pid: 0 }] = (await devnet.dev.listL1s()).l1s
    await expect(devnet.dev.revert({ id: 9 })).rejects.toMatchObject({ code: "producer.unknown_snapshot" })
    expect((await devnet.dev.listL1s()).l1s[0]?.pid).toBe(pid)
    await devnet.createL1({ name: "own", vm: "subnet-evm", config: { "use-standalone-database": true } })
    await expect(devnet.dev.snapshot()).rejects.toMatchObject({ code: "vm.own_data" })
  })

  const rounds = attempts(200)
  test(`${rounds} snapshots and reverts under a stream of transfers leave the balances of a model`, {
    timeout: 60_000 + rounds * 5000,
  }, async () => {
    devnet = await startDevnet({ pluginDir, dataDir: join(dir, "stream") })
    const random = new Random(seed("snapshots under transfers"))
    const chains = [await devnet.createL1({ vm: "subnet-evm" }), await devnet.createL1({ vm: "subnet-evm" })]
    const three = new ThreeChains(devnet.rpc, chains)
    let moments: { readonly id: number; readonly paid: unknown }[] = []
    for (let round = 0; round < rounds; round++) {
      const [{ id }] = await Promise.all([later(random.below(150)).then(() => devnet.dev.snapshot()), three.cycle()])
      await three.cycle()
      // Payments that a revert meets fail, or are lost.
      await Promise.all([devnet.dev.revert({ id }), three.cycle().catch(() => {})])
      await devnet.dev.revert({ id })
      moments.push({ id, paid: await three.state() })
      const chosen = random.pick(moments)
      await devnet.dev.revert({ id: chosen.id })
      moments = moments.filter((each) => each.id <= chosen.id)
      expect(await three.state(), `round ${round}`).toEqual(chosen.paid)
    }
  })
})

const kills = attempts(50)
test(`a node that is killed ${kills} times during a revert has all chains at one moment`, {
  ...needsPlugin("subnet-evm"),
  timeout: 60_000 + kills * 10_000,
}, async () => {
  const random = new Random(seed("moments of killing a revert"))
  const args = [
    "--data-dir",
    join(built.folder, "reverts"),
    "--http-port",
    "0",
    "--json",
    "--log-level",
    "error",
    "--plugin-dir",
    pluginDir,
    "--c-chain",
    "off",
  ]
  for (let round = 0; round < kills; round++) {
    const child = spawn(process.execPath, [built.bin, ...args], { stdio: ["ignore", "pipe", "inherit"] })
    const ended = once(child, "exit")
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
    const { url } = JSON.parse(String(line))
    const call = httpClient(url)
    if (round === 0) for (const name of ["first", "second"]) await call("dev.createL1", { name, vm: "subnet-evm" })
    const listed = (await call("dev.listL1s")).l1s.map((l1) => ({ ...l1, rpcUrl: `${url}/ext/bc/${l1.name}/rpc` }))
    const three = new ThreeChains(
      call,
      listed.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    )
    const [, , paid = 0] = await three.state()
    await three.cycle()
    const { id } = await call("dev.snapshot")
    for (let i = 0; i < 3; i++) await three.cycle()
    expect(await three.state(), `round ${round}`).toEqual([paid + 4, paid + 4, paid + 4])
    const reverted = call("dev.revert", { id }).catch(() => {})
    await later(random.below(300))
    child.kill("SIGKILL")
    await Promise.all([ended, reverted])
  }
})

const backups = attempts(30)
test(`${backups} backups while the chains are reverted have all chains at one moment`, {
  ...needsPlugin("subnet-evm"),
  timeout: 60_000 + backups * 10_000,
}, async () => {
  const random = new Random(seed("backups during reverts"))
  const dataDir = join(dir, "backed-up")
  await using devnet = await startDevnet({ pluginDir, dataDir })
  const created = [
    await devnet.createL1({ name: "first", vm: "subnet-evm" }),
    await devnet.createL1({ name: "second", vm: "subnet-evm" }),
  ]
  const three = new ThreeChains(devnet.rpc, created)
  await three.cycle()
  const { id } = await devnet.dev.snapshot()
  const early = await three.state()
  for (let round = 0; round < backups; round++) {
    await three.cycle()
    const late = await three.state()
    const target = join(dir, `backup-${round}`)
    const request = { dataDir, target, verifies: false, begin: () => () => {} }
    const copied = later(random.below(30)).then(() => backupChain(request))
    await Promise.all([later(random.below(30)).then(() => devnet.dev.revert({ id })), copied])
    await using restored = await startDevnet({ pluginDir, dataDir: target })
    const l1s = created.map((l1) => ({ ...l1, rpcUrl: l1.rpcUrl.replace(devnet.url, restored.url) }))
    expect([early, late], `round ${round}`).toContainEqual(await new ThreeChains(restored.rpc, l1s).state())
  }
})

test("a backup leaves the data of an L1 that was removed and that a snapshot needs", needsPlugin("subnet-evm"), async () => {
  const dataDir = join(dir, "removed-and-backed-up")
  await using devnet = await startDevnet({ pluginDir, dataDir })
  const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
  await pay(l1, 0)
  const { id } = await devnet.dev.snapshot()
  await devnet.dev.removeL1({ name: "mine" })
  const request = { dataDir, target: join(dir, "without"), verifies: false, begin: () => () => {} }
  expect((await backupChain(request)).l1s).toEqual([])
  await devnet.dev.revert({ id })
  await pay(l1, 1)
  await devnet.stop()
  await using again = await startDevnet({ pluginDir, dataDir })
  expect((await again.dev.listL1s()).l1s).toMatchObject([{ name: "mine", state: "running", height: 2n }])
})

test("the L1s of a snapshot are there in the very commit that reverts the P-Chain", needsPlugin("subnet-evm"), async () => {
  const dataDir = join(dir, "reverted")
  const killed = join(dir, "killed")
  const node = await startPrivateNode({
    ...{ dataDir, pluginDir, choice: { now: 0n }, dialect: "contract", isPublic: false },
    ...{ log: silentLog, wall: () => Date.now() },
  })
  const call = clientOf(node.api)
  await call("dev.createL1", { name: "mine", vm: "subnet-evm" })
  const { id } = await call("dev.snapshot")
  await call("dev.removeL1", { name: "mine" })
  // A kill at this moment leaves these files.
  const unwatch = node.privateChain.onAccepted(({ kind }) => kind === "revert" && cpSync(dataDir, killed, { recursive: true }))
  await call("dev.revert", { id })
  unwatch()
  await node.stop()
  await using again = await startDevnet({ pluginDir, dataDir: killed })
  expect((await again.dev.listL1s()).l1s).toMatchObject([{ name: "mine", state: "running", height: 0n }])
})

test("an L1 that a loaded P-Chain has begins again from its genesis", needsPlugin("subnet-evm"), async () => {
  const dataDir = join(dir, "loaded")
  await using devnet = await startDevnet({ pluginDir, dataDir })
  const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
  const target = join(dir, "for-state")
  await backupChain({ dataDir, target, verifies: false, begin: () => () => {} })
  await using withoutL1s = await startDevnet({ dataDir: target })
  const { state } = await withoutL1s.dev.dumpState()
  await pay(l1, 0)
  await devnet.createL1({ name: "later", vm: "subnet-evm" })
  await devnet.dev.loadState({ state })
  expect((await devnet.dev.listL1s()).l1s).toMatchObject([{ name: "mine", state: "running", height: 0n }])
  expect((await pay(l1, 0)).blockNumber).toBe("0x1")
})
