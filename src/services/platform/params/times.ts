import { heightAtTime, type MomentRange } from "../../../core/readmodel/explorer/moments.js"
import type { PastReader } from "../../../core/state/view.js"
import { described, optional } from "../../../jsonrpc/schema/kinds.js"
import { unixTime } from "../../kinds.js"

/** Parameters that limit a list to a period. */
export const periodParams = {
  from: described(optional(unixTime), "The earliest time of a block, in RFC 3339 or Unix seconds; not a height."),
  to: described(optional(unixTime), "The latest time of a block, in RFC 3339 or Unix seconds; not a height."),
}

/** Returns the heights of a period; `undefined` if no block is in it. */
export async function heightsOf(
  { from, to }: { readonly from: bigint | undefined; readonly to: bigint | undefined },
  past: PastReader,
  height: bigint,
): Promise<Pick<MomentRange, "from" | "to"> | undefined> {
  const before = from === undefined ? undefined : await heightAtTime(past, from - 1n, height)
  const lowest = from === undefined || before === undefined ? 0n : before + 1n
  const highest = to === undefined ? height : await heightAtTime(past, to, height)
  if (highest === undefined || highest < lowest) return undefined
  return { ...(lowest > 0n ? { from: lowest } : {}), ...(to === undefined ? {} : { to: highest }) }
}
