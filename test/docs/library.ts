import { dirname, join, relative } from "node:path"
import { API, type Project, type Symbol as Sym } from "typescript/unstable/sync"
import { root } from "../sources.js"
import { DeclarationReader } from "./declarations.js"
import { libraryIntroduction } from "./libraryIntroduction.js"

/** The chapters of the page, by the folders under src/ whose exports they show; the first that fits. */
const chapters: readonly (readonly [string, string])[] = [
  ["node/", "A private chain, and clients of any node"],
  ["jsonrpc/", "Calls and their answers"],
  ["core/txs/", "Transactions"],
  ["platform/library", "Transactions"],
  ["core/blocks/", "Blocks"],
  ["core/types/warp/", "Warp messages"],
  ["core/types/proposervm", "ProposerVM blocks"],
  ["core/types/", "IDs, addresses, keys, UTXOs"],
  ["core/genesis/", "Genesis"],
  ["platform/genesis", "Genesis"],
  ["core/networks/", "Networks and upgrades"],
  ["core/wire/", "Recognising bytes"],
  ["core/codec/", "The codec"],
  ["core/crypto/", "Signatures"],
  ["platform/backends", "Signatures"],
  ["core/lib/", "Bytes, JSON, errors"],
]

/** One name that the library exports. */
interface Entry {
  readonly name: string
  readonly chapter: string
  readonly comment: string
  readonly code: string
}

/** docs/library.md: every name that users import from "serac", with its declaration and its comment. */
export function libraryPage(): string {
  const all = entries()
  const silent = all.filter(({ comment }) => comment === "").map(({ name }) => name)
  if (silent.length > 0) throw new Error(`these exports have no comment: ${silent.join(", ")}`)
  const named = [...new Set(chapters.map(([, title]) => title))].filter((title) => all.some(({ chapter }) => chapter === title))
  const parts = named.map(
    (title) =>
      `## ${title}\n\n${all
        .filter(({ chapter }) => chapter === title)
        .map(shown)
        .join("\n")}`,
  )
  return `${libraryIntroduction}\n${parts.join("\n")}`
}

const shown = ({ name, comment, code }: Entry) => `### \`${name}\`\n\n${comment}\n\n\`\`\`ts\n${code}\n\`\`\`\n`

/** Reads src/index.ts and its exports. Throws if an export has no chapter. */
function entries(): Entry[] {
  const api = new API({ cwd: root })
  try {
    const config = join(root, "tsconfig.types.json")
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config) as Project
    const index = project.checker.getSymbolAtLocation(project.program.getSourceFile(join(root, "src/index.ts"))!)!
    const exports = project.checker.getExportsOfModule(index)
    const reader = new DeclarationReader(project, exports)
    return exports.map((exported) => entryOf(exported, reader))
  } finally {
    api.close()
  }
}

function entryOf(exported: Sym, reader: DeclarationReader): Entry {
  const symbol = reader.declared(exported)
  const file = relative(join(root, "src"), reader.declarationOf(symbol).getSourceFile().fileName)
  const chapter = chapters.find(([folder]) => file.startsWith(folder))?.[1]
  if (chapter === undefined) throw new Error(`${exported.name} of ${dirname(file)} belongs to no chapter of docs/library.md`)
  return { name: exported.name, chapter, comment: reader.commentOf(symbol), code: reader.codeOf(symbol) }
}
