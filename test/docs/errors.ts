import type { Refusal, Refusals } from "../../src/core/lib/invalid.js"
import { sources } from "../sources.js"

/** A refusal, and the folder that has it. */
export interface ListedRefusal {
  readonly code: string
  readonly folder: string
  readonly refusal: Refusal
}

/** Every refusal of every folder: each list that some file of src/ exports, found by reading src/. */
export async function allRefusals(): Promise<ListedRefusal[]> {
  const declaring = sources().filter(({ path, text }) => /\brefusals\(\{/.test(text) && !path.endsWith(".test.ts"))
  const lists = await Promise.all(declaring.map(({ path }) => listsIn(path)))
  return lists.flat().sort((a, b) => (a.code < b.code ? -1 : 1))
}

async function listsIn(path: string): Promise<ListedRefusal[]> {
  const exported = Object.values(
    (await import(/* @vite-ignore */ `../../src/${path.replace(/\.ts$/, ".js")}`)) as Record<string, unknown>,
  )
  const lists = exported.flatMap((each) => (isRefusals(each) ? [each.list] : []))
  if (lists.length === 0)
    throw new Error(`${path} declares refusals and exports none: docs/reference/errors.md could not list them`)
  const folder = path
    .split("/")
    .slice(0, path.startsWith("core/") ? 2 : 1)
    .join("/")
  return lists.flatMap((list) => Object.entries(list).map(([code, refusal]) => ({ code, folder, refusal })))
}

function isRefusals(value: unknown): value is Refusals<string> {
  return typeof value === "function" && "list" in value
}

/** docs/reference/errors.md. */
export function errorsPage(refusals: readonly ListedRefusal[]): string {
  const groups = new Map<string, ListedRefusal[]>()
  for (const each of refusals) {
    const group = each.code.split(".")[0] as string
    groups.set(group, [...(groups.get(group) ?? []), each])
  }
  return `# Errors

The errors with which the node refuses an input. The code is stable: it is never renamed or used for something else. The sentence says
what is wrong; the data beside it (a path, an offset, the value that was found and the one that was expected) says where. If AvalancheGo
refuses the same input with a fixed message, the third column has it; other messages of AvalancheGo are made from the data. A link to
\`#\` and a code leads to its row.

${[...groups].map(([group, entries]) => groupText(group, entries)).join("\n")}`
}

function groupText(group: string, entries: readonly ListedRefusal[]): string {
  const folders = [...new Set(entries.map(({ folder }) => `\`src/${folder}/\``))].join(", ")
  return `## ${group}

In ${folders}.

| code | meaning | AvalancheGo's message |
| --- | --- | --- |
${entries.map(rowOf).join("\n")}
`
}

function rowOf({ code, refusal }: ListedRefusal): string {
  const { sentence, avalanchegoMessage } = refusal
  const message = typeof avalanchegoMessage === "string" ? avalanchegoMessage : ""
  return `| <a id="${code}"></a>\`${code}\` | ${cell(sentence)} | ${cell(message)} |`
}

/** A text in a table of Markdown. Of its signs only backticks have a meaning. */
function cell(text: string): string {
  const parts = text.replaceAll("\n", " ").split("`")
  return parts.map((part, i) => part.replace(i % 2 === 0 ? /[|\\*_[\]<]/g : /\|/g, "\\$&")).join("`")
}
