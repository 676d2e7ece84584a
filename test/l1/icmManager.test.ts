import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { toHex } from "../../src/core/lib/bytes.js"
import { parsePChainAddress } from "../../src/core/types/address.js"
import { P_CHAIN_ID, parseID, parseNodeID } from "../../src/core/types/id.js"
import { unsignedMessage } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"
import { encodePChainMessage } from "../../src/core/types/warp/pChainMessage.js"
import { type Devnet, type DevnetL1, startDevnet } from "../../src/devnet/devnet.js"
import { sentMessages, warpAccessList } from "../../src/evm/warpLogs.js"
import { eth } from "./evm.js"
import { messenger as manager, type Transaction, transact } from "./exchange.js"
import { icmBytecode, needsIcm } from "./icm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

/** A value of the ABI: its words, or the content of one whose size varies. */
type AbiValue = string | { readonly content: string }

const word = (value: bigint | number | string) =>
  (typeof value === "string" ? value.replace(/^0x/, "").toLowerCase() : value.toString(16)).padStart(64, "0")

/** Encodes values one after the other, as the arguments of a call or the members of a structure. */
function tuple(...values: readonly AbiValue[]): string {
  let place = values.length * 32
  const heads = values.map((value) => {
    if (typeof value === "string") return value
    const head = word(place)
    place += value.content.length / 2
    return head
  })
  return [...heads, ...values.map((value) => (typeof value === "string" ? "" : value.content))].join("")
}
const bytesOf = (hex: string): AbiValue => ({
  content: word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, "0"),
})
const listOf = (items: readonly AbiValue[]): AbiValue => ({ content: word(items.length) + tuple(...items) })

describe("ICM's own ValidatorManager", { ...needsPlugin("subnet-evm"), timeout: 120_000 }, () => {
  describe("on an L1", needsIcm, () => {
    let devnet: Devnet
    let l1: DevnetL1

    beforeAll(async () => {
      devnet = await startDevnet({ pluginDir })
      l1 = await devnet.createL1({ name: "mine", vm: "subnet-evm", validators: 2, managerAddress: manager })
      // The library of its messages is a contract of its own.
      const { contractAddress } = await succeed({ data: icmBytecode("validator-manager/ValidatorManager", 1), key: 1 })
      const code = icmBytecode("validator-manager/ValidatorManager").replace(/__\$\w+\$__/g, contractAddress?.slice(2) ?? "")
      await succeed({ data: code + word(0) })
    })
    afterAll(() => devnet?.stop())

    async function succeed(call: Transaction) {
      const receipt = await transact(l1, call)
      expect(receipt.status).toBe("0x1")
      return receipt
    }
    const call = (selector: string, args: string, signed?: string) =>
      succeed({ to: manager, data: `0x${selector}${args}`, ...(signed ? { accessList: warpAccessList(signed) } : {}) })
    /** Lets the P-Chain carry out the message that a step of the contract sent, and the contract complete the step. */
    async function complete(selector: string, { logs }: Awaited<ReturnType<typeof call>>) {
      const [message = ""] = sentMessages(logs)
      const { answer, validationID } = await devnet.dev.issueL1Message({ unsignedMessage: message })
      await call(selector, word(0), answer)
      return validationID
    }
    const validators = async () => (await devnet.rpc("platform.getCurrentValidators", { subnetID: l1.subnetID })).validators
    const weights = async () => (await validators()).map(({ weight }) => Number(weight)).sort((a, b) => a - b)
    /** The status of a validator in the contract: 2 is active, 4 completed. Its weight is the sixth member. */
    async function inContract(validationID: string) {
      const data = `0xd5f20ff6${parseID(validationID)}`
      const answer = ((await eth(l1.rpcUrl, "eth_call", [{ to: manager, data }, "latest"])) as string).slice(2)
      const member = (index: number) => Number(`0x${answer.slice((index + 1) * 64, (index + 2) * 64)}`)
      return [member(0), member(5)]
    }

    test("initialises with the conversion, registers, changes the weight, and removes", async () => {
      const [admin] = l1.keys
      await call("736c87be", tuple(word(admin?.address as string), parseID(l1.subnetID), word(0), word(20)))
      const { conversionID } = (await devnet.rpc("platform.getSubnet", { subnetID: l1.subnetID })) as { conversionID: string }
      const payload = encodePayload({
        kind: "AddressedCall",
        sourceAddress: new Uint8Array(0),
        payload: encodePChainMessage({ kind: "SubnetToL1Conversion", id: parseID(conversionID) }),
      })
      const unsigned = encode(unsignedMessage, { networkID: 12345, sourceChainID: P_CHAIN_ID, payload })
      const { signedMessage } = await devnet.dev.signWarpMessage({ unsignedMessage: `0x${toHex(unsigned)}` })
      const first = (await validators()).map((each) => [parseNodeID(each.nodeID), each] as const)
      const initial = first
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([nodeID, { publicKey = "", weight }]): AbiValue => {
          return { content: tuple(bytesOf(nodeID), bytesOf(publicKey.slice(2)), word(weight as bigint)) }
        })
      const conversion = tuple(parseID(l1.subnetID), parseID(l1.chainID), word(manager), listOf(initial))
      await call("20d91b7a", tuple({ content: conversion }, word(0)), signedMessage)

      const { nodeID, publicKey } = await devnet.dev.newIdentity()
      const address = parsePChainAddress("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", "local")
      const owner = { content: tuple(word(1), listOf([word(address)])) }
      const registration = tuple(bytesOf(parseNodeID(nodeID)), bytesOf(publicKey.slice(2)), owner, owner, word(20))
      const validationID = await complete("a3a65e48", await call("9cb7624e", registration))
      expect(await weights()).toEqual([20, 100, 100])
      expect(await inContract(validationID)).toEqual([2, 20])

      await complete("ce161f14", await call("66109669", parseID(validationID) + word(30)))
      expect(await weights()).toEqual([30, 100, 100])
      expect(await inContract(validationID)).toEqual([2, 30])

      await complete("9681d940", await call("b6e6a2ca", parseID(validationID)))
      expect(await weights()).toEqual([100, 100])
      expect((await inContract(validationID))[0]).toBe(4)
    })
  })
})
