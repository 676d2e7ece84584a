import type { ComponentChildren } from "preact"
import { type AskPage, useRows } from "../data/rows.js"
import { More } from "./More.js"
import { Answer } from "./states.js"

/** A list of which a part is shown. Each click shows `step` rows more; those that are shown stay meanwhile. */
export function Rows<R, C>(props: {
  /** Identifies the list. */
  readonly name: string
  readonly step: number
  readonly ask: AskPage<R, C>
  /** The least time between two questions, in milliseconds. */
  readonly pause?: number
  /** The text of an empty list. */
  readonly none?: string
  readonly children: (row: R) => ComponentChildren
}) {
  const { name, step, ask, pause = 0, none = "None yet.", children } = props
  const { query, showMore } = useRows(name, step, ask, pause)
  return (
    <Answer query={query}>
      {({ rows, hasMore }) => (
        <>
          <ol class="list">
            {rows.map(children)}
            {rows.length === 0 && <li class="quiet">{none}</li>}
          </ol>
          {hasMore && <More onClick={showMore} />}
        </>
      )}
    </Answer>
  )
}
