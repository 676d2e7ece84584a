import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

/** The project's folder, with a slash behind. */
export const root = fileURLToPath(new URL("../", import.meta.url))

/** One file of src/, its text without comments, and its imports as they are written. */
export interface Source {
  /** Below src/: `core/state/diff.ts`. */
  readonly path: string
  readonly text: string
  /** Number of lines with comments. */
  readonly lines: number
  readonly imports: readonly Import[]
}

export interface Import {
  readonly name: string
  /** True if only types are imported, which do not exist at run time. */
  readonly isType: boolean
  /** True if it is imported by a call, when it is needed. */
  readonly isLater: boolean
}

const IMPORT =
  /(?:^|\n)\s*(import|export)\s+(type\s)?[^"'`;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)|(?:^|\n)import\s+"([^"]+)"|\bload(?:<[^"\n]*>)?\("([^"]+)"\)/g

/** Every TypeScript file of src/, the views of the page too. */
export function sources(): Source[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  return files
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .map(read)
}

function read(path: string): Source {
  const whole = readFileSync(join(root, "src", path), "utf8")
  const text = withoutComments(whole)
  const imports = [...text.matchAll(IMPORT)].map((match) => ({
    name: (match[3] ?? match[4] ?? match[5] ?? match[6]) as string,
    isType: match[2] !== undefined,
    isLater: (match[4] ?? match[6]) !== undefined,
  }))
  return { path, text, lines: whole.split("\n").length - 1, imports }
}

/** Removes comments, whose examples are no imports. Sufficient for code in the format of this project. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")
}

/** The target of an import: a path below src/ (`jsonrpc/api.ts`), or one that starts with `../` if it is outside src/. */
export function targetOf(from: string, name: string): string {
  return relative("/src", join("/src", dirname(from), name)).replace(/\.js$/, ".ts")
}

/** Tests and their shared files, which may also import from test/. */
export function isTest(path: string): boolean {
  return /\.(test|contract|bench|fixture)\.ts$/.test(path)
}
