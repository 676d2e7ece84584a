/** Room for the bytes of all peers that wait in one direction. AvalancheGo's flags are named at each. */
export interface ByteRoom {
  /** `--throttler-{inbound,outbound}-at-large-alloc-size`: bytes that all peers share. */
  readonly shared: number
  /** `--throttler-{inbound,outbound}-node-max-at-large-bytes`: the most of them that one peer may take. */
  readonly sharedPerPeer: number
  /** `--throttler-{inbound,outbound}-validator-alloc-size`: bytes that are divided among the validators by stake. */
  readonly forValidators: number
}

/** Bytes of one peer that wait. */
export interface WaitingBytes {
  readonly bytes: number
  /** The peer's part of all stake, 0 to 1. */
  readonly stakeShare: number
}

const MIB = 1024 * 1024

export const defaultInboundRoom: ByteRoom = { shared: 6 * MIB, sharedPerPeer: 2 * MIB, forValidators: 32 * MIB }
export const defaultOutboundRoom: ByteRoom = { shared: 32 * MIB, sharedPerPeer: 2 * MIB, forValidators: 32 * MIB }

/** Whether more bytes of a peer may wait; `all` are the peers whose bytes wait, this one among them. */
export function hasRoom(room: ByteRoom, own: WaitingBytes, all: Iterable<WaitingBytes>): boolean {
  const used = sharedBytesOf(room, own)
  if (own.bytes < own.stakeShare * room.forValidators) return true
  if (used >= room.sharedPerPeer) return false
  let left = room.shared
  for (const each of all) left -= sharedBytesOf(room, each)
  return left > 0
}

/** The bytes of a peer beyond the room that its stake gives it. */
function sharedBytesOf({ forValidators }: ByteRoom, { bytes, stakeShare }: WaitingBytes): number {
  return Math.max(0, bytes - stakeShare * forValidators)
}
