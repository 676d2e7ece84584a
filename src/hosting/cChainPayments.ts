import { hexToBytes } from "../core/lib/bytes.js"
import { min } from "../core/lib/math64.js"
import { C_CHAIN_TIP, signEvmTransaction } from "../evm/transaction.js"
import type { FundedKey } from "../producer/chainHosting.js"
import { askQuantity, type EvmRpc } from "../relay/evmRpc.js"
import { WEI } from "./cChainRecord.js"

/** The number of payments in a block. The VM lets so many transactions of an account wait. */
const PAYMENTS = 16

/** The number of waits for a block, after which there will be none. */
const MAX_WAITS = 1000

/** The chain on which is paid, and a function that waits a moment for a block, or makes it if the node makes none by itself. */
export interface PaymentPorts {
  readonly rpc: EvmRpc
  nextBlock(): Promise<unknown>
}

/** Pays an amount (nAVAX) to each address, from a funded key. All of them get less if the key has less. */
export async function payOnCChain(
  { rpc, nextBlock }: PaymentPorts,
  from: FundedKey,
  addresses: readonly string[],
  amount: bigint,
): Promise<void> {
  const secret = hexToBytes(from.privateKey.slice(2))
  const balance = await askQuantity(rpc, "eth_getBalance", [from.address, "latest"])
  const value = min(amount * WEI, balance / 2n / BigInt(addresses.length))
  if (value === 0n) return
  const chainID = await askQuantity(rpc, "eth_chainId", [])
  const paid = () => askQuantity(rpc, "eth_getTransactionCount", [from.address, "latest"])
  let nonce = await paid()
  for (let i = 0; i < addresses.length; i += PAYMENTS) {
    const gasPrice = (await askQuantity(rpc, "eth_gasPrice", [])) + C_CHAIN_TIP
    for (const to of addresses.slice(i, i + PAYMENTS)) {
      const raw = signEvmTransaction({ chainID, nonce: nonce++, gasPrice, gas: 21_000n, to, value }, secret)
      await rpc("eth_sendRawTransaction", [raw])
    }
    for (let waits = 0; (await paid()) < nonce; waits++) {
      if (waits === MAX_WAITS) throw new Error("the payments are in no block")
      await nextBlock()
    }
  }
}
