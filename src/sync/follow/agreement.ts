import { setTimeout } from "node:timers/promises"
import { Invalid } from "../../core/lib/invalid.js"
import type { Log } from "../../core/lib/log.js"
import { type ID, idText } from "../../core/types/id.js"
import { syncError } from "../errors.js"
import type { BlockSource, GivenBlock } from "./blockSource.js"

/** Fewer blocks than these at once are the newest ones, for which other nodes are waited for. */
const AT_THE_TIP = 16
const OTHERS_MS = 500
const LOOK_MS = 25

/** Two sources that have different blocks at one height. */
interface Disagreement {
  readonly height: bigint
  readonly id: ID
  readonly otherID: ID
  readonly otherUrl: string
}

/**
 * Compares consecutive blocks with another source. Blocks name their parents, so if the last ones agree, all do; otherwise it searches for
 * the first that differs. Heights that the other source does not have yet are skipped.
 */
async function disagreementWith(
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

/** Returns the lowest height at which another node has another block. Nodes that do not answer are skipped. */
export async function lowestDisagreement(
  others: readonly BlockSource[],
  given: readonly GivenBlock[],
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Log, "warn"> },
): Promise<Disagreement | undefined> {
  const last = given.at(-1)
  if (!last) return undefined
  const compare = async (other: BlockSource): Promise<Disagreement | undefined> => {
    try {
      if (given.length < AT_THE_TIP) await waitFor(other, last.height, signal)
      return await disagreementWith(other, given, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof Invalid)) throw error
      log.warn("a node that is followed does not answer", { reason: error.message })
      return undefined
    }
  }
  const found = await Promise.all(others.map(compare))
  return found.reduce((lowest, each) => (each && (!lowest || each.height < lowest.height) ? each : lowest), undefined)
}

/** Waits a moment until another node has a block, too. */
async function waitFor(other: BlockSource, height: bigint, signal: AbortSignal): Promise<void> {
  const until = performance.now() + OTHERS_MS
  while ((await other.height(signal)) < height && performance.now() < until) await setTimeout(LOOK_MS, undefined, { signal })
}

/** Returns the refusal of the blocks of a node with which another one disagrees. */
export function disagreementError({ height, id, otherID, otherUrl }: Disagreement, url: string): Invalid {
  return syncError("sync.disagreement", { height, url, blockID: idText(id), otherUrl, otherBlockID: idText(otherID) })
}
