import { hexToBytes } from "../core/lib/bytes.js"
import { min } from "../core/lib/math64.js"
import { parseJson } from "../core/lib/parseJson.js"
import { requireUpgradeName, type Upgrades, upTo } from "../core/networks/upgrades.js"
import { type ID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import { signEvmTransaction } from "../evm/transaction.js"
import type { FundedKey } from "../producer/chainHosting.js"
import { askQuantity, type EvmRpc } from "../relay/evmRpc.js"
import { CORETH } from "../vmhost/plugin/pluginFiles.js"
import type { ChainRecord } from "./chainRecord.js"

/** The rules that a C-Chain may have. They are part of the hash of its genesis block, so they are kept with the chain. */
export type CChainUpgrade = "fortuna" | "granite"

/** Whether and how a private chain has a C-Chain. */
export interface CChainChoice {
  /** `auto`: if there is a plugin for it. `required`: the node does not start without. */
  readonly mode: "auto" | "off" | "required"
  readonly upgrade: CChainUpgrade
  /** The configuration of the VM, which takes the place of the defaults. */
  readonly config?: Uint8Array | undefined
  /** False if the accounts of the private chain are not paid on the C-Chain. */
  readonly paysAccounts: boolean
}

/** The tip with which a block of one transaction pays for itself at once, wei. A fresh chain proposes less, and its blocks take a second or more. */
export const C_CHAIN_TIP = 1_000_000_000n

/** Makes the record of the C-Chain. */
export function cChainRecord(chainID: ID, { upgrade, config }: CChainChoice): ChainRecord {
  const name = "C"
  return {
    ...{ name, subnetID: PRIMARY_NETWORK_ID, chainID, vmID: CORETH, upgrades: new Uint8Array(0), isStopped: false },
    ...{ config: config ?? new Uint8Array(0), rules: upgrade },
  }
}

/** Returns the rules of a hosted chain: those of its record, or those of the network. */
export function rulesOf({ rules }: ChainRecord, ofNetwork: Upgrades): Upgrades {
  return rules === "" ? ofNetwork : upTo(requireUpgradeName(rules))
}

const WEI = 1_000_000_000n

/** Returns the AVAX that a genesis of the C-Chain gives to accounts, nAVAX rounded up. */
export function fundsOfGenesis(genesis: Uint8Array): bigint {
  const { alloc = {} } = parseJson(Buffer.from(genesis).toString("utf8")) as unknown as {
    alloc?: Record<string, { balance?: string }>
  }
  const wei = Object.values(alloc).reduce((sum, { balance = "0" }) => sum + BigInt(balance), 0n)
  return (wei + WEI - 1n) / WEI
}

/** The number of payments in a block. The VM lets so many transactions of an account wait. */
const PAYMENTS = 16

/** The chain on which is paid, and a function that makes a block of what waits, whatever the block mode is. */
export interface PaymentPorts {
  readonly rpc: EvmRpc
  mine(): Promise<unknown>
}

/** Pays an amount (nAVAX) to each address, from a funded key. All of them get less if the key has less. */
export async function payOnCChain(
  { rpc, mine }: PaymentPorts,
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
    // The engine of the chain may have made a block of some of them already.
    for (let blocks = 0; (await paid()) < nonce; blocks++) {
      if (blocks > PAYMENTS) throw new Error("the payments are in no block")
      await mine()
    }
  }
}
