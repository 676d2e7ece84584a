import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { defaultHttpOptions } from "../../../src/jsonrpc/http/options.js"
import { stepsOf } from "../../../src/jsonrpc/http/request/steps.js"
import { root } from "../../sources.js"

test("ARCHITECTURE.md names the steps of a request in their order", () => {
  const steps = stepsOf({
    ...defaultHttpOptions,
    dialect: "contract",
    routes: new Map(),
    files: () => new Map(),
    isReady: () => true,
  })
  const rows = steps.map(({ name, summary }) => `| ${name} | ${summary} |`).join("\n")
  expect(readFileSync(join(root, "ARCHITECTURE.md"), "utf8")).toContain(`| --- | --- |\n${rows}\n\n`)
})
