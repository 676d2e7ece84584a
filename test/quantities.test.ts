import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { computed, others, tested } from "./quantities.js"
import { root } from "./sources.js"

/** Pages that are generated from the program or from test results, and the page of measurements. */
const MADE = [
  "api.md",
  "cli.md",
  "compatibility.md",
  "errors.md",
  "library.md",
  "metrics.md",
  "performance.md",
  "sql.md",
  "transactions.md",
]
const written = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && !MADE.includes(name))
const pages = ["README.md", ...written.map((name) => `docs/${name}`)]

/** A number or a word for one with a unit of time, size or share: `50 ms`, `half a minute`. */
const QUANTITY =
  /(?<![\w/-])(?:\d[\d,.]* ?(?:ms|µs|s|[KMG]iB|kB|MB|GB|%|bytes|seconds?|minutes?|hours?|days?)|(?:half an?|a tenth of a|an?|one|two|three|four|five|ten|few) (?:milliseconds?|seconds?|minutes?|hours?|days?)|in a blink|\| milliseconds)(?![\w/])/

/** Paragraphs, list items and table rows of a page without its code, each on one line. A row of a table has the table's head and the sentence before it. */
function partsOf(page: string): { text: string; context: string }[] {
  const blocks = readFileSync(join(root, page), "utf8")
    .replace(/```[\s\S]*?```/g, "")
    .split(/\n\n+/)
  return blocks.flatMap((block, i) => {
    const isTable = block.startsWith("|")
    const head = isTable ? `${blocks[i - 1]} ${block.split("\n")[0]}` : ""
    return block
      .split(isTable ? "\n" : /\n(?=- |\d+\. )/)
      .map((text) => ({ text: oneLine(text), context: oneLine(`${head} ${text}`) }))
  })
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Sentences of a part; the cells of a table row and the text after a semicolon or colon count as sentences. */
const sentencesIn = (text: string): string[] => text.split(/(?<=[.:;]) /)

test("every number of the hand-written pages is computed from the program, checked by a test, or marked as measured or estimated", () => {
  const unknown = pages.flatMap((page) => {
    const known = [...(computed[page] ?? []), ...(tested[page] ?? []).map(([part]) => part), ...(others[page] ?? [])].map(oneLine)
    return partsOf(page)
      .filter(({ context }) => !/measured|estimated|median/i.test(context))
      .flatMap(({ text }) =>
        sentencesIn(text)
          .filter((sentence) => QUANTITY.test(sentence))
          .filter(
            (sentence) => !known.some((part) => text.includes(part) && sentencesIn(part).some((own) => sentence.includes(own))),
          )
          .map((sentence) => `${page}: ${sentence}`),
      )
  })
  expect(unknown).toEqual([])
})

test("the pages contain every sentence that is listed as checked", () => {
  const texts = new Map(pages.map((page) => [page, oneLine(readFileSync(join(root, page), "utf8"))]))
  const lists = [
    computed,
    others,
    Object.fromEntries(Object.entries(tested).map(([page, rows]) => [page, rows.map(([part]) => part)])),
  ]
  const missing = lists.flatMap((list) =>
    Object.entries(list).flatMap(([page, parts]) => parts.map(oneLine).filter((part) => !texts.get(page)?.includes(part))),
  )
  expect(missing).toEqual([])
  for (const [, path, words] of Object.values(tested).flat()) expect(readFileSync(join(root, path), "utf8")).toContain(words)
})
