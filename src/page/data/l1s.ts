import { network } from "./network.js"
import { call, type DevResultOf, dev } from "./rpc.js"

/** An L1 whose VM runs in the node. */
export type L1 = DevResultOf<"listL1s">["l1s"][number]

/** Returns the L1s whose VMs run in the node. */
export const askL1s = async (): Promise<readonly L1[]> => (await dev("listL1s")).l1s

/** Returns the L1s of a node, or none if it hosts none. */
export const l1sIfAny = async () => (network.value.hasLab ? askL1s() : [])

/** Returns the L1s that a text names: by name, blockchain ID or chain ID of the EVM. */
export async function l1sNamed(text: string): Promise<readonly L1[]> {
  return (await l1sIfAny()).filter(({ name, chainID, evmChainID }) => [name, chainID, evmChainID].includes(text))
}

/** An address of EVM chains. */
export const isEvmAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

/** Returns the EVM chains on which an address has funds. */
export async function l1sOfAccount(address: string): Promise<readonly L1[]> {
  const l1s = await l1sIfAny()
  const balances = await Promise.all(
    l1s.map(({ name }) => call<string>(`/ext/bc/${name}/rpc`, "eth_getBalance", [address, "latest"]).catch(() => "0x0")),
  )
  return l1s.filter((_, i) => balances[i] !== "0x0")
}

/** A transaction of an EVM chain. */
export interface EvmTx {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly value: string
  readonly blockNumber: string
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
}

/** A block of an EVM chain. Numbers are hex. */
export interface EvmBlock {
  readonly number: string
  readonly hash: string
  readonly timestamp: string
  readonly gasUsed: string
  readonly transactions: readonly EvmTx[]
}

/** The latest blocks of an EVM chain, the newest first, and the price of gas. */
export interface EvmChain {
  readonly blocks: readonly EvmBlock[]
  readonly gasPrice: bigint
}

/** Number of blocks that are shown. */
const SHOWN = 8

/** Asks an EVM chain at the path of its RPC. */
export async function askEvm(path: string): Promise<EvmChain> {
  const last = Number(await call<string>(path, "eth_blockNumber", []))
  const heights = Array.from({ length: Math.min(SHOWN, last + 1) }, (_, i) => last - i)
  const [gasPrice, ...blocks] = await Promise.all([
    call<string>(path, "eth_gasPrice", []),
    ...heights.map((height) => call<EvmBlock>(path, "eth_getBlockByNumber", [`0x${height.toString(16)}`, true])),
  ])
  return { blocks, gasPrice: BigInt(gasPrice) }
}
