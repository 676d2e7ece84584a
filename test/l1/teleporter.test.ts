import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { parseID } from "../../src/core/types/id.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { eth } from "./evm.js"
import { deployMessenger, messenger, transact } from "./exchange.js"
import { icmBytecode, needsIcm } from "./icm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

const word = (value: bigint | number | string) =>
  (typeof value === "string" ? value.replace(/^0x/, "").toLowerCase() : value.toString(16)).padStart(64, "0")

/** `sendCrossChainMessage((bytes32,address,(address,uint256),uint256,address[],bytes))` with a text, to an account. */
function sendCall(destination: string, receiver: string, gasLimit: bigint, text: string): string {
  const hex = Buffer.from(text).toString("hex")
  const body = text === "" ? "" : hex.padEnd(Math.ceil(hex.length / 64) * 64, "0")
  return `0x62448850${[
    ...[word(32), destination, word(receiver), word(0), word(0), word(gasLimit), word(7 * 32), word(8 * 32)],
    ...[word(0), word(hex.length / 2), body],
  ].join("")}`
}

describe("ICM's own TeleporterMessenger", { ...needsPlugin("subnet-evm"), timeout: 120_000 }, () => {
  describe("on two L1s", needsIcm, () => {
    let devnet: Devnet
    let first: DevnetL1
    let second: DevnetL1

    beforeAll(async () => {
      devnet = await startDevnet({ pluginDir, autoRelay: true })
      first = await devnet.createL1({ name: "first", vm: "subnet-evm" })
      second = await devnet.createL1({ name: "second", vm: "subnet-evm" })
      for (const l1 of [first, second]) await deployMessenger(l1, icmBytecode("teleporter/TeleporterMessenger"))
    })
    afterAll(() => devnet?.stop())

    test("100 messages arrive in order, each once", async () => {
      const send = async (from: DevnetL1, to: DevnetL1) => {
        for (let i = 0; i < 50; i++) {
          const data = sendCall(parseID(to.chainID), "0xaa", 0n, "")
          expect((await transact(from, { to: messenger, data })).status).toBe("0x1")
        }
      }
      await Promise.all([send(first, second), send(second, first)])
      await vi.waitFor(
        async () => {
          const { messages } = await devnet.dev.listMessages()
          expect(messages.map(({ state, reason }) => `${state} ${reason ?? ""}`.trim())).toEqual(Array(100).fill("delivered"))
        },
        { timeout: 60_000, interval: 200 },
      )
      const RECEIVED = "0x292ee90bbaf70b5d4936025e09d56ba08f3e421156b6a568cf3c2840d9343e34"
      const { messages } = await devnet.dev.listMessages()
      for (const l1 of [first, second]) {
        const filter = { fromBlock: "0x0", toBlock: "latest", address: messenger, topics: [RECEIVED] }
        const logs = (await eth(l1.rpcUrl, "eth_getLogs", [filter])) as { topics: string[] }[]
        const expected = messages.filter(({ destinationChainID }) => destinationChainID === l1.chainID)
        expect(expected.map(({ nonce }) => Number(nonce))).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
        expect(logs.map(({ topics }) => topics[1])).toEqual(expected.map(({ icmID }) => icmID))
      }
    })

    test("a message whose receiver is no contract is delivered, and the answer says that the receiver failed", async () => {
      const data = sendCall(parseID(second.chainID), "0xaa", 200_000n, "hello")
      await transact(first, { to: messenger, data })
      await vi.waitFor(async () => {
        const last = (await devnet.dev.listMessages()).messages.at(-1)
        expect(last).toMatchObject({ nonce: 51n, state: "delivered", reason: expect.stringMatching(/^the receiver failed/) })
      }, 20_000)
    })
  })
})
