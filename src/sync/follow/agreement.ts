import type { ID } from "../../core/types/id.js"
import type { BlockSource } from "./blockSource.js"

/** A block as one source returned it. */
export interface GivenBlock {
  readonly height: bigint
  readonly id: ID
}

/** Two sources that have different blocks at one height. */
export interface Disagreement {
  readonly height: bigint
  readonly id: ID
  readonly otherID: ID
  readonly otherUrl: string
}

/**
 * Compares consecutive blocks with another source. Blocks name their parents, so if the last ones agree, all do; otherwise it searches for
 * the first that differs. Heights that the other source does not have yet are skipped.
 */
export async function disagreementWith(
  other: BlockSource,
  blocks: readonly GivenBlock[],
  signal: AbortSignal,
): Promise<Disagreement | undefined> {
  const [first] = blocks
  if (!first) return undefined
  const last = await other.height(signal)
  const common = blocks.slice(0, Math.max(0, Number(last - first.height) + 1))
  const otherIDOf = (at: number) => other.blockIDAt((common[at] as GivenBlock).height, signal)
  let [same, different] = [-1, common.length - 1]
  let otherID = common.length === 0 ? undefined : await otherIDOf(different)
  if (otherID === undefined || otherID === common[different]?.id) return undefined
  while (different - same > 1) {
    const middle = (same + different) >> 1
    const id = await otherIDOf(middle)
    if (id === undefined || id === common[middle]?.id) same = middle
    else {
      different = middle
      otherID = id
    }
  }
  return { ...(common[different] as GivenBlock), otherID, otherUrl: other.url }
}
