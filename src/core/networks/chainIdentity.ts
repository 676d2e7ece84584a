import { type ID, idText } from "../types/id.js"

/** The ways in which a directory or a database comes to its chain. */
export const chainKinds = ["private", "joined", "followed", "fork"] as const

/** A way in which a directory or a database comes to its chain. */
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
export const parseIdentity = (text: string): ChainIdentity => JSON.parse(text) as ChainIdentity
