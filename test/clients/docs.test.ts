import { join } from "node:path"
import { expect, test } from "vitest"
import { root } from "../sources.js"
import { compatibilityPage } from "./compatibilityPage.js"

// `npm run docs` writes the pages; here they are compared.
test("docs/compatibility.md lists the cases that the tests of clients run", async () => {
  await expect(compatibilityPage()).toMatchFileSnapshot(join(root, "docs/compatibility.md"))
})
