import { expect, test } from "vitest"
import { isTest, type Source, sources } from "./sources.js"

const MAX_LINES = 60

/** Matches the line on which the body of a function begins, as the formatter writes it. Its parameters may be on lines above. */
const BODY = /^(\s*)(?!.*\b(?:class|interface|enum|namespace)\b).*(?:\)(?:: [^{}]*(?:\{[^{}]*\})?[^{}]*)?|=>) \{$/
const STATEMENT = /^\s*(?:\} )?(?:if|for|while|switch|catch|else|do|with)\b/

/** The functions of a file that have too many lines, as `core/state/diff.ts:97 has 61 lines`. */
function longFunctions({ path, text }: Pick<Source, "path" | "text">): string[] {
  const lines = text.split("\n")
  return lines.flatMap((line, start) => {
    const indent = BODY.exec(line)?.[1]
    if (indent === undefined || STATEMENT.test(line)) return []
    const end = lines.findIndex((each, i) => i > start && each.startsWith(`${indent}}`))
    const size = end - headOf(lines, start, indent) + 1
    return size > MAX_LINES ? [`${path}:${start + 1} has ${size} lines`] : []
  })
}

/** The line on which the head of a function begins: above, where its parameters have lines of their own. */
function headOf(lines: readonly string[], start: number, indent: string): number {
  if (!lines[start]?.startsWith(`${indent})`)) return start
  let head = start - 1
  while (head > 0 && !(lines[head]?.startsWith(indent) && /\S/.test(lines[head]?.[indent.length] ?? ""))) head--
  return head
}

test(`no function of the program has more than ${MAX_LINES} lines`, () => {
  const program = sources().filter(({ path }) => !isTest(path) && !path.endsWith("_pb.ts"))
  expect(program.flatMap(longFunctions)).toEqual([])
})

test("a long function is found in every form of declaration", () => {
  const body = "  work()\n".repeat(MAX_LINES)
  const heads = [
    "export function a(): void {",
    "const a = (b: number): { c: number } => {",
    "function* a(\n  b: number,\n): Work<void> {",
    "test(() => {",
  ]
  const found = heads.map((head) => longFunctions({ path: "a.ts", text: `${head}\n${body}}\n` }).length)
  expect(found).toEqual([1, 1, 1, 1])
  expect(longFunctions({ path: "a.ts", text: `class A {\n${body}}\nif (a()) {\n${body}}\n` })).toEqual([])
})
