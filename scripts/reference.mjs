import { fileURLToPath } from "node:url"
import { createServer } from "vite"
import { packedFiles } from "./packedFiles.mjs"

/** Makes the files of the reference, by name. Vite runs the TypeScript in test/docs/, as it does for the tests. */
export async function makeReference() {
  const vite = await createServer({
    root: fileURLToPath(new URL("../", import.meta.url)),
    configFile: false,
    appType: "custom",
    logLevel: "warn",
    esbuild: { target: "node20" },
    plugins: [packedFiles],
    server: { middlewareMode: true, ws: false, watch: null },
  })
  try {
    const { referenceFiles } = await vite.ssrLoadModule("/test/docs/reference.ts")
    return await referenceFiles()
  } finally {
    await vite.close()
  }
}
