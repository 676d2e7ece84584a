import { defineConfig } from "vitest/config"

/** Tests that look at what their process has loaded, and so need one of their own. */
const alone = ["src/core/crypto/backends.test.ts"]

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Otherwise one core of two would be kept free.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        // Files of one worker share its modules: loading them anew for each would take more time than the tests.
        test: {
          name: "shared",
          isolate: false,
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...alone],
        },
      },
      { extends: true, test: { name: "alone", include: alone } },
    ],
  },
})
