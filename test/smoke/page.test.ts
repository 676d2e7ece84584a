import { expect, test } from "vitest"
import { builtSerac } from "../page/built.js"
import { findChromium, needsChromium } from "../page/chromium.js"
import { launch, openPage, openView } from "../page/openPage.js"
import { startSerac } from "../page/running.js"

test("the page of a private chain shows its blocks, and reports no error", needsChromium, async () => {
  await using node = await startSerac(builtSerac(), ["--accounts", "0"])
  await node.call("dev.mine", { blocks: 2, filler: true })
  const { block } = await node.call<{ block: { id: string } }>("platform.getBlockByHeight", { height: "2", encoding: "json" })
  const browser = await launch(findChromium() as string)
  try {
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    await openView(page, "#/block/2", "BanffStandardBlock")
    expect(await page.locator("main").textContent()).toContain(block.id)
    expect(faults).toEqual([])
  } finally {
    await browser.close()
  }
})
