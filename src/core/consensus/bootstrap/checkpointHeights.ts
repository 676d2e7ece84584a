/** The number of blocks below which they are fetched in one piece. */
const MIN_GAP = 4_000n
const MAX_CHECKPOINTS = 64n

/** Returns heights that divide the blocks between two heights into gaps of at least 2,000 blocks, at most 65 of them. */
export function checkpointHeights(lastAccepted: bigint, target: bigint): bigint[] {
  const missing = target - lastAccepted
  if (missing < MIN_GAP) return []
  const byGap = missing / (MIN_GAP / 2n) - 1n
  const count = byGap < MAX_CHECKPOINTS ? byGap : MAX_CHECKPOINTS
  return Array.from({ length: Number(count) }, (_, i) => lastAccepted + (missing * BigInt(i + 1)) / (count + 1n))
}
