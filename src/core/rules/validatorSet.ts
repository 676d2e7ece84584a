import { latin1 } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { type Member, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID, NodeID } from "../types/id.js"
import { rulesError } from "./errors.js"

/** A validator set: node → weight and key. */
export type ValidatorSet = Map<NodeID, Member>

/** Returns the members of a subnet's validator set in the present state. */
export function currentSet(view: View, subnetID: ID): ValidatorSet {
  const set: ValidatorSet = new Map()
  for (const [key, member] of view.rows(tables.members, { under: { subnetID } })) set.set(key.nodeID, member)
  return set
}

/** Returns the set after the block at a height: the present one, with every later change undone, newest first. */
export function validatorSetAt(view: View, subnetID: ID, height: bigint): ValidatorSet {
  const set = currentSet(view, subnetID)
  for (const [key, { decrease, amount }] of view.rows(tables.weightDiffs, { under: { subnetID } })) {
    if (key.height <= height) break
    const member = set.get(key.nodeID) ?? { weight: 0n, publicKey: undefined }
    const weight = decrease ? member.weight + amount : member.weight - amount
    if (weight === 0n) set.delete(key.nodeID)
    else set.set(key.nodeID, { ...member, weight })
  }
  for (const [key, { publicKey }] of view.rows(tables.keyDiffs, { under: { subnetID } })) {
    if (key.height <= height) break
    const member = set.get(key.nodeID)
    if (member) set.set(key.nodeID, { ...member, publicKey })
  }
  return set
}

/** Members that share a key and sign as one. */
export interface CanonicalSigner {
  readonly publicKey: Uint8Array
  readonly weight: bigint
  readonly nodeIDs: readonly NodeID[]
}

/** The signers of Warp messages: one for each key, in the order of uncompressed keys. */
export interface CanonicalSet {
  readonly signers: readonly CanonicalSigner[]
  /** The weight of all members, including those without a key. */
  readonly totalWeight: bigint
}

/** Groups members by key. Throws `rules.warp_total_overflow`. */
export function canonicalSet(members: Iterable<readonly [NodeID, Member]>): CanonicalSet {
  const byKey = new Map<string, { publicKey: Uint8Array; weight: bigint; nodeIDs: NodeID[] }>()
  let totalWeight = 0n
  for (const [nodeID, { weight, publicKey }] of members) {
    totalWeight += weight
    if (totalWeight > MAX64) throw rulesError("rules.warp_total_overflow")
    if (!publicKey) continue
    const text = latin1(publicKey)
    const signer = byKey.get(text)
    if (!signer) byKey.set(text, { publicKey, weight, nodeIDs: [nodeID] })
    else {
      signer.weight += weight
      signer.nodeIDs.push(nodeID)
    }
  }
  // Each character is one byte, so texts sort as bytes do, but faster.
  const signers = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, signer]) => signer)
  return { signers, totalWeight }
}
