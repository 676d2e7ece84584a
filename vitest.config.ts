import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/longestFirst.js"

/** Tests that look at what their process has loaded, and so need one of their own. */
const alone = ["src/core/crypto/backends.test.ts"]

/** Modules that Node imports itself (test/nativeModules): all of ours but the test files and the page. */
const root = fileURLToPath(new URL(".", import.meta.url)).replaceAll(/[^\w/]/g, "\\$&")
const native = new RegExp(`^${root}(src/(?!page/)|test/(?!nativeModules/)|bench/).*(?<!\\.test)\\.ts$`)

/** The PostgreSQL server of the tests, under another name: a `serac` that a test starts reads `SERAC_POSTGRES` as its flag --postgres. */
const { SERAC_POSTGRES } = process.env
delete process.env.SERAC_POSTGRES
const env: Record<string, string> = SERAC_POSTGRES === undefined ? {} : { SERAC_TEST_POSTGRES: SERAC_POSTGRES }

/** Gives binary files as the build does. */
const binaryFiles = {
  name: "binary files",
  enforce: "pre" as const,
  load(id: string) {
    if (!id.endsWith(".br")) return undefined
    return `export default new Uint8Array(Buffer.from("${readFileSync(id).toString("base64")}", "base64"))`
  },
}

/** The options of both projects. Each lists them itself: with `extends` a project would also take `maxWorkers`, and ignore the one of the command line. */
const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: "forks" as const,
  env,
  setupFiles: ["test/nativeModules/register.ts", "test/fastEquality.ts"],
  server: { deps: { external: [native] } },
}

export default defineConfig({
  test: {
    // Many tests wait for a process that they started, so there are more workers than cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [binaryFiles],
        // Files of one worker share its modules: loading them anew for each would take more time than the tests.
        test: {
          ...common,
          name: "shared",
          isolate: false,
          setupFiles: [...common.setupFiles, "test/prepareProofs.ts"],
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...alone],
        },
      },
      { plugins: [binaryFiles], test: { ...common, name: "alone", include: alone } },
    ],
  },
})
