import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { transform, version } from "esbuild"
import { compiledFolder, compiledPath, isNative, root } from "./places.js"

/** The name of the file that contains the version of the compiler. */
const VERSION_FILE = "esbuild.version"

/**
 * Compiles the modules that Node imports itself and that have changed since the last run. Removes compiled modules without a source. A compiled
 * module has the modification time of its source.
 */
export async function compileModules(): Promise<void> {
  const versionFile = join(compiledFolder, VERSION_FILE)
  if (textOf(versionFile) !== version) rmSync(compiledFolder, { recursive: true, force: true })
  const sources = filesBelow(root, ["src", "test", "bench"]).filter(isNative)
  removeExcept(new Set(sources.map(compiledPath)))
  await Promise.all(sources.filter(isChanged).map(compile))
  for (const folder of ["scripts", "test/clients/sdk/node_modules"]) link(folder)
  writeWhole(versionFile, version)
}

/** Lets compiled modules find a folder that lies beside their sources and is not compiled. */
function link(folder: string): void {
  const place = join(compiledFolder, folder)
  rmSync(place, { force: true })
  if (existsSync(join(root, folder))) symlinkSync(join(root, folder), place)
}

function filesBelow(folder: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const entries = readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  })
}

function removeExcept(wanted: ReadonlySet<string>): void {
  if (!existsSync(compiledFolder)) return
  for (const path of filesBelow(compiledFolder, ["."])) if (path.endsWith(".js") && !wanted.has(path)) rmSync(path)
}

function isChanged(source: string): boolean {
  const compiled = statSync(compiledPath(source), { throwIfNoEntry: false })
  return compiled === undefined || Math.abs(compiled.mtimeMs - statSync(source).mtimeMs) >= 1
}

async function compile(source: string): Promise<void> {
  const target = compiledPath(source)
  const { atime, mtime } = statSync(source)
  const code = source.endsWith(".br") ? binaryModule(source) : await javaScriptOf(source)
  mkdirSync(dirname(target), { recursive: true })
  writeWhole(target, code, (part) => utimesSync(part, atime, mtime))
}

/**
 * Returns the JavaScript of a TypeScript module. Its `import.meta.url` is that of the source, so that it finds the files beside the source.
 */
async function javaScriptOf(source: string): Promise<string> {
  const { code } = await transform(readFileSync(source, "utf8"), {
    loader: "ts",
    format: "esm",
    target: "node20.19",
    sourcefile: source,
    sourcemap: "inline",
    sourcesContent: false,
    define: { "import.meta.url": JSON.stringify(pathToFileURL(source).href) },
    tsconfigRaw: { compilerOptions: { target: "ES2023", verbatimModuleSyntax: true } },
  })
  return code.replaceAll(/\bimport\("([^"\n]+\.br)"\)/g, 'import("$1.js")')
}

/** Returns a module that exports the bytes of a binary file, as the build makes it. */
export function binaryModule(path: string): string {
  return `export default new Uint8Array(Buffer.from("${readFileSync(path).toString("base64")}", "base64"))`
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined
}

/**
 * Writes a file so that another run, which may write it at the same time, never reads a part of it. `writeWholeFile` also waits for the disk,
 * which takes too long for two thousand modules that can be compiled again.
 */
function writeWhole(path: string, text: string, finish: (part: string) => void = () => {}): void {
  const part = `${path}.${process.pid}`
  writeFileSync(part, text)
  finish(part)
  renameSync(part, path)
}
