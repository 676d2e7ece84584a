/// <reference path="./genesisFile.d.ts" />
import { brotliDecompressSync } from "node:zlib"
import { FUJI_ID, MAINNET_ID } from "../../core/networks/names.js"

/**
 * Loads the genesis bytes of Mainnet or Fuji, which are part of the package (210 kB and 2 kB packed, made by scripts/genesis.mjs);
 * `undefined` for other networks. `genesisFor` compares the bytes with the published ID, as for a file.
 */
export async function loadPublishedGenesis(networkID: number | undefined): Promise<Uint8Array | undefined> {
  if (networkID === MAINNET_ID) return unpacked(await import("./mainnet.genesis.br"))
  if (networkID === FUJI_ID) return unpacked(await import("./fuji.genesis.br"))
  return undefined
}

function unpacked({ default: packed }: { readonly default: Uint8Array }): Uint8Array {
  return new Uint8Array(brotliDecompressSync(packed))
}
