import { compressKey } from "../../../core/crypto/compressKey.js"
import type { Work } from "../../../core/lib/work.js"
import type { SegmentRow, SetSegment } from "../../../core/readmodel/validatorSets/setSegment.js"
import { toHexText } from "../../../core/types/hexText.js"
import type { NodeID } from "../../../core/types/id.js"

/** A row of a segment with its node ID and compressed key as JSON, in quotation marks. */
export interface NamedRow extends SegmentRow {
  readonly name: string
  /** `undefined` if the node has no key. */
  readonly key: string | undefined
}

/** Number of rows that are named in one step, which takes about a millisecond. */
const NAMED_AT_ONCE = 128

/** Returns the rows of a segment sorted by the texts of their node IDs, as JSON lists them. */
export function* namedRows({ rows }: SetSegment, nameOf: (nodeID: NodeID) => string): Work<readonly NamedRow[]> {
  const named: NamedRow[] = []
  for (const { nodeID, publicKey, spans } of rows) {
    const key = publicKey && `"${toHexText(compressKey(publicKey), "hexnc")}"`
    named.push({ nodeID, publicKey, spans, name: `"${nameOf(nodeID)}"`, key })
    if (named.length % NAMED_AT_ONCE === 0) yield
  }
  return named.sort((a, b) => (a.name < b.name ? -1 : 1))
}
