import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the project. */
export const root = fileURLToPath(new URL("../../", import.meta.url))

/** The folder of compiled modules, each below its path in the project. It is in the project, whose package.json says what our modules import. */
export const compiledFolder = join(root, ".serac/modules/")

/** True for a file that Node imports itself in its compiled form: a module, or a binary file that one imports. */
export function isNative(path: string): boolean {
  if (!path.startsWith(root)) return false
  return /^(src|test|bench)\/(?!.*node_modules\/).*(\.br|(?<!\.d)\.ts)$/.test(path.slice(root.length))
}

/** The place of the compiled form of a file. */
export function compiledPath(path: string): string {
  return join(compiledFolder, `${path.slice(root.length).replace(/\.ts$/, "")}.js`)
}
