import { FUJI_ID, LOCAL_ID, MAINNET_ID } from "../../src/core/networks/names.js"
import type { UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { EMPTY_ID, type ID, parseID } from "../../src/core/types/id.js"

const published: Readonly<Record<number, ID>> = {
  [MAINNET_ID]: parseID("FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z"),
  [FUJI_ID]: parseID("U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK"),
  [LOCAL_ID]: parseID("2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe"),
}

/**
 * AVAX on the network of a transaction. Vectors do not name it: it is the published one where the transaction has
 * it at all, else what the transaction stakes or pays with.
 */
export function avaxAssetOf(tx: UnsignedTx): ID {
  const used = assetsOf(tx)
  const known = "networkID" in tx ? published[tx.networkID] : undefined
  return known !== undefined && used.includes(known) ? known : (used[0] ?? known ?? EMPTY_ID)
}

function assetsOf(tx: UnsignedTx): ID[] {
  if (!("inputs" in tx)) return []
  const parts = [...("stake" in tx ? tx.stake : []), ...tx.inputs, ...tx.outputs].map((part) => part.assetID)
  return tx.kind === "TransformSubnetTx" ? parts.filter((asset) => asset !== tx.assetID) : parts
}
