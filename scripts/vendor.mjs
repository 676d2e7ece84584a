// Copies a package into dist/vendor, since npm warns everyone who installs a package with an install script, and lmdb does not need its own:
// it finds its binary in one of the packages @lmdb/*.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** The copied packages: the name that the sources load, and the file of the package that has it. */
export const vendored = [{ name: "lmdb", entry: "dist/index.cjs" }]

/** Bundles each package with the packages that it needs, and writes the licence of everything that is inside. */
export async function vendor(build, outdir) {
  for (const { name, entry } of vendored) {
    const folder = join("node_modules", name)
    const to = join(outdir, "vendor", name)
    const { metafile } = await build({
      entryPoints: { index: join(folder, entry) },
      outdir: to,
      outExtension: { ".js": ".cjs" },
      bundle: true,
      platform: "node",
      target: "node20.19",
      format: "cjs",
      metafile: true,
      logLevel: "error",
      // Users do not install it, and do not need it: it makes an encoding faster that is not used here.
      external: ["msgpackr-extract", "bun:ffi"],
    })
    // The package finds its binary by its own name, and is CommonJS.
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    writeFileSync(join(to, "package.json"), `${JSON.stringify({ name, version, license, private: true }, null, 2)}\n`)
    copyLicenses(Object.keys(metafile.inputs), to)
  }
}

/** Copies the licence of each package that a bundle is made of. One of them has no such file; the licence in its manifest is written instead. */
function copyLicenses(inputs, to) {
  const folders = new Set(inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]))
  mkdirSync(join(to, "licenses"), { recursive: true })
  for (const folder of folders) {
    const name = folder.replace(/^.*node_modules\//, "").replace("/", "+")
    const copy = join(to, "licenses", name)
    if (existsSync(join(folder, "LICENSE"))) copyFileSync(join(folder, "LICENSE"), copy)
    else writeFileSync(copy, saidByManifest(folder))
  }
}

function saidByManifest(folder) {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (!license) throw new Error(`${name} names no licence`)
  return `${name} ${version}: ${license}\nAuthor: ${author?.name ?? author}\n${repository?.url ?? repository ?? ""}\n`
}

/** Lets the bundle load the copies in place of the packages, by the names that `imports` in package.json gives them. */
export const loadVendored = {
  name: "load vendored packages",
  setup({ onLoad }) {
    onLoad({ filter: /core\/crypto\/load\.ts$/ }, ({ path }) => {
      const names = Object.fromEntries(vendored.map(({ name }) => [name, `#${name}`]))
      const source = readFileSync(path, "utf8")
      const contents = source.replaceAll(/require(\.resolve)?\(name\)/g, `require$1(${JSON.stringify(names)}[name] ?? name)`)
      if (contents === source) throw new Error(`${path} does not load packages by \`require(name)\``)
      return { contents, loader: "ts", resolveDir: dirname(path) }
    })
  },
}
