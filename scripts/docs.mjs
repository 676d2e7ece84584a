// Writes the reference, the pages that are generated from the program and are not in git.
//   node scripts/docs.mjs            into docs/reference/
//   node scripts/docs.mjs FOLDER     into another folder
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createServer } from "vite"
import { packedFiles } from "./packedFiles.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
// Vite runs the TypeScript of the tests' folder, as it does for the tests.
const vite = await createServer({
  root,
  configFile: false,
  appType: "custom",
  logLevel: "warn",
  esbuild: { target: "node20" },
  plugins: [packedFiles],
  server: { middlewareMode: true, ws: false, watch: null },
})
try {
  const { referenceFiles } = await vite.ssrLoadModule("/test/docs/reference.ts")
  const files = await referenceFiles()
  const folder = process.argv[2] ?? join(root, "docs/reference")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
} finally {
  await vite.close()
}
