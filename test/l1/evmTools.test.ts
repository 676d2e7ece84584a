import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { needs } from "../needs.js"
import { needsClockPlugin, pluginDir } from "./plugins.js"

const viemDir = join(process.env.SERAC_VIEM ?? "", "viem")
const needsViem = needs(process.env.SERAC_VIEM !== undefined && existsSync(viemDir), "viem in the directory SERAC_VIEM")

/** What the tests use of viem. Its types are not installed here. */
type Client = Readonly<Record<string, (args?: object) => Promise<never>>>
interface Viem {
  createTestClient(options: object): Client
  createPublicClient(options: object): Client
  createWalletClient(options: object): Client
  http(url: string): object
}

const DAY = 86_400

describe("viem's test client", { ...needsClockPlugin("subnet-evm"), timeout: 120_000 }, () => {
  describe.each(["anvil", "hardhat"])("in the mode %s", needsViem, (mode) => {
    let devnet: Devnet
    let l1: DevnetL1
    let clients: { test: Client; reader: Client; wallet: Client; account: string }

    beforeAll(async () => {
      devnet = await startDevnet({ pluginDir })
      l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
      const viem = (await import(pathToFileURL(join(viemDir, "_esm", "index.js")).href)) as Viem
      const account = l1.keys[0]?.address as string
      const rpcUrls = { default: { http: [l1.rpcUrl] } }
      const chain = { id: 99_001, name: "mine", nativeCurrency: { name: "T", symbol: "T", decimals: 18 }, rpcUrls }
      const options = { chain, transport: viem.http(l1.rpcUrl), pollingInterval: 10 }
      clients = {
        test: viem.createTestClient({ ...options, mode }),
        reader: viem.createPublicClient(options),
        wallet: viem.createWalletClient({ ...options, account }),
        account,
      }
    })
    afterAll(() => devnet?.stop())

    const latest = async () => (await clients.reader.getBlock?.()) as unknown as { number: bigint; timestamp: bigint }
    const pay = async (value: bigint) => {
      const hash = await clients.wallet.sendTransaction?.({ to: `0x${"00".repeat(19)}aa`, value })
      return clients.reader.waitForTransactionReceipt?.({ hash }) as unknown as { status: string; blockNumber: bigint }
    }

    test("moves the time, makes blocks, and goes back", async () => {
      const { test: client } = clients
      const before = await latest()
      const id = await client.snapshot?.()
      await client.increaseTime?.({ seconds: DAY })
      await client.mine?.({ blocks: 2, interval: 60 })
      const moved = await latest()
      expect(moved.number).toBe(before.number + 2n)
      expect(Number(moved.timestamp - before.timestamp)).toBeGreaterThanOrEqual(DAY + 60)
      const at = moved.timestamp + BigInt(DAY)
      await client.setNextBlockTimestamp?.({ timestamp: at })
      const { status, blockNumber } = await pay(5n)
      expect([status, blockNumber, (await latest()).timestamp]).toEqual(["success", moved.number + 1n, at])
      await client.revert?.({ id })
      expect(await latest()).toMatchObject(before)
    })

    test("sets when blocks are made, and balances", async () => {
      const { test: client, wallet, reader } = clients
      await client.setAutomine?.(false as unknown as object)
      const hash = await wallet.sendTransaction?.({ to: `0x${"00".repeat(19)}aa`, value: 5n })
      await expect(reader.getTransactionReceipt?.({ hash })).rejects.toThrow("could not be found")
      await client.mine?.({ blocks: 1 })
      expect(await reader.getTransactionReceipt?.({ hash })).toMatchObject({ status: "success" })
      await client.setIntervalMining?.({ interval: 3 })
      expect((await devnet.dev.status()).blockMode).toEqual({ mode: "interval", seconds: 3 })
      await client.setAutomine?.(true as unknown as object)
      expect(await client.getAutomine?.()).toBe(true)
      const address = `0x${"00".repeat(19)}cc`
      await client.setBalance?.({ address, value: 10n ** 18n })
      expect(await reader.getBalance?.({ address })).toBe(10n ** 18n)
      await expect(client.setCode?.({ address, bytecode: "0x00" })).rejects.toThrow("deploy the contract")
    })
  })
})

const hardhatDir = process.env.SERAC_HARDHAT ?? ""
const hasHardhat = hardhatDir !== "" && existsSync(join(hardhatDir, "@nomicfoundation", "hardhat-network-helpers"))

/** A program with Hardhat's helpers, which prints what they did. */
const PROGRAM = `import hre from "hardhat"
const { networkHelpers: h, provider } = await hre.network.connect("mine")
const snapshot = await h.takeSnapshot()
const [block, time] = [await h.time.latestBlock(), await h.time.latest()]
await h.mine(3, { interval: 60 })
const mined = (await h.time.latestBlock()) - block
await h.time.increase(86400)
const increased = (await h.time.latest()) - time >= 86400
const at = (await h.time.latest()) + 1000
await h.time.increaseTo(at)
const increasedTo = (await h.time.latest()) - at
await h.time.setNextBlockTimestamp(at + 500)
await h.mine()
const next = (await h.time.latest()) - at
const address = "0x00000000000000000000000000000000000000cc"
await h.setBalance(address, 10n ** 18n)
const [from] = await provider.request({ method: "eth_accounts" })
await provider.request({ method: "eth_sendTransaction", params: [{ from, to: address, value: "0x1" }] })
await h.mine()
const balance = await provider.request({ method: "eth_getBalance", params: [address, "latest"] })
const code = await h.setCode(address, "0x00").catch(({ message }) => message)
await snapshot.restore()
console.log(JSON.stringify({ mined, increased, increasedTo, next, balance, code, back: (await h.time.latestBlock()) - block }))
`

test("Hardhat 3's network helpers move the time, make blocks, pay, and go back", {
  ...(hasHardhat
    ? needsClockPlugin("subnet-evm")
    : needs(false, "hardhat 3 and hardhat-network-helpers in the directory SERAC_HARDHAT")),
  timeout: 120_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-hardhat-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  await using devnet = await startDevnet({ pluginDir })
  const { rpcUrl } = await devnet.createL1({ name: "mine", vm: "subnet-evm" })
  const networks = { mine: { type: "http", chainType: "l1", url: `${rpcUrl}?as=hardhat`, accounts: "remote" } }
  symlinkSync(resolve(hardhatDir), join(dir, "node_modules"))
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }')
  writeFileSync(
    join(dir, "hardhat.config.js"),
    `import helpers from "@nomicfoundation/hardhat-network-helpers"\nexport default { plugins: [helpers], networks: ${JSON.stringify(networks)} }\n`,
  )
  writeFileSync(join(dir, "program.js"), PROGRAM)
  const printed = await new Promise<string>((fulfil, reject) => {
    execFile(process.execPath, ["--preserve-symlinks", "program.js"], { cwd: dir }, (error, stdout, stderr) =>
      error ? reject(new Error(stderr)) : fulfil(stdout),
    )
  })
  expect(JSON.parse(printed)).toEqual({
    ...{ mined: 3, increased: true, increasedTo: 0, next: 500, balance: "0xde0b6b3a7640001", back: 0 },
    code: expect.stringContaining("deploy the contract"),
  })
})
