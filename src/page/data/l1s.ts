import { call, type DevResultOf, dev } from "./rpc.js"

/** An L1 whose VM runs in the node. */
export type L1 = DevResultOf<"listL1s">["l1s"][number]

/** Returns the L1s whose VMs run in the node. */
export const askL1s = async (): Promise<readonly L1[]> => (await dev("listL1s")).l1s

/** Returns the L1s that a text names: by name, blockchain ID or chain ID of the EVM. A node without private chain has none. */
export async function l1sNamed(text: string): Promise<readonly L1[]> {
  const l1s = await askL1s().catch(() => [])
  return l1s.filter(
    ({ name, chainID, evmChainID }) =>
      name.toLowerCase() === text.toLowerCase() || chainID === text || String(evmChainID) === text,
  )
}

/** An address of EVM chains. */
export const isEvmAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

/** Returns the EVM chains on which an address has funds, has sent a transaction, or is a contract. */
export async function l1sOfAccount(address: string): Promise<readonly L1[]> {
  const l1s = await askL1s().catch(() => [])
  const known = await Promise.all(l1s.map((l1) => hasAccount(l1, address).catch(() => false)))
  return l1s.filter((_, i) => known[i])
}

async function hasAccount({ paths, evmChainID }: L1, address: string): Promise<boolean> {
  const rpc = paths.find((path) => path.endsWith("/rpc"))
  if (rpc === undefined || evmChainID === undefined) return false
  const methods = ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"]
  const facts = await Promise.all(methods.map((method) => call<string>(rpc, method, [address, "latest"])))
  return facts.some((fact) => !/^0x0?$/.test(fact))
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
