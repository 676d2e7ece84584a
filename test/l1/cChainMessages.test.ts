import { describe, expect, onTestFinished, test, vi } from "vitest"
import { idOf, idText } from "../../src/core/types/id.js"
import { decodeSignedMessage } from "../../src/core/types/warp/message.js"
import type { DevnetOptions } from "../../src/devnet/devnetOptions.js"
import { sentMessages } from "../../src/evm/warpLogs.js"
import { developerGenesis } from "../../src/hosting/developerChain.js"
import { RELAYER } from "../../src/relay/ports.js"
import { startWithCChain } from "./conservation.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { deployMessenger, sendMessage, upTo, waitForMessages } from "./exchange.js"
import { needsPlugin } from "./plugins.js"

describe("ICM messages between the C-Chain and an L1", { ...needsPlugin("coreth"), timeout: 120_000 }, () => {
  async function start(options: DevnetOptions = {}, genesis?: string) {
    const devnet = await startWithCChain({ ...options, cChain: { payAccounts: false } })
    onTestFinished(() => devnet.stop())
    const { blockchainID: chainID, rpcUrl, keys, chainID: evmChainID } = devnet.cChain
    const cChain = { chainID, rpcUrl, keys, evmChainID: BigInt(evmChainID) }
    const l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", validators: 2, ...(genesis && { genesis }) })
    await deployMessenger(cChain)
    await deployMessenger(l1)
    // The key of the sender would otherwise deliver, too, and both would count its transactions.
    const { privateKey } = keys[0]!
    const payment = { chainID: cChain.evmChainID, nonce: 1, to: RELAYER.address, value: 10n ** 20n, privateKey }
    await receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [signedTransfer(payment)]))
    return { devnet, cChain, l1 }
  }

  test("arrive in both directions by themselves, in order, each once", async () => {
    const { devnet, cChain, l1 } = await start({ autoRelay: true })
    for (const nonce of upTo(10)) {
      await sendMessage(cChain, l1, nonce)
      await sendMessage(l1, cChain, nonce)
    }
    await Promise.all([waitForMessages(cChain, upTo(10)), waitForMessages(l1, upTo(10))])
    // The L1 has messages of the C-Chain signed by its own validators.
    await vi.waitFor(async () => {
      const { messages } = await devnet.dev.listMessages()
      expect(messages.map(({ state, totalWeight }) => [state, totalWeight])).toEqual(Array(20).fill(["delivered", 200n]))
    }, 30_000)
  })

  test("are signed by the primary network for an L1 that asks for that", async () => {
    const text = JSON.parse(Buffer.from(developerGenesis(99_001n, [])).toString())
    const alloc = { "8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC": { balance: "0x52B7D2DCC80CD2E4000000" } }
    text.config.warpConfig.requirePrimaryNetworkSigners = true
    const genesis = `0x${Buffer.from(JSON.stringify({ ...text, alloc })).toString("hex")}`
    const { devnet, cChain, l1 } = await start({}, genesis)
    await sendMessage(cChain, l1, 1)
    await devnet.relay()
    await waitForMessages(l1, [1])
    const { messages } = await devnet.dev.listMessages()
    expect(messages).toMatchObject([{ state: "delivered", signers: { length: 5 } }])
  })

  test("are signed through the VM of the C-Chain by the validators of either", async () => {
    const { devnet, cChain, l1 } = await start()
    const { logs } = await sendMessage(cChain, l1, 1)
    const [message = ""] = sentMessages(logs)
    const id = idText(idOf(Buffer.from(message.slice(2), "hex")))
    for (const [subnetID, count] of [
      ["11111111111111111111111111111111LpoYY", 4],
      [l1.subnetID, 2],
    ] as const) {
      const signed = (await eth(cChain.rpcUrl, "warp_getMessageAggregateSignature", [id, 67, subnetID])) as string
      const { signature } = decodeSignedMessage(Buffer.from(signed.slice(2), "hex"))
      const signers = [...(signature as { signers: Uint8Array }).signers].reduce(
        (sum, byte) => sum + byte.toString(2).replaceAll("0", "").length,
        0,
      )
      expect([subnetID, signers]).toEqual([subnetID, count])
    }
    const { signedMessage } = await devnet.dev.signWarpMessage({ unsignedMessage: message, subnetID: l1.subnetID })
    expect(signedMessage.startsWith(message)).toBe(true)
  })
})
