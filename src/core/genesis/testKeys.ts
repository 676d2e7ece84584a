import type { Address } from "../types/address.js"

/** A publicly known key, for networks without value. */
export interface TestKey {
  readonly privateKey: string
  readonly address: Address
}

/** Owns most of the local network's AVAX, and its validators' rewards. */
export const ewoq: TestKey = {
  privateKey: "PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN",
  address: "3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c" as Address,
}

/** Owns the stake of the local network's validators. */
export const vmRQ: TestKey = {
  privateKey: "PrivateKey-vmRQiZeXEXYMyJhEiqdC2z5JhuDbxL8ix9UVvjgMu2Er1NepE",
  address: "46a9c04f4bf783aa69daabd519dcf36978168b66" as Address,
}

/** The BLS secrets of the local network's five validators, in the order of `localStakers`: 32 ASCII characters each. */
export const localBlsSecrets: readonly string[] = ["01", "02", "03", "04", "05"].map(
  (number) => `AvalancheLocalNetworkValidator${number}`,
)
