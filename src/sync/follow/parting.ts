import { Invalid } from "../../core/lib/invalid.js"
import { type ID, idText } from "../../core/types/id.js"
import { syncError } from "../errors.js"
import type { BlockSource, GivenBlock } from "./blockSource.js"

/** Thrown when a copy has gone back with the chain of its source. It continues with a new stream after its last block. */
export class WentBack extends Error {}

/** The blocks of a copy that goes back with its source. */
interface OwnBlocks {
  lastAccepted(): GivenBlock
  idAt(height: bigint): ID | undefined
}

/** Returns whether a source has another block than a copy at the last height that both have. A source that lags behind has the same one. */
export async function isParted(copy: OwnBlocks, source: BlockSource, height: bigint, signal: AbortSignal): Promise<boolean> {
  const common = height < copy.lastAccepted().height ? height : copy.lastAccepted().height
  const [own, other] = [copy.idAt(common), await source.blockIDAt(common, signal)]
  return own !== undefined && other !== undefined && own !== other
}

/**
 * Returns the last block that a copy and a source have in common. Blocks name their parents, so all blocks below a common one are common too.
 * Throws `sync.other_chain` if they have no block in common.
 */
export async function commonBlock(copy: OwnBlocks, source: BlockSource, signal: AbortSignal): Promise<GivenBlock> {
  const height = await source.height(signal)
  let [low, high] = [-1n, height < copy.lastAccepted().height ? height : copy.lastAccepted().height]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if ((await source.blockIDAt(middle, signal)) === copy.idAt(middle)) low = middle
    else high = middle - 1n
  }
  const id = copy.idAt(low)
  if (id !== undefined) return { height: low, id }
  throw await otherChain(copy, source, 0n, signal)
}

/** Returns the refusal of a source that has another block at a height. */
export async function otherChain(copy: OwnBlocks, source: BlockSource, height: bigint, signal: AbortSignal): Promise<Invalid> {
  const shown = (id: ID | undefined) => (id === undefined ? null : idText(id))
  const [expected, got] = [shown(copy.idAt(height)), shown(await source.blockIDAt(height, signal))]
  return syncError("sync.other_chain", { url: source.url, height, got, expected })
}

/** Throws `sync.disagreement` if another node still has the last block of a copy that goes back with its source. */
export async function requireAllParted(
  copy: OwnBlocks,
  source: BlockSource,
  others: readonly BlockSource[],
  signal: AbortSignal,
): Promise<void> {
  const { height, id } = copy.lastAccepted()
  for (const other of others) {
    // A node that does not answer does not decide.
    const found = await other.blockIDAt(height, signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof Invalid)) throw error
      return undefined
    })
    if (found === id)
      throw syncError("sync.disagreement", { height, url: source.url, otherUrl: other.url, otherBlockID: idText(id) })
  }
}
