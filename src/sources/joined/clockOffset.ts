import type { PeerStatus } from "../../core/p2p/connections.js"
import type { NodeID } from "../../core/types/id.js"

/** The times of a look at the clocks, Unix milliseconds. */
interface Moment {
  /** The machine's clock. */
  readonly wall: number
  /** The clock that cannot be set, by which the peers' clocks were read. */
  readonly steady: number
}

/**
 * Returns the seconds by which the machine's clock is ahead of the clocks of connected validators, or of all peers if none validates; below 0 if
 * it is behind. It is the median, because some may be wrong or lie; `undefined` without peers. A step of the clock after the handshakes counts.
 */
export function clockOffset(
  peers: readonly Pick<PeerStatus, "nodeID" | "clock">[],
  validators: ReadonlyMap<NodeID, unknown>,
  { wall, steady }: Moment,
): number | undefined {
  const validating = peers.filter(({ nodeID }) => validators.has(nodeID))
  const offsets = (validating.length > 0 ? validating : peers)
    .map(({ clock: { unixSeconds, at } }) => Math.round((wall - (Number(unixSeconds) * 1000 + steady - at)) / 1000))
    .sort((a, b) => a - b)
  return offsets[Math.floor(offsets.length / 2)]
}
