import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/longestFirst.js"
import { binaryModule, compileModules } from "./test/nativeModules/compile.js"
import { compiledPath, isNative } from "./test/nativeModules/places.js"

/** Tests that look at what their process has loaded, and so need one of their own. */
const alone = ["src/core/crypto/backends.test.ts"]

/** The PostgreSQL server of the tests, under another name: a `serac` that a test starts reads `SERAC_POSTGRES` as its flag --postgres. */
const { SERAC_POSTGRES } = process.env
delete process.env.SERAC_POSTGRES
const env: Record<string, string> = SERAC_POSTGRES === undefined ? {} : { SERAC_TEST_POSTGRES: SERAC_POSTGRES }

await compileModules()

/** Leaves our modules, test files too, to Node, which imports their compiled forms. Those of the page are left to vite. */
const nativeModules = {
  name: "native modules",
  enforce: "pre" as const,
  load(id: string) {
    if (isNative(id)) return `export * from ${JSON.stringify(compiledPath(id))}`
    return id.endsWith(".br") ? binaryModule(id) : undefined
  },
}

/**
 * V8 compiles a function for speed when it has run for long. In tests few run for so long that this pays: with these options a worker needs a
 * fifth less CPU time. Versions of V8 name the option differently.
 */
const major = Number(process.versions.node.split(".")[0])
const execArgv = major >= 22 ? ["--invocation-count-for-turbofan=30000"] : ["--interrupt-budget=1000000"]

/** The options of both projects. Each lists them itself: with `extends` a project would also take `maxWorkers`, and ignore the one of the command line. */
const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  pool: "forks" as const,
  execArgv,
  env,
  setupFiles: ["test/nativeModules/stacks.ts", "test/fastEquality.ts"],
  server: { deps: { external: [/\/\.serac\/modules\//] } },
}

export default defineConfig({
  test: {
    // Many tests wait for a process that they started, so there are more workers than cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [nativeModules],
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
      { plugins: [nativeModules], test: { ...common, name: "alone", include: alone } },
    ],
  },
})
