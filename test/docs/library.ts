import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { root } from "../sources.js"

/** A name that an entry point of the library exports, as its declaration describes it. */
interface ExportedName {
  readonly name: string
  readonly kind: string
  readonly meaning: string
}

const ENTRY_POINTS = [
  {
    title: "serac",
    file: "index",
    about: "For Node.js. It also has every name of `serac/client`; [Quick start and library](../quick-start.md) is its guide.",
  },
  { title: "serac/client", file: "client", about: "For Node.js and browsers; [its guide](../client.md)." },
  { title: "serac/codec", file: "codec", about: "For Node.js and browsers; [its guide](../codec.md)." },
]

/** docs/reference/library.md. */
export function libraryPage(): string {
  return `# The names of the library

Every function, value and type that the package exports, with the comment of its declaration. The declarations themselves are in the package, in
\`dist/index.d.ts\`, \`dist/client.d.ts\` and \`dist/codec.d.ts\`, and an editor shows them.

${ENTRY_POINTS.map(({ title, file, about }) => `## ${title}\n\n${about}\n\n${tableOf(exportedBy(file))}`).join("\n")}`
}

function tableOf(names: readonly ExportedName[]): string {
  const rows = names.map(({ name, kind, meaning }) => `| \`${name}\` | ${kind} | ${meaning} |\n`)
  return `| name | is a | meaning |\n| --- | --- | --- |\n${rows.join("")}`
}

/** The names that an entry point exports itself, by name. */
function exportedBy(entry: string): ExportedName[] {
  const text = readFileSync(join(root, `src/${entry}.ts`), "utf8")
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "(.*?)"/gm)]
  return lists
    .flatMap(([, names = "", file = ""]) => {
      const source = readFileSync(join(root, posix.join("src", file.replace(/\.js$/, ".ts"))), "utf8")
      return [...names.matchAll(/(?:type )?(\w+)/g)].map(([, name]) => declarationOf(name as string, file, source))
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"))
}

function declarationOf(name: string, file: string, source: string): ExportedName {
  const pattern = new RegExp(
    `\\/\\*\\*((?:(?!\\*\\/)[\\s\\S])*)\\*\\/\\nexport (?:async )?(?:abstract )?(function|const|class|interface|type) ${name}\\b`,
  )
  const [, comment, kind] = pattern.exec(source) ?? []
  if (comment === undefined || kind === undefined)
    throw new Error(`${file} has no comment for ${name}, which the library exports`)
  const meaning = comment.replace(/\n \*/g, "").trim()
  return { name, kind: KINDS[kind] as string, meaning: meaning.replaceAll("|", "\\|").replace(/(?<!`[^`]*)<(?![^`]*`)/g, "\\<") }
}

const KINDS: Readonly<Record<string, string>> = {
  function: "function",
  const: "value",
  class: "class",
  interface: "type",
  type: "type",
}
