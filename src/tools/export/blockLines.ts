import { encode } from "../../core/codec/decode.js"
import { wrapperTables } from "../../core/consensus/proposer/tables.js"
import { outerBytesAt } from "../../core/consensus/proposer/wrapperStore.js"
import { copyHeaderText } from "../../core/networks/chainIdentity.js"
import { isProduction } from "../../core/networks/names.js"
import type { View } from "../../core/state/view.js"
import { toHexText } from "../../core/types/hexText.js"
import { copyHeaderOf } from "../../datadir/storedIdentity.js"
import { devTables } from "../../producer/tables.js"
import type { Store } from "../../store/store.js"
import { lineOf } from "../../sync/chainLines.js"
import { type ExportPart, requireBlockAt } from "./exportTable.js"

/**
 * Prints a chain as `serac replay` reads it: its header, its genesis where a built-in one may differ, and each block as hex, with
 * its ProposerVM wrapper if the chain has it and with the P-Chain height of its Warp messages if the wrapper does not name it. Overrides
 * of a private chain follow their blocks.
 */
export function* blockLines(
  view: View,
  store: Pick<Store, "getMeta">,
  { from, to }: Pick<ExportPart, "from" | "to">,
): Iterable<string> {
  // A replay makes genesis itself.
  const first = from > 0n ? from : 1n
  if (first > to && from > 0n) return
  const header = copyHeaderOf(store)
  yield lineOf("chain", copyHeaderText(header))
  const genesis = first === 1n && !isProduction(header.networkID) ? store.getMeta("genesis") : undefined
  if (genesis && genesis.length < MAX_GENESIS) yield lineOf("genesis", toHexText(genesis))
  const overrides = overrideLines(view, first - 1n)
  yield* overrides(first - 1n)
  for (let height = first; height <= to; height++) {
    const bytes = outerBytesAt(view, height) ?? requireBlockAt(view, height).bytes
    const warpHeight = view.get(wrapperTables.warpHeights, height)
    yield warpHeight === undefined ? toHexText(bytes) : `${toHexText(bytes)} ${warpHeight}`
    yield* overrides(height)
  }
}

/** The size of a genesis that is too long for a line, bytes. */
const MAX_GENESIS = 7 << 20

/** Returns a function that prints the overrides from a height on up to another one, each once. */
function overrideLines(view: View, from: bigint): (upTo: bigint) => Iterable<string> {
  let position = 0n
  return function* (upTo) {
    for (;;) {
      const row = view.get(devTables.overrides, position)
      if (!row || row.height > upTo) return
      if (row.height >= from) yield lineOf("override", `${position} ${toHexText(encode(devTables.overrides.value, row))}`)
      position++
    }
  }
}
