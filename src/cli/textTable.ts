import { escapeLine } from "../core/lib/escapeControls.js"

/** A column of a table: its title and the text of its cells. */
export interface Column<T> {
  readonly title: string
  /** True for numbers, which are aligned to the right. */
  readonly isNumber?: boolean
  cell(row: T): string
}

/** Prints a table with two spaces between its columns. A column whose cells are all empty is omitted. A cell stays on its line, whatever a node answers. */
export function textTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const shown = columns
    .map(({ title, isNumber = false, cell }) => ({ title, isNumber, cells: rows.map((row) => escapeLine(cell(row))) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
  const padded = shown.map(({ title, isNumber, cells }) => {
    const width = cells.reduce((most, { length }) => Math.max(most, length), title.length)
    return [title, ...cells].map((text) => (isNumber ? text.padStart(width) : text.padEnd(width)))
  })
  const lines = (padded[0] ?? []).map((_, i) =>
    padded
      .map((column) => column[i])
      .join("  ")
      .trimEnd(),
  )
  return lines.map((line) => `${line}\n`).join("")
}

/** Prints names and values, one per line, with values that are aligned, after `least` characters or more. A name without a value is omitted. */
export function factLines(facts: Readonly<Record<string, string | undefined>>, least = 0): string {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined)
  const width = Math.max(least, ...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${escapeLine(value as string)}\n`).join("")
}
