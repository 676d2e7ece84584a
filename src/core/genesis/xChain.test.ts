import { expect, test } from "vitest"
import { toHex } from "../lib/bytes.js"
import type { Address } from "../types/address.js"
import { idOf, idText } from "../types/id.js"
import type { Allocation } from "./config.js"
import { localConfig } from "./local.js"
import { avaxAssetIDOf, xGenesisBytes } from "./xChain.js"

const holder = (initialAmount: bigint, address: string, eth: string): Allocation => ({
  ethAddr: eth.repeat(20),
  avaxAddr: address.repeat(20) as Address,
  initialAmount,
  unlockSchedule: [],
})

test("the local X-Chain genesis and AVAX are the known ones, whenever the network starts", () => {
  const bytes = xGenesisBytes(12345, localConfig().allocations)
  expect(bytes).toHaveLength(226)
  expect(idOf(bytes)).toBe("cf485302d76193ce96e2ca42955a01a2c5a1e6c277ba3708e86a707c25c5e815")
  expect(idText(avaxAssetIDOf(bytes))).toBe("2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe")
})

test("holders of AVAX are sorted by amount, then address, and their Ethereum addresses make the memo", () => {
  const bytes = xGenesisBytes(7, [holder(9n, "aa", "01"), holder(2n, "bb", "02"), holder(0n, "cc", "03"), holder(2n, "ab", "04")])
  const output = (amount: string, address: string) =>
    `00000007${amount.padStart(16, "0")}0000000000000000${"00000001".repeat(2)}${address.repeat(20)}`
  expect(toHex(bytes)).toBe(
    [
      "0000 00000001 0004 41564158", // version, one asset, AVAX
      `00000007 ${"00".repeat(32)} 00000000 00000000`, // network, chain, no outputs, no inputs
      `0000003c ${"04".repeat(20)}${"02".repeat(20)}${"01".repeat(20)}`,
      "0009 4176616c616e636865 0004 41564158 09", // Avalanche, AVAX, denomination
      `00000001 00000000 00000003 ${output("2", "ab")}${output("2", "bb")}${output("9", "aa")}`,
    ]
      .join("")
      .replaceAll(" ", ""),
  )
})

test("holders that are equal but for their Ethereum addresses are refused where AvalancheGo's order of them is not known", () => {
  const eth = (i: number) => i.toString(16).padStart(2, "0")
  const tied = (count: number) => Array.from({ length: count }, (_, i) => holder(100n, "aa", eth(i)))
  const memo = (holders: readonly Allocation[]) => holders.map(({ ethAddr }) => ethAddr).join("")
  const last = holder(1n, "aa", "ff")
  const notSorted = [...tied(11), last]
  expect(toHex(xGenesisBytes(7, notSorted))).toContain(memo([last, ...tied(11)]))
  expect(toHex(xGenesisBytes(7, [last, ...tied(20)]))).toContain(memo([last, ...tied(20)]))
  const refusal = { code: "genesis.tied_holders", data: { amount: 100n, ethereumAddress: `0x${"00".repeat(20)}` } }
  expect(() => xGenesisBytes(7, [...tied(12), last])).toThrow(expect.objectContaining(refusal))
  const same = Array.from({ length: 12 }, () => holder(100n, "aa", "01"))
  expect(toHex(xGenesisBytes(7, [...same, last]))).toContain(memo([last, ...same]))
})

test("an X-Chain without allocations has no initial state", () => {
  const bytes = xGenesisBytes(7, [holder(0n, "aa", "01")])
  expect(toHex(bytes).endsWith("09" + "00000000")).toBe(true)
  expect(avaxAssetIDOf(bytes)).toMatch(/^[0-9a-f]{64}$/)
})

test("an X-Chain genesis without assets, or of other bytes, is refused", () => {
  const refusal = (code: string) => expect.objectContaining({ code })
  expect(() => avaxAssetIDOf(Uint8Array.of(0, 0, 0, 0, 0, 0))).toThrow(refusal("genesis.no_asset"))
  expect(() => avaxAssetIDOf(new Uint8Array(0))).toThrow(refusal("codec.no_version"))
})
