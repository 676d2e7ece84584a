import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
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
