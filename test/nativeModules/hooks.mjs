// Hooks of Node's module loader, which run in a thread of their own. With them Node imports TypeScript and binary files as the build does.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { transformSync, version } from "esbuild"

/** The folder of the project, and the folder of compiled modules: `register` passes both. */
let places

export function initialize(given) {
  places = given
}

/** Finds `x.ts` where TypeScript imports `x.js`. */
export function resolve(specifier, context, next) {
  const parent = context.parentURL
  if (!specifier.startsWith(".") || !specifier.endsWith(".js") || !parent?.endsWith(".ts")) return next(specifier, context)
  return { url: new URL(`${specifier.slice(0, -".js".length)}.ts`, parent).href, format: "module", shortCircuit: true }
}

export function load(url, context, next) {
  if (url.endsWith(".ts")) return { format: "module", source: compiled(fileURLToPath(url)), shortCircuit: true }
  if (url.endsWith(".br")) return { format: "module", source: binary(fileURLToPath(url)), shortCircuit: true }
  return next(url, context)
}

const binary = (path) => `export default new Uint8Array(Buffer.from("${readFileSync(path).toString("base64")}", "base64"))`

/** The JavaScript of a file, compiled again after a change. Its last line but one names the size and the time of the file. */
function compiled(path) {
  const { size, mtimeMs } = statSync(path)
  const key = `\n// ${version} ${size} ${mtimeMs}\n`
  const kept = `${places.compiled}${path.slice(places.root.length)}.js`
  const found = readIfPresent(kept)
  if (found?.endsWith(key)) return found
  const { code } = transformSync(readFileSync(path, "utf8"), {
    loader: "ts",
    format: "esm",
    target: "node20.19",
    sourcefile: path,
    sourcemap: "inline",
    sourcesContent: false,
    tsconfigRaw: { compilerOptions: { target: "ES2023", verbatimModuleSyntax: true } },
  })
  writeWhole(kept, code + key)
  return code
}

function readIfPresent(path) {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** Other workers may write the same file at the same time. */
function writeWhole(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.${process.pid}`
  writeFileSync(part, text)
  renameSync(part, path)
}
