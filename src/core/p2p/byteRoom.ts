import type { NodeID } from "../types/id.js"

/** The limits of bytes of all peers that wait in one direction. Each names AvalancheGo's flag. */
export interface ByteRoom {
  /** `--throttler-{inbound,outbound}-at-large-alloc-size`: bytes that all peers share. */
  readonly shared: number
  /** `--throttler-{inbound,outbound}-node-max-at-large-bytes`: the maximum share of one peer. */
  readonly sharedPerPeer: number
  /** `--throttler-{inbound,outbound}-validator-alloc-size`: bytes that are divided among the validators by stake. */
  readonly forValidators: number
}

export interface WaitingBytes {
  readonly bytes: number
  /** The peer's part of all stake, 0 to 1. */
  readonly stakeShare: number
}

const MIB = 1024 * 1024

export const defaultInboundRoom: ByteRoom = { shared: 6 * MIB, sharedPerPeer: 2 * MIB, forValidators: 32 * MIB }
export const defaultOutboundRoom: ByteRoom = { shared: 32 * MIB, sharedPerPeer: 2 * MIB, forValidators: 32 * MIB }

/** Returns whether more bytes of a peer may wait. `all` has the peers whose bytes wait, including this one. */
export function hasRoom(room: ByteRoom, own: WaitingBytes, all: Iterable<WaitingBytes>): boolean {
  const used = sharedBytesOf(room, own)
  if (own.bytes < own.stakeShare * room.forValidators) return true
  if (used >= room.sharedPerPeer) return false
  let left = room.shared
  for (const each of all) left -= sharedBytesOf(room, each)
  return left > 0
}

/** Returns the bytes of a peer beyond the room of its stake. */
function sharedBytesOf({ forValidators }: ByteRoom, { bytes, stakeShare }: WaitingBytes): number {
  return Math.max(0, bytes - stakeShare * forValidators)
}

/** Counts the bytes of each node, or of its connection, that wait for something, within a room. */
export class BytesOfNodes<Key extends NodeID | number = NodeID> {
  readonly #room: ByteRoom
  readonly #stakeShareOf: (node: Key) => number
  readonly #bytes = new Map<Key, number>()

  /** `stakeShareOf` returns the share of all stake that a node has, 0 to 1. */
  constructor(stakeShareOf: (node: Key) => number, room: ByteRoom = defaultInboundRoom) {
    this.#stakeShareOf = stakeShareOf
    this.#room = room
  }

  get total(): number {
    let sum = 0
    for (const bytes of this.#bytes.values()) sum += bytes
    return sum
  }

  /** Returns whether more bytes of a node may wait. The last ones that fit may be more than the room that is left. */
  hasRoomFor(node: Key): boolean {
    const all = [...this.#bytes].map(([each, bytes]) => ({ bytes, stakeShare: this.#stakeShareOf(each) }))
    return hasRoom(this.#room, { bytes: this.#bytes.get(node) ?? 0, stakeShare: this.#stakeShareOf(node) }, all)
  }

  /** Adds bytes to those of a node, or takes some away. */
  add(node: Key, change: number): void {
    const bytes = (this.#bytes.get(node) ?? 0) + change
    if (bytes === 0) this.#bytes.delete(node)
    else this.#bytes.set(node, bytes)
  }

  remove(node: Key): void {
    this.#bytes.delete(node)
  }
}
