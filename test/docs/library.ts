import { dirname, join, relative } from "node:path"
import ts from "typescript-lowest"
import { root } from "../sources.js"
import { DeclarationReader, declared } from "./declarations.js"
import { libraryIntroduction } from "./libraryIntroduction.js"

/** The chapters of the page, by the folders under src/ whose exports they show; the first that fits. */
const chapters: readonly (readonly [string, string])[] = [
  ["node/", "A private chain, and clients of any node"],
  ["jsonrpc/", "Calls and their answers"],
  ["core/txs/", "Transactions"],
  ["core/blocks/", "Blocks"],
  ["core/types/warp/", "Warp messages"],
  ["core/types/proposervm", "ProposerVM blocks"],
  ["core/types/", "IDs, addresses, keys, UTXOs"],
  ["core/genesis/", "Genesis"],
  ["core/networks/", "Networks and upgrades"],
  ["core/wire/", "Recognising bytes"],
  ["core/codec/", "The codec"],
  ["core/crypto/", "Signatures"],
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
  const named = chapters.map(([, title]) => title).filter((title) => all.some(({ chapter }) => chapter === title))
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
  const path = join(root, "src/index.ts")
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const program = ts.createProgram([path], { ...options, noEmit: true })
  const checker = program.getTypeChecker()
  const index = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile) as ts.Symbol
  const exports = checker.getExportsOfModule(index)
  const reader = new DeclarationReader(checker, exports)
  return exports.map((exported) => entryOf(exported, checker, reader))
}

function entryOf(exported: ts.Symbol, checker: ts.TypeChecker, reader: DeclarationReader): Entry {
  const symbol = declared(exported, checker)
  const file = relative(join(root, "src"), (symbol.declarations as ts.Declaration[])[0]!.getSourceFile().fileName)
  const chapter = chapters.find(([folder]) => file.startsWith(folder))?.[1]
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s*\n\s*/g, " ")
  if (chapter === undefined) throw new Error(`${exported.name} of ${dirname(file)} belongs to no chapter of docs/library.md`)
  return { name: exported.name, chapter, comment, code: reader.codeOf(symbol) }
}
