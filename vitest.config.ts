import { readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"

/** The PostgreSQL server of the tests, under another name: a `serac` that a test starts reads `SERAC_POSTGRES` as its flag --postgres. */
const { SERAC_POSTGRES } = process.env
delete process.env.SERAC_POSTGRES
const env: Record<string, string> = SERAC_POSTGRES === undefined ? {} : { SERAC_TEST_POSTGRES: SERAC_POSTGRES }

/** Imports a packed file as its bytes, as the build does. */
const packedFiles = {
  name: "packed files",
  load(id: string) {
    if (!id.endsWith(".br")) return undefined
    return `export default new Uint8Array(Buffer.from("${readFileSync(id).toString("base64")}", "base64"))`
  },
}

/** Tests that look at what their process has loaded, and so need one of their own. */
const alone = ["src/core/crypto/backends.test.ts"]

const common = { testTimeout: 60_000, hookTimeout: 60_000, env }

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [packedFiles],
        // Files of one worker share its modules: loading them anew for each would take more time than the tests.
        test: {
          ...common,
          name: "shared",
          isolate: false,
          setupFiles: ["test/prepareProofs.ts"],
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...alone],
        },
      },
      { plugins: [packedFiles], test: { ...common, name: "alone", include: alone } },
    ],
  },
})
