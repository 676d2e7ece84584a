import { parseJson } from "../core/lib/parseJson.js"

/** Returns the chain ID of the EVM in a genesis, and the addresses that it funds in lower case; `undefined` if it is no EVM's. */
export function evmGenesis(genesis: Uint8Array): { readonly chainID: bigint; readonly funded: ReadonlySet<string> } | undefined {
  try {
    const { config, alloc } = parseJson(Buffer.from(genesis).toString("utf8")) as unknown as {
      config: { chainId: number | bigint }
      alloc?: Record<string, unknown>
    }
    const funded = new Set(Object.keys(alloc ?? {}).map((each) => each.toLowerCase().replace(/^(0x)?/, "0x")))
    return { chainID: BigInt(config.chainId), funded }
  } catch {
    return undefined
  }
}
