/**
 * The release of AvalancheGo as which Serac answers: the newest one whose rules, messages and answers were tested against its own code.
 * docs/compatibility.md says what is known of later ones.
 */
export const REFERENCE = {
  name: "avalanchego",
  major: 1,
  minor: 15,
  patch: 0,
  /** The version of its plugin protocol. Serac also hosts plugins of others, see `PROTOCOLS`. */
  pluginProtocol: 46,
  databaseVersion: "v1.4.5",
} as const

/** The release as a text: `1.15.0`. */
export const REFERENCE_VERSION = `${REFERENCE.major}.${REFERENCE.minor}.${REFERENCE.patch}`
