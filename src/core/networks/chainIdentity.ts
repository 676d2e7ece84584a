import { valueOrUndefined } from "../lib/invalid.js"
import { type Json, printJson } from "../lib/json.js"
import { parseJson } from "../lib/parseJson.js"
import { type ID, idText } from "../types/id.js"

/** The ways in which a directory or a database comes to its chain. */
export const chainKinds = ["private", "joined", "followed", "fork"] as const

export type ChainKind = (typeof chainKinds)[number]

/**
 * The kind of a chain, and an ID that no other chain has: that of its network (`networkChainID`), or the random ID with which a
 * private chain or a fork was made. Copies and backups have the same ID.
 */
export interface ChainIdentity {
  readonly kind: ChainKind
  readonly id: string
}

/** Returns the ID of the chain of a network, which all nodes of the network share. */
export const networkChainID = (networkID: number, genesisBlockID: ID): string => `${networkID}-${idText(genesisBlockID)}`

/** Returns whether a directory of this kind holds a chain of which this node makes the blocks. */
export const isOwnKind = (kind: ChainKind): boolean => kind === "private" || kind === "fork"

/** Prints an identity for a store. */
export const identityText = ({ kind, id }: ChainIdentity): string => JSON.stringify({ kind, id })

/** Reads an identity that `identityText` printed. */
export const parseIdentity = (text: string): ChainIdentity => parseJson(text) as unknown as ChainIdentity

/** What a copy of a chain needs besides its blocks: an export and a stream of blocks begin with it. */
export interface CopyHeader extends ChainIdentity {
  readonly networkID: number
  /** The flags that set rules, as they were given when the chain was created. */
  readonly rules: Readonly<Record<string, string>>
  /** The times of the upgrades, in the form of an upgrade file. */
  readonly upgrades: Json
}

export const copyHeaderText = (header: CopyHeader): string => printJson({ ...header })

/** Reads a header that `copyHeaderText` printed; `undefined` if the text is something else. */
export function parseCopyHeader(text: string): CopyHeader | undefined {
  const value = valueOrUndefined(() => parseJson(text)) as Partial<Record<keyof CopyHeader, Json>> | undefined
  if (typeof value !== "object" || value === null) return undefined
  const { kind, id, networkID, rules, upgrades } = value
  const isObject = (json: Json | undefined) => typeof json === "object" && json !== null && !Array.isArray(json)
  const hasTexts = typeof id === "string" && chainKinds.some((each) => each === kind)
  if (!hasTexts || typeof networkID !== "number" || !isObject(rules) || !isObject(upgrades)) return undefined
  if (Object.values(rules as object).some((each) => typeof each !== "string")) return undefined
  return { kind, id, networkID, rules, upgrades } as CopyHeader
}
