import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
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
  cpSync(buildOnce("types"), join(dir, "dist/types"), { recursive: true })
  return { dir, packed: () => packedFiles(dir), remove: () => rmSync(dir, { recursive: true, force: true }) }
}

function packedFiles(dir: string): string[] {
  const said = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: dir,
    stdio: ["ignore", "pipe", "ignore"],
  })
  const [{ files }] = JSON.parse(said.toString()) as [{ files: { path: string }[] }]
  return files.map(({ path }) => path)
}
