import { expect, test } from "vitest"
import { AtomicWallet } from "./cChain.js"
import { startWithCChain } from "./conservation.js"
import { vestingBytecode } from "./contracts/bytecode.js"
import { eth, receiptOf } from "./evm.js"
import { needsClockPlugin } from "./plugins.js"

const AVAX = 10n ** 9n
const TWO_WEEKS = 1_209_600n
const [IS_OVER, RELEASE] = ["0xb4bd9e27", "0x86d1a69f"]
const word = (value: string | bigint) =>
  (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0")

test("all of Avalanche in one process: what vests on C is paid when the stake on P ends, and both go back together", {
  ...needsClockPlugin("coreth"),
  timeout: 120_000,
}, async () => {
  await using devnet = await startWithCChain()
  const { cChain, dev } = devnet
  const ask = (method: string, ...params: unknown[]) => eth(cChain.rpcUrl, method, params)
  const user = await AtomicWallet.open(devnet.url, { privateKey: devnet.keys[0]!.privateKey, evm: cChain.keys[0]! }, cChain)
  const [validator] = (await dev.addValidators({ count: 1, duration: 3n * TWO_WEEKS })).nodeIDs
  const { id } = await dev.snapshot()

  await user.exportFromC(50n * AVAX)
  await user.importToP()
  const end = devnet.now() + TWO_WEEKS
  await user.delegate(validator!, 25n * AVAX, end)
  const staked = await user.wallet.balance(user.key)

  const [, , payer] = (await ask("eth_accounts")) as string[]
  const beneficiary = `0x${"00".repeat(19)}bb`
  const data = `${vestingBytecode}${word(beneficiary)}${word(end)}`
  const { contractAddress: to } = await receiptOf(
    cChain.rpcUrl,
    await ask("eth_sendTransaction", { from: payer, data, value: "0x7" }),
  )
  const isOver = async () => BigInt((await ask("eth_call", { to, data: IS_OVER }, "latest")) as string) === 1n
  expect(await isOver()).toBe(false)
  await expect(ask("eth_sendTransaction", { from: payer, to, data: RELEASE })).rejects.toThrow("not yet")

  const { rewarded, l1sNotMoved } = await dev.advanceTime({ to: end })
  expect({ rewarded, l1sNotMoved }).toEqual({ rewarded: 1, l1sNotMoved: undefined })
  // A call that only reads sees the time of the latest block.
  expect(await isOver()).toBe(true)
  const { status } = await receiptOf(cChain.rpcUrl, await ask("eth_sendTransaction", { from: payer, to, data: RELEASE }))
  expect([status, await ask("eth_getBalance", beneficiary, "latest")]).toEqual(["0x1", "0x7"])
  const reward = (await user.wallet.balance(user.key)) - staked - 25n * AVAX
  expect(reward).toBeGreaterThan(0n)
  await user.exportFromP(25n * AVAX + reward)
  await user.importToC()

  await devnet.isConserved()
  await dev.revert({ id })
  expect(devnet.now()).toBeLessThan(end)
  expect([await ask("eth_getCode", to, "latest"), await ask("eth_getBalance", beneficiary, "latest")]).toEqual(["0x", "0x0"])
})
