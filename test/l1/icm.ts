import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import { encode } from "../../src/core/codec/decode.js"
import { toHex, utf8 } from "../../src/core/lib/bytes.js"
import { P_CHAIN_ID, parseID, parseNodeID } from "../../src/core/types/id.js"
import { unsignedMessage } from "../../src/core/types/warp/message.js"
import { encodePayload } from "../../src/core/types/warp/payload.js"
import { encodePChainMessage } from "../../src/core/types/warp/pChainMessage.js"
import type { Devnet, DevnetL1 } from "../../src/devnet/devnet.js"
import { keccak256 } from "../../src/evm/address.js"
import { sentMessages, warpAccessList } from "../../src/evm/warpLogs.js"
import { needs } from "../needs.js"
import { messenger as manager, type Transaction, transact } from "./exchange.js"

/** The directory of a checkout of ICM's contracts (github.com/ava-labs/icm-contracts), if there is one. */
const checkout = process.env.SERAC_ICM ?? ""

/** Options of tests that need the contracts of ICM. */
export const needsIcm = needs(
  checkout !== "" && existsSync(join(checkout, "abi-bindings/go")),
  "a checkout of ava-labs/icm-contracts in the directory SERAC_ICM",
)

/** Returns the bytecode of a contract that the checkout has compiled, such as `teleporter/TeleporterMessenger`. */
export function icmBytecode(contract: string, index = 0): string {
  const name = contract.split("/").at(-1)
  const text = readFileSync(join(checkout, "abi-bindings/go", contract, `${name}.go`), "utf8")
  const found = [...text.matchAll(/Bin: *"(0x[0-9a-f_$A-Za-z]+)"/g)][index]?.[1]
  if (found === undefined) throw new Error(`${contract} has no bytecode`)
  return found
}

/** A value of the ABI: its words, or the content of one whose size varies. */
export type AbiValue = string | { readonly content: string }

export const word = (value: bigint | number | string) =>
  (typeof value === "string" ? value.replace(/^0x/, "").toLowerCase() : value.toString(16)).padStart(64, "0")

/** Encodes values one after the other, as the arguments of a call or the members of a structure. */
export function tuple(...values: readonly AbiValue[]): string {
  let place = values.length * 32
  const heads = values.map((value) => {
    if (typeof value === "string") return value
    const head = word(place)
    place += value.content.length / 2
    return head
  })
  return [...heads, ...values.map((value) => (typeof value === "string" ? "" : value.content))].join("")
}
export const bytesOf = (hex: string): AbiValue => ({
  content: word(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, "0"),
})
export const listOf = (items: readonly AbiValue[]): AbiValue => ({ content: word(items.length) + tuple(...items) })

/** Returns the selector of a function of a contract, such as `transfer(address,uint256)`. */
export const selectorOf = (signature: string): string => toHex(keccak256(utf8(signature))).slice(0, 8)

/** Returns the code of a contract whose only library is the one of the validator manager's messages. */
export const linked = (code: string, library: string | null): string => code.replace(/__\$\w+\$__/g, library?.slice(2) ?? "")

/** Deploys ICM's ValidatorManager as the first contract of the first key of an L1, with the library of its messages by the second key. */
export async function deployManager({ dev, rpc }: Devnet, l1: DevnetL1) {
  async function succeed(call: Transaction) {
    const receipt = await transact(l1, call)
    expect(receipt.status).toBe("0x1")
    return receipt
  }
  const { contractAddress: library } = await succeed({ data: icmBytecode("validator-manager/ValidatorManager", 1), key: 1 })
  await succeed({ data: linked(icmBytecode("validator-manager/ValidatorManager"), library) + word(0) })

  /** Calls a function of a contract, by default of the manager, with a signed message. */
  const call = (selector: string, args: string, signed?: string, to = manager) =>
    succeed({ to, data: `0x${selector}${args}`, ...(signed ? { accessList: warpAccessList(signed) } : {}) })

  /** Lets the P-Chain carry out the message that a step of the contract sent, and a contract complete the step. */
  async function complete(selector: string, { logs }: Awaited<ReturnType<typeof call>>, to = manager) {
    const [message = ""] = sentMessages(logs)
    const { answer, validationID } = await dev.issueL1Message({ unsignedMessage: message })
    await call(selector, word(0), answer, to)
    return validationID
  }

  /** Initialises the contract, of which the first key is the administrator, with the validators of the conversion. */
  async function initialise(): Promise<void> {
    const [admin] = l1.keys
    await call("736c87be", tuple(word(admin?.address as string), parseID(l1.subnetID), word(0), word(20)))
    const { conversionID } = (await rpc("platform.getSubnet", { subnetID: l1.subnetID })) as { conversionID: string }
    const payload = encodePayload({
      kind: "AddressedCall",
      sourceAddress: new Uint8Array(0),
      payload: encodePChainMessage({ kind: "SubnetToL1Conversion", id: parseID(conversionID) }),
    })
    const unsigned = encode(unsignedMessage, { networkID: 12345, sourceChainID: P_CHAIN_ID, payload })
    const { signedMessage } = await dev.signWarpMessage({ unsignedMessage: `0x${toHex(unsigned)}` })
    const { validators } = await rpc("platform.getCurrentValidators", { subnetID: l1.subnetID })
    const initial = validators
      .map((each) => [parseNodeID(each.nodeID), each] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([nodeID, { publicKey = "", weight }]): AbiValue => {
        return { content: tuple(bytesOf(nodeID), bytesOf(publicKey.slice(2)), word(weight as bigint)) }
      })
    const conversion = tuple(parseID(l1.subnetID), parseID(l1.chainID), word(manager), listOf(initial))
    await call("20d91b7a", tuple({ content: conversion }, word(0)), signedMessage)
  }

  return { library, succeed, call, complete, initialise }
}
