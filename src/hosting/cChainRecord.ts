import { parseJson } from "../core/lib/parseJson.js"
import { requireUpgradeName, type Upgrades, upTo } from "../core/networks/upgrades.js"
import { type ID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
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

/** Makes the record of the C-Chain. */
export function cChainRecord(chainID: ID, { upgrade, config }: CChainChoice): ChainRecord {
  const none = new Uint8Array(0)
  const [name, subnetID, vmID, rules] = ["C", PRIMARY_NETWORK_ID, CORETH, upgrade]
  return { name, subnetID, chainID, vmID, config: config ?? none, upgrades: none, rules, isStopped: false }
}

/** Returns whether a chain is the C-Chain: the only one of the primary network that a node hosts. */
export const isCChain = ({ subnetID }: Pick<ChainRecord, "subnetID">): boolean => subnetID === PRIMARY_NETWORK_ID

/** Returns the rules of a hosted chain: those of its record, or those of the network. */
export function rulesOf({ rules }: ChainRecord, ofNetwork: Upgrades): Upgrades {
  return rules === "" ? ofNetwork : upTo(requireUpgradeName(rules))
}

/** The wei of a nAVAX. */
export const WEI = 1_000_000_000n

/** Returns the AVAX that a genesis of the C-Chain gives to accounts, wei. */
export function weiOfGenesis(genesis: Uint8Array): bigint {
  const { alloc = {} } = parseJson(Buffer.from(genesis).toString("utf8")) as unknown as {
    alloc?: Record<string, { balance?: string }>
  }
  return Object.values(alloc).reduce((sum, { balance = "0" }) => sum + BigInt(balance), 0n)
}

/** Returns the AVAX that a genesis of the C-Chain gives to accounts, nAVAX rounded up. */
export const fundsOfGenesis = (genesis: Uint8Array): bigint => (weiOfGenesis(genesis) + WEI - 1n) / WEI
