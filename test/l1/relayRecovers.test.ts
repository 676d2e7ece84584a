import { afterEach, describe, expect, test, vi } from "vitest"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { developerGenesis } from "../../src/hosting/developerChain.js"
import { eth } from "./evm.js"
import { deployMessenger, messenger, sendMessage, transact, waitForMessages } from "./exchange.js"
import { messengerCode } from "./messenger.js"
import { needsPlugin, pluginDir } from "./plugins.js"

describe("the relay goes on", { ...needsPlugin("subnet-evm"), timeout: 120_000 }, () => {
  let devnet: Devnet
  afterEach(() => devnet?.stop())

  const start = async () => {
    devnet = await startDevnet({ pluginDir, autoRelay: true })
  }
  const evm = (name: string, more: object = {}) => devnet.createL1({ name, vm: "subnet-evm", ...more })
  const messages = async () => (await devnet.dev.listMessages()).messages

  test("after a contract that answers nothing at the address of the messenger", async () => {
    await start()
    const [first, second] = [await evm("first"), await evm("second")]
    await deployMessenger(first)
    // STOP
    await transact(second, { data: "0x6001600c60003960016000f300" })
    await sendMessage(first, second, 1)
    const reason = `the contract at ${messenger.toLowerCase()} on the destination is not one of ICM`
    await vi.waitFor(async () => expect(await messages()).toMatchObject([{ state: "failed", reason }]), 10_000)
  })

  test("when a validator joins between a delivery and its block", async () => {
    await start()
    const [first, second] = [await evm("first", { validators: 1 }), await evm("second")]
    for (const l1 of [first, second]) await deployMessenger(l1)
    await devnet.dev.stopL1({ name: "second" })
    await sendMessage(first, second, 1)
    await devnet.dev.setBlockMode({ mode: "manual" })
    await devnet.dev.startL1({ name: "second" })
    const mined = () => devnet.dev.mine({ l1: "second", blocks: 1 })
    // The delivery waits for its block.
    const pending = async () => ((await eth(second.rpcUrl, "txpool_status")) as { readonly pending: string }).pending
    await vi.waitFor(async () => expect(await pending()).toBe("0x1"), 10_000)
    await devnet.dev.registerL1Validator({ subnetID: first.subnetID, weight: 1000n })
    await devnet.dev.mine({ blocks: 1, filler: true })
    expect(await mined()).toMatchObject({ blocks: 1 })
    await vi.waitFor(async () => expect(await mined()).toMatchObject({ blocks: 1 }), 10_000)
    await waitForMessages(second, [1])
  })

  test("after a VM with a database of its own was killed and came back behind", async () => {
    await start()
    const first = await evm("first", { config: { "use-standalone-database": true, "warp-api-enabled": true } })
    const second = await evm("second")
    for (const l1 of [first, second]) await deployMessenger(l1)
    for (const nonce of [1, 2, 3]) await sendMessage(first, second, nonce)
    await waitForMessages(second, [1, 2, 3])
    const [{ pid, height } = { pid: undefined, height: undefined }] = (await devnet.dev.listL1s()).l1s
    process.kill(pid as number, "SIGKILL")
    await vi.waitFor(async () => {
      const [l1] = (await devnet.dev.listL1s()).l1s
      expect([l1?.state, l1?.restarts]).toEqual(["running", 1])
      expect(l1?.height).toBeLessThan(height as bigint)
    }, 20_000)
    await deployMessenger(first)
    for (const nonce of [4, 5]) await sendMessage(first, second, nonce)
    await waitForMessages(second, [1, 2, 3, 4, 5])
  })

  test("with a destination whose genesis has the contract, and that has no block", async () => {
    await start()
    const first = await evm("first")
    await deployMessenger(first)
    const addresses = first.keys.map(({ address }) => address)
    const genesis = JSON.parse(Buffer.from(developerGenesis(99_100n, addresses)).toString())
    genesis.alloc[messenger] = { balance: "0x0", code: messengerCode }
    const second = await evm("second", { genesis })
    await sendMessage(first, second, 1)
    await waitForMessages(second, [1])
    await vi.waitFor(async () => expect(await messages()).toMatchObject([{ nonce: 1n, state: "delivered" }]), 5000)
  })
})
