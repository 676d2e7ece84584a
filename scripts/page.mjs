// Builds the page in src/page into a folder: every file once as .gz and once as .br, which the node serves as they are.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

/** Returns false where vite is not installed, as after `npm ci --omit=dev`. */
export async function buildPage(outDir) {
  const vite = await import("vite").catch(() => undefined)
  if (!vite) return false
  await vite.build({ configFile: resolve("src/page/vite.config.ts"), build: { outDir, emptyOutDir: true } })
  for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }))
    rmSync(path)
  }
  return true
}
