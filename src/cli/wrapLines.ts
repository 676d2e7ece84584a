/**
 * Breaks lines that are wider than a terminal between two words. The rest of a line is indented like its second column, if it has one
 * (after two spaces or more), otherwise like its beginning.
 */
export function wrapLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns))
    .join("\n")
}

function wrapLine(line: string, columns: number): string {
  if (line.length <= columns) return line
  const [indent = ""] = /^ *(\S+( \S+)* {2,})?/.exec(line) ?? []
  const lines: string[] = []
  let current = indent
  for (const word of line.slice(indent.length).split(" ")) {
    const isFirst = current.trim() === indent.trim() && current.length === indent.length
    if (!isFirst && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = " ".repeat(indent.length) + word
    } else current += isFirst ? word : ` ${word}`
  }
  return [...lines, current].join("\n")
}
