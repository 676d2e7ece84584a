import { join } from "node:path"
import { expect, test } from "vitest"
import { cachedPage } from "../docs/cachedPage.js"
import { root } from "../sources.js"
import { compatibilityPage } from "./compatibilityPage.js"

// `npm run docs` writes the page; here it is compared.
test("docs/compatibility.md lists the cases that the tests of clients run", async () => {
  await expect(compatibilityPage()).toMatchFileSnapshot(join(root, "docs/compatibility.md"))
})

test("docs/library.md shows every name that the library exports", async () => {
  const page = await cachedPage("library.md", async () => (await import("../docs/library.js")).libraryPage())
  await expect(page).toMatchFileSnapshot(join(root, "docs/library.md"))
})
