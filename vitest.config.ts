import { defineConfig } from "vitest/config"
import { packedFiles } from "./scripts/packedFiles.mjs"

/** The second tier: tests of whole processes, other programs, faults and long runs. `npm test` runs all other tests. */
const SYSTEM = [
  "test/cli/**",
  "test/clients/**",
  "test/faults/**",
  "test/l1/**",
  "test/network/**",
  "test/node/**",
  "test/page/**",
  "test/postgres/**",
  "test/reverts/**",
  "test/rpc/limits/**",
  "test/simulator/**",
  "test/site/**",
  "test/vectors/goparse.test.ts",
  "test/sync/**",
  "src/sources/openChain.test.ts",
  "src/cli/commands/{backup,exportStaking,forkDirectories}.test.ts",
  "src/network/peerSockets.test.ts",
  "src/services/platform/validatorSets/setPrinters.test.ts",
  "src/store/lmdb/{cleanClose,faults,killed,loadRows,lock,room}.test.ts",
  "test/execution/{random,rebuild,restarts,widestAmounts}.test.ts",
  "test/action.test.ts",
  "test/deploy.test.ts",
  "test/proxies.test.ts",
  "test/rpc/{hostile,reusedResults}.test.ts",
]

/** The PostgreSQL server of the tests, under another name: a `serac` that a test starts reads `SERAC_POSTGRES` as its flag --postgres. */
const { SERAC_POSTGRES } = process.env
delete process.env.SERAC_POSTGRES

const common = {
  // Files of one worker share its modules: loading them anew for each would take more time than the tests. `npm run test:system` also runs
  // the first tier with modules of their own for each file, and in another order.
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  env: SERAC_POSTGRES === undefined ? {} : { SERAC_TEST_POSTGRES: SERAC_POSTGRES },
  setupFiles: ["test/setUp.ts"],
}
const systemFiles = SYSTEM.map((path) => path.replace("/**", "/**/*.test.ts"))
const exclude = ["**/node_modules/**"]

export default defineConfig({
  test: {
    maxWorkers: "100%",
    projects: [
      {
        plugins: [packedFiles],
        test: {
          ...common,
          name: "quick",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...exclude, ...systemFiles],
        },
      },
      { plugins: [packedFiles], test: { ...common, name: "system", include: systemFiles, exclude } },
    ],
  },
})
