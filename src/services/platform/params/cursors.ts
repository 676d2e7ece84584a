import { MAX64 } from "../../../core/lib/math64.js"
import type { Moment } from "../../../core/readmodel/tables.js"
import { described, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u32 } from "../../../jsonrpc/schema/numbers.js"
import { nullable } from "../../../jsonrpc/schema/outputs.js"
import { platformError } from "../errors.js"

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1024

/** Parameters of the methods that return a list, newest first. */
export const pageParams = {
  limit: described(withDefault(u32, DEFAULT_LIMIT), "The largest number of entries on a page, at most 1024."),
  cursor: described(withDefault(string, ""), "The cursor of the previous page."),
}

export const limitOf = (asked: number): number => (asked === 0 ? DEFAULT_LIMIT : Math.min(asked, MAX_LIMIT))

/** Reads a cursor: the page starts before this event. Throws `platform.bad_cursor`. */
export function placeOf(cursor: string): { before?: Moment } {
  if (cursor === "") return {}
  const match = /^(\d{1,20})-(\d{1,10})$/.exec(cursor)
  const height = BigInt(match?.[1] ?? -1)
  const index = Number(match?.[2])
  if (!match || height > MAX64 || index > 0xffff_ffff) throw platformError("platform.bad_cursor", { cursor })
  return { before: { height, index } }
}

/** Returns the cursor of the next page; null if this page is the last. */
export function cursorAfter(events: readonly Moment[], limit: number): string | null {
  return cursorOf(events.length >= limit ? events.at(-1) : undefined)
}

/** Returns the cursor of the page after a moment; null if there is no such page. */
export const cursorOf = (last: Moment | undefined): string | null => (last ? `${last.height}-${last.index}` : null)

/** The cursor in the result of a list. */
export const cursorOutput = described(nullable(string), "The cursor of the next page, or null after the last page.")
