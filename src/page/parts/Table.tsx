import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"

/** One column of a table. */
export interface Column<T> {
  readonly name: string
  readonly hint?: string
  readonly isNumber?: boolean
  /** The least width in pixels; 130 by default, in which an amount fits. */
  readonly width?: number
  /** The value to sort by; omitted if sorting makes no sense. */
  sortBy?(row: T): bigint | number | string
  cell(row: T): ComponentChildren
}

/** The height of a row in pixels, fixed so that thousands of rows can be scrolled without measuring them. */
const ROW = 36

/** The minimum width of the first column, which has an ID, and of each other one, in pixels. Narrow screens scroll the rest. */
const [FIRST_COLUMN, OTHER_COLUMN] = [220, 130]

/** The number of rows that are drawn outside the visible part, so that scrolling shows no gaps. */
const SPARE = 12

/** A sortable table that draws only the rows that can be seen: it stays smooth with thousands of them. */
export function Table<T>(props: {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  keyOf(row: T): string
  /** The initial column to sort by, and whether the largest come first. */
  readonly sort?: readonly [column: number, isDown: boolean]
}) {
  const { rows, columns, keyOf, label } = props
  const [[column, isDown], setSort] = useState(props.sort ?? [-1, false])
  const { ref, first, last, onScroll } = useWindow(rows.length)
  const sorted = column < 0 ? rows : sortedBy(rows, columns[column]?.sortBy, isDown)
  const sortBy = (i: number): void => setSort([i, column === i ? !isDown : Boolean(columns[i]?.isNumber)])
  const widths = columns.map(({ width = OTHER_COLUMN }, i) => (i === 0 ? FIRST_COLUMN : width))
  const minWidth = `${widths.reduce((sum, width) => sum + width, 0)}px`
  return (
    <>
      <p class="quiet narrow-only">Scroll the table sideways for more columns.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="table" ref={ref} onScroll={onScroll} aria-label={label} tabIndex={0}>
        <table aria-rowcount={rows.length + 1} style={{ minWidth }}>
          <thead>
            <tr>
              {columns.map((each, i) => (
                <th
                  key={each.name}
                  scope="col"
                  class={each.isNumber ? "num" : ""}
                  title={each.hint}
                  style={i === 0 ? {} : { width: `${widths[i]}px` }}
                  aria-sort={column === i ? (isDown ? "descending" : "ascending") : "none"}
                >
                  {each.sortBy ? (
                    <button type="button" class="plain" onClick={() => sortBy(i)}>
                      {each.name} <span aria-hidden="true">{column === i ? (isDown ? "↓" : "↑") : ""}</span>
                    </button>
                  ) : (
                    each.name
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer rows={first} columns={columns.length} />
            {sorted.slice(first, last).map((row, i) => (
              <tr key={keyOf(row)} aria-rowindex={first + i + 2}>
                {columns.map((each) => (
                  <td key={each.name} class={each.isNumber ? "num" : ""}>
                    {each.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
            <Spacer rows={sorted.length - last} columns={columns.length} />
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Takes the room of rows that are not drawn. */
function Spacer({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null
  return (
    <tr style={{ height: `${rows * ROW}px` }}>
      <td colSpan={columns} />
    </tr>
  )
}

/** Measures which of `count` rows are visible. */
function useWindow(count: number) {
  const ref = useRef<HTMLElement>(null)
  const [at, setAt] = useState({ top: 0, height: 600 })
  const measure = (): void => {
    const { scrollTop = 0, clientHeight = 600 } = ref.current ?? {}
    setAt((last) => (last.top === scrollTop && last.height === clientHeight ? last : { top: scrollTop, height: clientHeight }))
  }
  useEffect(measure, [])
  const first = Math.max(0, Math.min(Math.floor(at.top / ROW) - SPARE, count - 1))
  const last = Math.min(count, Math.ceil((at.top + at.height) / ROW) + SPARE)
  return { ref, first: count === 0 ? 0 : first, last, onScroll: measure }
}

function sortedBy<T>(rows: readonly T[], by: Column<T>["sortBy"], isDown: boolean): readonly T[] {
  if (!by) return rows
  const values = new Map(rows.map((row) => [row, by(row)]))
  const compare = (a: T, b: T): number => {
    const [x, y] = [values.get(a) as bigint, values.get(b) as bigint]
    return x < y ? -1 : x > y ? 1 : 0
  }
  return rows.toSorted((a, b) => (isDown ? compare(b, a) : compare(a, b)))
}
