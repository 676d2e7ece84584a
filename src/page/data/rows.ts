import { useState } from "preact/hooks"
import { type Query, useQuery } from "./useQuery.js"

/** A page of a list, and where the next one starts. */
export interface Page<R, C> {
  readonly rows: readonly R[]
  /** `null` after the last page. */
  readonly cursor: C | null
}

/** Asks for a page of at most `limit` rows; without a cursor, for the first one. */
export type AskPage<R, C> = (limit: number, cursor: C | undefined) => Promise<Page<R, C>>

/** The largest number of rows that the node gives on a page. */
const MAX_PAGE = 1024

/** Returns the first `count` rows of a list, from as many pages as they need, and whether the list has more. */
export async function firstRows<R, C>(count: number, askPage: AskPage<R, C>): Promise<{ rows: readonly R[]; hasMore: boolean }> {
  const rows: R[] = []
  let cursor: C | null | undefined
  // One row more than is shown tells whether there are more.
  while (rows.length <= count && cursor !== null) {
    const page: Page<R, C> = await askPage(Math.min(count + 1 - rows.length, MAX_PAGE), cursor)
    rows.push(...page.rows)
    cursor = page.cursor
  }
  return { rows: rows.slice(0, count), hasMore: rows.length > count }
}

/** A list of which a part is shown. */
export interface RowsQuery<R> {
  readonly query: Query<{ readonly rows: readonly R[]; readonly hasMore: boolean }>
  /** Shows more rows; those that are shown stay meanwhile. */
  readonly showMore: () => void
}

/** Queries the first `step` rows of a list, and `step` more after each `showMore`. `name` identifies the list. */
export function useRows<R, C>(name: string, step: number, askPage: AskPage<R, C>, pause: number): RowsQuery<R> {
  const [count, setCount] = useState(step)
  const query = useQuery(name, () => firstRows(count, askPage), { pause, form: count })
  return { query, showMore: () => setCount(count + step) }
}
