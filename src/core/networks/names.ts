import { networkError } from "./errors.js"

export const MAINNET_ID = 1
export const FUJI_ID = 5
export const LOCAL_ID = 12345

const CUSTOM_HRP = "custom"
const CUSTOM_PREFIX = "network-"

/** Networks with a name, including historic ones. */
const namedNetworks: readonly { readonly networkID: number; readonly name: string; readonly hrp: string }[] = [
  { networkID: MAINNET_ID, name: "mainnet", hrp: "avax" },
  { networkID: 2, name: "cascade", hrp: "cascade" },
  { networkID: 3, name: "denali", hrp: "denali" },
  { networkID: 4, name: "everest", hrp: "everest" },
  { networkID: FUJI_ID, name: "fuji", hrp: "fuji" },
  { networkID: 10, name: "testing", hrp: "testing" },
  { networkID: LOCAL_ID, name: "local", hrp: "local" },
]

/** Returns the name of a network: `mainnet`, `fuji`, `network-9999`. */
export function networkNameOf(networkID: number): string {
  return namedNetworks.find((network) => network.networkID === networkID)?.name ?? CUSTOM_PREFIX + networkID
}

/** Returns the human-readable part of the network's Bech32 addresses. */
export function hrpOf(networkID: number): string {
  return namedNetworks.find((network) => network.networkID === networkID)?.hrp ?? CUSTOM_HRP
}

/** Returns the network that a text names, by the rules of `--network-id`. Throws `network.unknown_name`. */
export function networkIDOf(text: string): number {
  const name = text.toLowerCase()
  const known = name === "testnet" ? FUJI_ID : namedNetworks.find((network) => network.name === name)?.networkID
  if (known !== undefined) return known
  const digits = name.startsWith(CUSTOM_PREFIX) ? name.slice(CUSTOM_PREFIX.length) : name
  const networkID = /^\d+$/.test(digits) ? Number(digits) : Number.NaN
  if (!(networkID < 2 ** 32)) throw networkError("network.unknown_name", { text: name })
  return networkID
}

/** Returns whether a network is Mainnet or Fuji, whose rules cannot be changed. */
export function isProduction(networkID: number): boolean {
  return networkID === MAINNET_ID || networkID === FUJI_ID
}

/**
 * Returns whether a network is Mainnet, Fuji or local, whose genesis and upgrades are built into AvalancheGo and cannot be replaced there.
 */
export function isStandard(networkID: number): boolean {
  return isProduction(networkID) || networkID === LOCAL_ID
}
