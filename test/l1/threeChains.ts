import { expect } from "vitest"
import type { Call } from "../../src/client/client.js"
import { type Address, addressText } from "../../src/core/types/address.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"

/** An L1 on which payments are made. */
export interface PaidL1 {
  readonly rpcUrl: string
  readonly evmChainID?: bigint | undefined
  readonly keys: readonly { readonly address: string; readonly privateKey: string }[]
}

const receiver = "0x00000000000000000000000000000000000000aa"

/** The receiver of payments on the P-Chain, and the amount of each, nAVAX. */
const address = addressText("11".repeat(20) as Address, "local")
const AMOUNT = 1_000_000_000n

/** Pays from the first funded key of an L1, and returns the receipt. */
export async function pay({ rpcUrl, evmChainID, keys }: PaidL1, nonce: number, value = 1n) {
  const privateKey = keys[0]?.privateKey as string
  const raw = signedTransfer({ chainID: evmChainID as bigint, nonce, to: receiver, value, privateKey })
  return receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
}

/** Returns what was paid on an L1. */
export const balance = async ({ rpcUrl }: PaidL1) => BigInt((await eth(rpcUrl, "eth_getBalance", [receiver, "latest"])) as string)

/** Returns the number of payments on an L1. */
export const payments = async ({ rpcUrl, keys }: PaidL1) =>
  Number(await eth(rpcUrl, "eth_getTransactionCount", [keys[0]?.address, "latest"]))

/**
 * Payments on two L1s and the P-Chain of which each is made after the one before it. At every moment the numbers of payments on the chains
 * differ by one at most, in one order.
 */
export class ThreeChains {
  readonly #call: Call
  readonly #l1s: readonly PaidL1[]

  constructor(call: Call, l1s: readonly PaidL1[]) {
    this.#call = call
    this.#l1s = l1s
  }

  /** The n-th cycle pays n on the first L1, then on the second one, then once on the P-Chain, unless that was done before a revert. */
  async cycle(): Promise<void> {
    const target = (await this.#paid()) + 1
    for (const l1 of this.#l1s) {
      const nonce = await payments(l1)
      if (nonce < target) await pay(l1, nonce, BigInt(target))
    }
    await this.#call("dev.fund", { address, amount: AMOUNT })
  }

  /** Returns the number of payments on each chain, and checks that the chains are at one moment. */
  async state(): Promise<readonly number[]> {
    const [first = 0, second = 0] = await Promise.all(this.#l1s.map(payments))
    const last = await this.#paid()
    const sum = (count: number) => (BigInt(count) * BigInt(count + 1)) / 2n
    expect(await Promise.all(this.#l1s.map(balance))).toEqual([sum(first), sum(second)])
    expect([`${last} ${last} ${last}`, `${last + 1} ${last} ${last}`, `${last + 1} ${last + 1} ${last}`]).toContain(
      `${first} ${second} ${last}`,
    )
    return [first, second, last]
  }

  async #paid(): Promise<number> {
    return Number((await this.#call("platform.getBalance", { addresses: [address] })).balance / AMOUNT)
  }
}
