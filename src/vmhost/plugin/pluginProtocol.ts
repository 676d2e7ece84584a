/**
 * The versions of the plugin protocol that this host speaks: those of AvalancheGo v1.14.0 to v1.15.3. What 47 changed is not published; 45 and
 * 46 only added to the messages, so 47 is spoken as 46 is.
 */
export const PROTOCOLS = [44, 45, 46, 47] as const

/** A version that is newer than these, or any of them, with which plugins are started all the same. */
export type PluginProtocol = number | "any"

/** Reads such a version from a flag or an option; `undefined` if it is none. */
export function pluginProtocolOf(value: unknown): PluginProtocol | undefined {
  if (value === "any") return value
  const version = typeof value === "string" && /^[0-9]{1,5}$/.test(value) ? Number(value) : value
  return Number.isInteger(version) && (version as number) >= PROTOCOLS[0] ? (version as number) : undefined
}

/** Returns whether a version of the protocol is newer than those that this host speaks. */
export const isNewerProtocol = (version: number): boolean => version > Math.max(...PROTOCOLS)

/** Returns whether a plugin may speak this version: a known one, or the newer one that was asked for. */
export const isAcceptedProtocol = (version: number, wanted: PluginProtocol | undefined): boolean =>
  PROTOCOLS.some((each) => each === version) || (isNewerProtocol(version) && (wanted === "any" || wanted === version))
