import { sha256 } from "../../core/crypto/hash.js"
import { localStakers } from "../../core/genesis/localStakers.js"
import { localBlsSecrets } from "../../core/genesis/testKeys.js"
import { toHex, utf8 } from "../../core/lib/bytes.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Edits, View } from "../../core/state/view.js"
import { type ID, NODE_ID_SIZE, type NodeID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { bls } from "../../platform/backends.js"
import { devTables } from "../tables.js"

/** A node that exists only as keys. It can be registered as a validator and sign Warp messages. */
export interface DevIdentity {
  readonly nodeID: NodeID
  /** 32 bytes, as in AvalancheGo's `signer.key`. */
  readonly secret: Uint8Array
  /** The compressed BLS key. */
  readonly publicKey: Uint8Array
  readonly proofOfPossession: Uint8Array
}

/**
 * Makes the n-th identity of a chain. It is derived from the chain's genesis only, so that a repeated run has the same ones; none of them
 * is a secret.
 */
export function identityAt(genesisID: ID, index: number): DevIdentity {
  const secret = secretAt(genesisID, index)
  const publicKey = bls().publicKey(secret)
  const nodeID = nodeIDAt(genesisID, index)
  return { nodeID, secret, publicKey, proofOfPossession: bls().signPossession(secret) }
}

function nodeIDAt(genesisID: ID, index: number): NodeID {
  return toHex(derive("node", genesisID, index).subarray(0, NODE_ID_SIZE)) as NodeID
}

function secretAt(genesisID: ID, index: number): Uint8Array {
  const secret = derive("BLS key", genesisID, index)
  // This makes it smaller than 2^254, and so smaller than the order of the group.
  secret[0]! &= 0x3f
  return secret
}

const derive = (what: string, genesisID: ID, index: number): Uint8Array => sha256(utf8(`serac ${what} ${index} of ${genesisID}`))

/** Returns the number of identities made so far. */
function identityCount(view: View): number {
  let count = 0
  for (const _ of view.rows(devTables.identities)) count++
  return count
}

/**
 * Returns the numbers of identities to be made next, in order. A copy of a private chain does not have the secrets of its validators, so the
 * identities that validators have already are skipped.
 */
export function* nextIdentities(view: View, genesisID: ID): Generator<number, never> {
  const isMember = membershipIn(view)
  const isMade = (publicKey: Uint8Array) => view.get(devTables.identities, toHex(publicKey)) !== undefined
  for (let index = identityCount(view); ; index++) {
    if (!isMember(nodeIDAt(genesisID, index)) && !isMade(bls().publicKey(secretAt(genesisID, index)))) yield index
  }
}

/** Returns a function that tells whether a node is a validator of the primary network or of any subnet. */
function membershipIn(view: View): (nodeID: NodeID) => boolean {
  const subnetIDs = [PRIMARY_NETWORK_ID, ...[...view.rows(tables.subnets)].map(([subnetID]) => subnetID)]
  return (nodeID) => subnetIDs.some((subnetID) => view.get(tables.members, { subnetID, nodeID }) !== undefined)
}

/** Returns the change that removes those of the identities that are no validators. */
export function removalEdits(view: View, identities: readonly DevIdentity[]): Edits {
  const diff = new Diff(view)
  const isMember = membershipIn(view)
  for (const { publicKey, nodeID } of identities) if (!isMember(nodeID)) diff.delete(devTables.identities, toHex(publicKey))
  return diff.edits
}

/** Returns the rows that store identities. */
export function identityEdits(view: View, identities: readonly DevIdentity[]): Edits {
  const diff = new Diff(view)
  for (const { publicKey, nodeID, secret } of identities) diff.put(devTables.identities, toHex(publicKey), { nodeID, secret })
  return diff.edits
}

const five: ReadonlyMap<string, Uint8Array> = new Map(
  localStakers.map(({ signer }, i) => [toHex(signer!.publicKey), utf8(localBlsSecrets[i]!)]),
)

/** Returns the secret of a compressed BLS key, if the node has it: those of the five local validators, and of identities made here. */
export function secretOf(view: View, publicKey: Uint8Array): Uint8Array | undefined {
  const text = toHex(publicKey)
  return five.get(text) ?? view.get(devTables.identities, text)?.secret
}
