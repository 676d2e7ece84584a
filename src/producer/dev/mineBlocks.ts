import type { ChainTurn } from "../turn/chainTurn.js"

/** The number of blocks to make, and whether a small payment fills those that would be empty. */
export interface MineOptions {
  readonly blocks: number
  readonly filler: boolean
}

/** The height after mining, and the number of blocks made. */
export interface MineResult {
  readonly height: bigint
  readonly blocks: number
}

/**
 * Makes blocks of waiting transactions. When none waits it stops, or with `filler` puts a small payment into each further block. It also stops
 * when gas runs out. Blocks that are due are made first and not counted.
 */
export async function mineBlocks(chain: ChainTurn, { blocks, filler }: MineOptions): Promise<MineResult> {
  await chain.catchUp()
  const { status, treasury } = chain
  const { height: before } = status.lastAccepted
  const made = () => Number(status.lastAccepted.height - before)
  const purse = filler ? treasury.purse(chain.written(), chain.now()) : undefined
  const isExtended = async (): Promise<boolean> => {
    if (status.pool.size > 0 && (await chain.extend(status.pool)).blocks.length > 0) return true
    return purse !== undefined && (await chain.extend([treasury.filler(purse, chain.now())])).blocks.length > 0
  }
  chain.answerIssuers({})
  while (made() < blocks && (await isExtended())) await chain.pause(made())
  return { height: status.lastAccepted.height, blocks: made() }
}
