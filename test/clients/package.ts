import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { buildOnce } from "../cli/buildOnce.js"
import { root } from "../sources.js"

/** Files that npm packs in any case. */
const ALWAYS = ["package.json", "README.md", "LICENSE"]

/** A package that was built for a test. */
export interface BuiltPackage {
  readonly dir: string
  /** Lists the files that npm packs, from the package's root. */
  packed(): string[]
  remove(): void
}

/**
 * Builds the package as it is published from the sources as they are now: programs in its folder that import "serac" get this
 * build. The folder is inside the project, so that other packages are found, but not below node_modules, where the runner of
 * the tests looks for none.
 */
export function buildPackage(): BuiltPackage {
  mkdirSync(join(root, ".serac"), { recursive: true })
  const dir = mkdtempSync(join(root, ".serac/package-"))
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] }
  const copied = [...files.filter((name) => !/^(!|dist$)/.test(name)), ...ALWAYS]
  for (const name of copied) cpSync(join(root, name), join(dir, name), { recursive: true })
  cpSync(buildOnce("dist"), join(dir, "dist"), { recursive: true })
  cpSync(buildOnce("types"), join(dir, "dist"), { recursive: true })
  return { dir, packed: () => packedFiles(dir), remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/**
 * Returns the files that npm would pack. npm compresses them even to list them, so it gets a folder where all files but the manifest are
 * empty.
 */
function packedFiles(dir: string): string[] {
  const names = mkdtempSync(join(tmpdir(), "serac-names-"))
  try {
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      const path = join(names, relative(dir, join(entry.parentPath, entry.name)))
      if (entry.isDirectory()) mkdirSync(path, { recursive: true })
      else writeFileSync(path, "")
    }
    cpSync(join(dir, "package.json"), join(names, "package.json"))
    cpSync(join(root, ".gitignore"), join(names, ".gitignore"))
    const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: names,
      stdio: ["ignore", "pipe", "ignore"],
    })
    const [{ files }] = JSON.parse(output.toString()) as [{ files: { path: string }[] }]
    return files.map(({ path }) => path)
  } finally {
    rmSync(names, { recursive: true })
  }
}
