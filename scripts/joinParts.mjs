// Joins the small parts into which esbuild splits the program, because Node reads one file of a megabyte faster than a hundred small ones.
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { rollup } from "rollup"

/**
 * The layers of the program: the name of each, and the part that is its root. A layer has all parts that its root loads at once, and
 * that no layer before it has: first what prints the version, then what reads a command line; the entry points for browsers, which
 * load nothing of a node; a command that calls a node, and the command that is one. What the first two have in common with browsers is
 * the layer `shared`.
 */
const PROGRAM = { entry: /^serac\.js$/, commandLine: /^commandLine-\w+\.js$/ }
const BROWSERS = { codec: /^codec\.js$/, client: /^client\.js$/ }
const COMMANDS = { calls: /^call-\w+\.js$/, node: /^node-\w+\.js$/ }

/** Writes the parts in the folder `parts` as the program: its entry points in `outdir`, and what they load in `outdir/chunks`. */
export async function joinParts(parts, outdir) {
  const entries = readdirSync(parts).filter((name) => name.endsWith(".js"))
  const input = Object.fromEntries(entries.map((name) => [basename(name, ".js"), join(parts, name)]))
  // Parts name packages that only types of theirs use.
  const onwarn = (warning, warn) => warning.code === "UNUSED_EXTERNAL_IMPORT" || warn(warning)
  const bundle = await rollup({ input, external: (id) => !/^[./]/.test(id), treeshake: false, onwarn })
  let layers
  const manualChunks = (id, { getModuleIds, getModuleInfo }) => {
    layers ??= layersOf([...getModuleIds()], (part) => getModuleInfo(part).importedIds)
    return layers.get(id)
  }
  await bundle.write({ dir: outdir, chunkFileNames: "chunks/[name]-[hash].js", manualChunks, hoistTransitiveImports: false })
  await bundle.close()
}

/** Returns the name of the layer of each part that is in one, by the part's path. */
function layersOf(parts, importsOf) {
  const rootOf = (pattern) => {
    const roots = parts.filter((part) => pattern.test(basename(part)))
    if (roots.length !== 1) throw new Error(`${roots.length} parts have the name ${pattern} in place of one`)
    return roots[0]
  }
  /** The parts that are loaded with a part. */
  const loadedWith = (pattern) => {
    const loaded = new Set([rootOf(pattern)])
    for (const part of loaded) for (const path of importsOf(part)) if (parts.includes(path)) loaded.add(path)
    return loaded
  }
  const inBrowsers = new Set(Object.values(BROWSERS).flatMap((root) => [...loadedWith(root)]))
  const layers = new Map()
  for (const [name, root] of Object.entries({ ...PROGRAM, ...BROWSERS, ...COMMANDS })) {
    for (const part of loadedWith(root)) {
      if (!layers.has(part)) layers.set(part, name in PROGRAM && inBrowsers.has(part) ? "shared" : name)
    }
  }
  return layers
}
