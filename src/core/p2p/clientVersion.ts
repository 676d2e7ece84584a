import { REFERENCE } from "../networks/reference.js"
import { isActive, type Upgrades } from "../networks/upgrades.js"
import { p2pError } from "./errors.js"

/** The name and version of a node in the handshake: `avalanchego/1.14.2`. */
export interface ClientVersion {
  readonly name: string
  readonly major: number
  readonly minor: number
  readonly patch: number
}

const { name, major, minor, patch } = REFERENCE
/** The announced version: the release of AvalancheGo whose rules and messages Serac has. */
export const ANNOUNCED_VERSION: ClientVersion = { name, major, minor, patch }

export function clientVersionText({ name, major, minor, patch }: ClientVersion): string {
  return `${name}/${major}.${minor}.${patch}`
}

/** The oldest version that a peer may have: 1.14.0, and from Helicon on 1.15.0. */
function oldestMinor(upgrades: Upgrades, nowSeconds: bigint): number {
  return isActive(upgrades, "helicon", nowSeconds) ? 15 : 14
}

/** Throws `p2p.version_too_old` and `p2p.version_too_new`. The name is not checked. */
export function checkVersion(version: ClientVersion, upgrades: Upgrades, nowSeconds: bigint): void {
  const oldest = { ...ANNOUNCED_VERSION, minor: oldestMinor(upgrades, nowSeconds), patch: 0 }
  const data = { got: clientVersionText(version), expected: clientVersionText(oldest) }
  if (version.major > ANNOUNCED_VERSION.major) throw p2pError("p2p.version_too_new", data)
  const difference = version.major - oldest.major || version.minor - oldest.minor || version.patch - oldest.patch
  if (difference < 0) throw p2pError("p2p.version_too_old", data)
}
