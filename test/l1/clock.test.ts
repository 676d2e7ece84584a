import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test, vi } from "vitest"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { signEvmTransaction } from "../../src/evm/transaction.js"
import { startWithCChain } from "./conservation.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { needsClockPlugin, needsPlugin, plainPlugins, pluginDir } from "./plugins.js"

const dir = mkdtempSync(join(tmpdir(), "serac-clock-test-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const TWO_WEEKS = 1_209_600n
const to = "0x00000000000000000000000000000000000000aa"

type PaidChain = Pick<DevnetL1, "rpcUrl" | "evmChainID" | "keys">

/** Sends a payment on an EVM chain, and returns its hash. */
async function send({ rpcUrl, evmChainID, keys }: PaidChain): Promise<unknown> {
  const nonce = Number(await eth(rpcUrl, "eth_getTransactionCount", [keys[0]?.address, "latest"]))
  const transfer = { chainID: evmChainID as bigint, nonce, to, value: 1n, privateKey: keys[0]?.privateKey as string }
  return eth(rpcUrl, "eth_sendRawTransaction", [signedTransfer(transfer)])
}

/** Pays on an EVM chain, and returns the time of the block, Unix seconds. */
async function pay(chain: PaidChain): Promise<bigint> {
  await receiptOf(chain.rpcUrl, await send(chain))
  return latestTime(chain.rpcUrl)
}

async function timeOf(rpcUrl: string, block: string): Promise<bigint> {
  const { timestamp } = (await eth(rpcUrl, "eth_getBlockByNumber", [block, false])) as { timestamp: string }
  return BigInt(timestamp)
}

const latestTime = (rpcUrl: string) => timeOf(rpcUrl, "latest")

/** Expects that a time is now for the private chain, give or take the seconds of the test itself. */
function expectNow(time: bigint, devnet: Devnet): void {
  const behind = devnet.now() - time
  expect({ behind, isNow: behind >= 0n && behind <= 3n }).toEqual({ behind, isNow: true })
}

describe("plugins that follow the clock", { ...needsClockPlugin("coreth"), timeout: 120_000 }, () => {
  const cChainOf = ({ cChain }: Awaited<ReturnType<typeof startWithCChain>>) => ({
    ...{ rpcUrl: cChain.rpcUrl, keys: cChain.keys },
    evmChainID: BigInt(cChain.chainID),
  })

  test("one move takes all chains along, a restart keeps it, and a revert takes it back", async () => {
    const dataDir = join(dir, "all")
    {
      await using devnet = await startWithCChain({ dataDir })
      const l1s = [cChainOf(devnet), await devnet.createL1({ name: "mine", vm: "subnet-evm" })]
      l1s.push(await devnet.createL1({ name: "yours", vm: "subnet-evm" }))
      const machine = devnet.now()
      for (const l1 of l1s) expectNow(await pay(l1), devnet)
      const { id } = await devnet.dev.snapshot()
      const { l1sNotMoved, l1sNotStopped } = await devnet.dev.advanceTime({ seconds: TWO_WEEKS })
      expect({ l1sNotMoved, l1sNotStopped }).toEqual({ l1sNotMoved: undefined, l1sNotStopped: undefined })
      expect(devnet.now() - machine).toBeGreaterThanOrEqual(TWO_WEEKS)
      // The latest block of each shows it.
      for (const l1 of l1s) expectNow(await latestTime(l1.rpcUrl), devnet)
      for (const l1 of l1s) expectNow(await pay(l1), devnet)
      await devnet.isConserved()
      await devnet.dev.revert({ id })
      expect(devnet.now() - machine).toBeLessThan(60n)
      for (const l1 of l1s) expectNow(await pay(l1), devnet)
      const before = await Promise.all(l1s.map(({ rpcUrl }) => latestTime(rpcUrl)))
      await devnet.dev.advanceTime({ seconds: TWO_WEEKS, l1Blocks: false })
      expect(await Promise.all(l1s.map(({ rpcUrl }) => latestTime(rpcUrl)))).toEqual(before)
      for (const l1 of l1s) expectNow(await pay(l1), devnet)
    }
    await using devnet = await startWithCChain({ dataDir })
    const [mine] = (await devnet.dev.listL1s()).l1s
    expect(mine).toMatchObject({ name: "mine", clock: expect.stringMatching(/^(moves|stops)$/) })
    const rpcUrl = `${devnet.url}/ext/bc/mine/rpc`
    for (const each of [cChainOf(devnet), { ...mine!, rpcUrl }]) expectNow(await pay(each), devnet)
  })

  test("a clock that stands still is shown by the blocks, and goes on", async () => {
    await using devnet = await startWithCChain()
    const l1s = [cChainOf(devnet), await devnet.createL1({ name: "mine", vm: "subnet-evm" })]
    const at = devnet.now() + TWO_WEEKS
    const stopped = await devnet.dev.setTime({ to: at, frozen: true })
    const isStopped = stopped.l1sNotStopped === undefined
    // A plugin that moves and does not stop is named, and goes on.
    if (!isStopped) expect(stopped.l1sNotStopped).toEqual(["C", "mine"])
    for (const l1 of l1s) {
      const time = await pay(l1)
      if (isStopped) expect(time).toBe(at)
      else expect(time >= at && time <= at + 60n).toBe(true)
    }
    expect(devnet.now()).toBe(at)
    await devnet.dev.setTime({ to: at + 60n, frozen: false })
    for (const l1 of l1s) expectNow(await pay(l1), devnet)
  })

  test("a chain whose rules make no block while the clock stands still says so, and makes it when time goes on", async () => {
    await using devnet = await startWithCChain()
    const { cChain, dev } = devnet
    const { l1sNotStopped } = await dev.setTime({ to: devnet.now() + 60n, frozen: true })
    if (l1sNotStopped) return
    await pay(cChainOf(devnet))
    // A tip of 1 wei does not pay for a block. What a block costs falls with time.
    const baseFee = BigInt((await eth(cChain.rpcUrl, "eth_baseFee")) as string)
    const nonce = BigInt((await eth(cChain.rpcUrl, "eth_getTransactionCount", [cChain.keys[0]!.address, "latest"])) as string)
    const cheap = { chainID: BigInt(cChain.chainID), nonce, to, value: 1n, gas: 21_000n, gasPrice: baseFee + 1n, tip: 1n }
    const raw = signEvmTransaction(cheap, hexToBytes(cChain.keys[0]!.privateKey.slice(2)))
    const hash = await eth(cChain.rpcUrl, "eth_sendRawTransaction", [raw])
    const reason = async () => (await dev.status()).cChain?.reason
    await vi.waitFor(async () => expect(await reason()).toMatch(/^its VM makes no block while the clock stands still: /), 20_000)
    await dev.advanceTime({ seconds: 60, l1Blocks: false })
    expect((await receiptOf(cChain.rpcUrl, hash)).status).toBe("0x1")
    expect(await reason()).toBeUndefined()
  })

  test("what waits gets its block on the way of a move, in the order of time, unless blocks are made on request", async () => {
    await using devnet = await startWithCChain()
    const l1s = [cChainOf(devnet), await devnet.createL1({ name: "mine", vm: "subnet-evm" })]
    await devnet.dev.setBlockMode({ mode: "interval", seconds: 3600 })
    const hashes = await Promise.all(l1s.map(send))
    const start = devnet.now()
    await devnet.dev.advanceTime({ seconds: TWO_WEEKS })
    for (const [i, { rpcUrl }] of l1s.entries()) {
      const { blockNumber } = await receiptOf(rpcUrl, hashes[i])
      const after = (await timeOf(rpcUrl, blockNumber)) - start
      expect({ after, isInTime: after >= 3600n && after < 3660n }).toEqual({ after, isInTime: true })
      expectNow(await latestTime(rpcUrl), devnet)
    }
    await devnet.dev.setBlockMode({ mode: "manual" })
    const before = await Promise.all(l1s.map(({ rpcUrl }) => latestTime(rpcUrl)))
    await Promise.all(l1s.map(send))
    await devnet.dev.advanceTime({ seconds: TWO_WEEKS })
    expect(await Promise.all(l1s.map(({ rpcUrl }) => latestTime(rpcUrl)))).toEqual(before)
    for (const l1 of ["C", "mine"]) expect(await devnet.dev.mine({ l1 })).toMatchObject({ blocks: 1 })
    for (const { rpcUrl } of l1s) expectNow(await latestTime(rpcUrl), devnet)
    await devnet.dev.setBlockMode({ mode: "auto" })
  })

  test("a chain that starts at another time has its L1s there, too", async () => {
    const startTime = BigInt(Math.floor(Date.now() / 1000)) + 365n * 86_400n
    await using devnet = await startWithCChain({ startTime })
    for (const l1 of [cChainOf(devnet), await devnet.createL1({ name: "mine", vm: "subnet-evm" })]) {
      const time = await pay(l1)
      expect(time).toBeGreaterThanOrEqual(startTime)
      expectNow(time, devnet)
    }
  })
})

describe("a plugin that does not follow the clock", { ...needsPlugin("subnet-evm"), timeout: 120_000 }, () => {
  test("is named, and keeps the machine's time", async () => {
    await using devnet = await startDevnet({ pluginDir: plainPlugins(dir) })
    const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
    expect(l1.clock).toBe("none")
    const before = devnet.now()
    expect(await devnet.dev.advanceTime({ seconds: TWO_WEEKS })).toMatchObject({ l1sNotMoved: ["mine"] })
    expect((await pay(l1)) - before).toBeLessThan(60n)
  })

  test("is refused by name on a chain that was moved", needsClockPlugin("subnet-evm"), async () => {
    const dataDir = join(dir, "refused")
    {
      await using devnet = await startDevnet({ pluginDir, dataDir })
      const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
      await devnet.dev.advanceTime({ seconds: TWO_WEEKS })
      await pay(l1)
    }
    await using devnet = await startDevnet({ pluginDir: plainPlugins(dir), dataDir })
    await expect(devnet.dev.startL1({ name: "mine" })).rejects.toMatchObject({ code: "vm.clock" })
    expect((await devnet.dev.listL1s()).l1s).toMatchObject([
      { name: "mine", state: "restarting", reason: expect.stringContaining("cannot follow the clock") },
    ])
  })
})
