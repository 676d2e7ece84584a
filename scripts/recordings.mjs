// Packs folders of recordings into one file each, which the tests read (see test/recordings/README.md).
//   node scripts/recordings.mjs <folder with golden/, vectors/ and data/> [golden | vectors | data]…
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { brotliCompressSync, constants, gunzipSync } from "node:zlib"

const [source, ...given] = process.argv.slice(2)
if (source === undefined) throw new Error("usage: node scripts/recordings.mjs <folder with golden/, vectors/ and data/> [name]…")

for (const name of given.length > 0 ? given : ["golden", "vectors", "data"]) {
  const bytes = Buffer.from(JSON.stringify(textsOf(join(source, name))))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  const packed = brotliCompressSync(bytes, { params })
  writeFileSync(new URL(`../test/recordings/${name}.br`, import.meta.url), packed)
  console.log(`${name}.br: ${bytes.length} bytes, packed ${packed.length}`)
}

/** Returns the text of every JSON file of a folder, by its path below the folder, in the order of the paths. Files in gzip are unpacked. */
function textsOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const texts = {}
  for (const path of paths.filter((each) => /\.json(\.gz)?$/.test(each)).sort()) {
    const bytes = readFileSync(join(folder, path))
    texts[path.split(sep).join("/").replace(/\.gz$/, "")] = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")
  }
  return texts
}
