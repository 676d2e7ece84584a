import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test, vi } from "vitest"
import { type Devnet, type DevnetCChain, startDevnet } from "../../src/devnet/devnet.js"
import { AtomicWallet } from "./cChain.js"
import { expectConserved, startWithCChain } from "./conservation.js"
import { eth } from "./evm.js"
import { needsPlugin } from "./plugins.js"

const dir = mkdtempSync(join(tmpdir(), "serac-c-chain-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const AVAX = 10n ** 9n
const TWO_WEEKS = 1_209_600n
const X = "0x00000000000000000000000000000000000000Ab"

const open = (devnet: Devnet, cChain: DevnetCChain) =>
  AtomicWallet.open(devnet.url, { privateKey: devnet.keys[0]!.privateKey, evm: cChain.keys[0]! }, cChain)

describe("the C-Chain", { ...needsPlugin("coreth"), timeout: 120_000 }, () => {
  test("is that of the genesis, and is named as on AvalancheGo", async () => {
    await using devnet = await startWithCChain()
    const { cChain, rpc } = devnet
    expect(cChain.chainID).toBe(43_112)
    expect(await eth(cChain.rpcUrl, "eth_chainId")).toBe("0xa868")
    // As AvalancheGo v1.14.2 has it with Fortuna's rules.
    const genesis = (await eth(cChain.rpcUrl, "eth_getBlockByNumber", ["0x0", false])) as { hash: string }
    expect(genesis.hash).toBe("0x17a7011ebbed7c97c7858cec856bd462a1fe9c216ef5f110b40c3b573dc84c6f")
    expect(await rpc("info.getBlockchainID", { alias: "C" })).toEqual({ blockchainID: cChain.blockchainID })
    expect(await rpc("info.isBootstrapped", { chain: "C" })).toEqual({ isBootstrapped: true })
    expect((await rpc("info.getVMs")).vms).toMatchObject({ mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6: ["evm"] })
    expect(await rpc("platform.getBlockchainStatus", { blockchainID: "C" })).toEqual({ status: "Validating" })
    expect((await rpc("dev.listL1s")).l1s).toEqual([])
  })

  test("pays the accounts of the private chain once, and not if it is told so", async () => {
    const dataDir = join(dir, "paid")
    const balances = async (cChain: DevnetCChain) =>
      Promise.all(cChain.keys.slice(2).map(({ address }) => eth(cChain.rpcUrl, "eth_getBalance", [address, "latest"])))
    const amount = `0x${(100_000n * 10n ** 18n).toString(16)}`
    for (let start = 0; start < 2; start++) {
      await using devnet = await startWithCChain({ accounts: 3, dataDir })
      expect(await balances(devnet.cChain)).toEqual([amount, amount, amount])
    }
    await using other = await startWithCChain({ cChain: { payAccounts: false }, accounts: 3 })
    expect(other.cChain.keys).toHaveLength(1)
    expect(await eth(other.cChain.rpcUrl, "eth_blockNumber")).toBe("0x0")
  })

  test("AVAX goes C → P, is staked for two weeks and rewarded, and goes back; a revert takes both chains back", async () => {
    const dataDir = join(dir, "story")
    await using devnet = await startWithCChain({ dataDir })
    const { cChain, dev } = devnet
    const user = await open(devnet, cChain)
    const [validator] = (await dev.addValidators({ count: 1, duration: 3n * TWO_WEEKS })).nodeIDs
    const before = { p: await user.wallet.balance(user.key), c: await user.weiBalance() }
    const { id } = await dev.snapshot()

    await user.exportFromC(50n * AVAX)
    expect(await user.waitingForP()).toBe(50n * AVAX)
    expect(before.c - (await user.weiBalance())).toBe((50n * AVAX + 100_000n) * AVAX)
    await user.importToP()
    expect(await user.waitingForP()).toBe(0n)
    const onP = await user.wallet.balance(user.key)
    expect(onP).toBeGreaterThan(before.p + 49n * AVAX)
    await user.delegate(validator!, 25n * AVAX, devnet.now() + TWO_WEEKS)
    const staked = await user.wallet.balance(user.key)
    await dev.advanceTime({ seconds: TWO_WEEKS + 60n })
    const reward = (await user.wallet.balance(user.key)) - staked - 25n * AVAX
    expect(reward).toBeGreaterThan(0n)
    await user.exportFromP(25n * AVAX + reward)
    await user.importToC()
    expect(before.c - (await user.weiBalance())).toBe((25n * AVAX - reward + 200_000n) * AVAX)
    await expectConserved(dataDir, cChain.rpcUrl)

    await dev.revert({ id })
    const again = await open(devnet, cChain)
    expect({ p: await again.wallet.balance(again.key), c: await again.weiBalance() }).toEqual(before)
    expect(await again.waitingForP()).toBe(0n)
    await again.exportFromC(7n * AVAX)
    await again.importToP()
    expect(await again.wallet.balance(again.key)).toBeGreaterThan(before.p + 6n * AVAX)
    expect((await again.pay(X, 5n)).status).toBe("0x1")
    expect(await again.weiBalance(X)).toBe(5n)
  })

  test("a reset and a loaded state begin the C-Chain at its genesis again, with nothing on its way", async () => {
    const dataDir = join(dir, "reset")
    await using devnet = await startWithCChain({ dataDir, accounts: 2 })
    const { cChain, dev } = devnet
    const { state } = await dev.dumpState()
    const fresh = async () => {
      const user = await open(devnet, cChain)
      expect([await user.waitingForP(), await user.waitingForC()]).toEqual([0n, 0n])
      return user
    }
    for (const begin of [() => dev.reset(), () => dev.loadState({ state })]) {
      const user = await fresh()
      await user.exportFromC(5n * AVAX)
      await user.exportFromP(4n * AVAX)
      await expect(dev.dumpState()).rejects.toMatchObject({ code: "producer.c_chain_took_part" })
      await devnet.isConserved()
      await begin()
      await vi.waitFor(async () => expect((await dev.status()).cChain?.state).toBe("running"), 20_000)
      await expectConserved(dataDir, cChain.rpcUrl)
    }
    await (await fresh()).exportFromC(5n * AVAX)
  })

  test("both chains are there after a restart, with what waits between them", async () => {
    const dataDir = join(dir, "restart")
    {
      await using devnet = await startWithCChain({ dataDir })
      await (await open(devnet, devnet.cChain)).exportFromC(3n * AVAX)
    }
    await using devnet = await startWithCChain({ dataDir })
    const user = await open(devnet, devnet.cChain)
    expect(await user.waitingForP()).toBe(3n * AVAX)
    await user.importToP()
    expect(await user.waitingForP()).toBe(0n)
  })
})

test("a C-Chain needs a plugin, and a fork has none", async () => {
  const empty = mkdtempSync(join(dir, "no-plugins-"))
  await expect(startDevnet({ pluginDir: empty, cChain: true })).rejects.toMatchObject({ code: "vm.unknown_vm" })
  await expect(startDevnet({ cChain: true })).rejects.toMatchObject({ code: "node.bad_option" })
  await expect(startDevnet({ pluginDir: empty, cChain: { upgrade: "helicon" as "granite" } })).rejects.toMatchObject({
    code: "node.bad_option",
  })
  const dataDir = join(dir, "forked")
  await (await startDevnet({ dataDir })).stop()
  await expect(startDevnet({ fork: dataDir, pluginDir: empty, cChain: true })).rejects.toMatchObject({ code: "vm.no_c_chain" })
})
