import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { builtSerac } from "./built.js"
import { findChromium, needsChromium } from "./chromium.js"
import { expectAccessible, launch, openPage, openView } from "./openPage.js"
import { type RunningSerac, startSerac } from "./running.js"

const chromium = findChromium()

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
const PRIMARY = "11111111111111111111111111111111LpoYY"

describe("on a running private chain", { ...needsChromium, timeout: 240_000 }, () => {
  let browser: Browser
  let node: RunningSerac
  let payment: string
  beforeAll(async () => {
    browser = await launch(chromium as string)
    node = await startSerac(builtSerac(), ["--accounts", "3"])
    const paid = await node.call<{ txID: string }>("dev.fund", { address: EWOQ, amount: "1234567890123" })
    payment = paid.txID
    await node.call("dev.addValidators", { count: 2, delegators: 1, duration: 1_209_600 })
  })
  afterAll(async () => {
    await browser?.close()
    await node?.[Symbol.asyncDispose]()
  })

  /** Every view by its fragment, and a text that only its answer has. */
  const views = (): readonly (readonly [hash: string, text: string | RegExp])[] => [
    ["#/", /^Latest blocks$/],
    ["#/validators", "7 validators"],
    [`#/validator/${NODE}`, "Reward goes to"],
    ["#/subnets", "Primary network"],
    [`#/subnet/${PRIMARY}`, "Validators (7)"],
    ["#/block/2", "BanffStandardBlock"],
    [`#/tx/${payment}`, "Inputs and outputs"],
    [`#/address/${EWOQ}`, "Free to spend"],
    ["#/api", "platform.getBalance"],
    ["#/api/platform.getHeight", "The call in code"],
    ["#/lab", "These keys are publicly known"],
    [`#/spellings/${NODE}`, "0x479f66c8be895830547e70b4b298cafd433dba6e"],
    ["#/l1/mine", "This node runs no L1 of this name."],
    ["#/nowhere", "There is no view"],
  ]

  /** The elements that make a page wider than its window, as far as six of them. */
  const ELEMENTS_TOO_WIDE = `
  document.documentElement.scrollWidth <= innerWidth
    ? []
    : [...document.querySelectorAll("main *")]
        .filter((each) => each.getBoundingClientRect().right > innerWidth)
        .slice(0, 6)
        .map((each) => each.outerHTML.slice(0, 150))`

  test("every view works, has no serious fault of accessibility in light and dark, and fits on narrow screens", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    const wide = page.viewportSize() as { width: number; height: number }
    for (const [hash, text] of views()) {
      await openView(page, hash, text)
      await expectAccessible(page, hash)
      await page.emulateMedia({ colorScheme: "dark" })
      await expectAccessible(page, `${hash} in dark mode`, ["color-contrast"])
      await page.setViewportSize({ width: 360, height: 700 })
      // A view may still be waiting for an answer below the first one.
      await expect.poll(async () => [hash, await page.evaluate(ELEMENTS_TOO_WIDE)], { timeout: 10_000 }).toEqual([hash, []])
      await page.setViewportSize(wide)
      await page.emulateMedia({ colorScheme: "light" })
    }
    expect(opened.faults).toEqual([])
  })

  test("blocks appear as they are accepted, and the figures follow", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    const { height } = await node.call<{ height: string }>("platform.getHeight")
    await page.getByText("Live", { exact: true }).waitFor()
    await page.getByText(/% of the supply/).waitFor()
    const calls = new Set<string>()
    page.on("request", (request) => calls.add((request.postDataJSON() as { method: string }).method))
    await node.call("dev.mine", { blocks: 2, filler: true })
    const next = Number(height) + 2
    await page.locator("ol.list li").first().getByText(String(next), { exact: true }).waitFor()
    expect(await page.locator(".card .figure a").first().textContent()).toBe(String(next))
    expect(await page.locator(".card").filter({ hasText: "Gas price" }).textContent()).toContain("Gas price1 nAVAXa payment")
    // The page updates the rest from the event, so that many open pages cost the node little. It requests these three every ten seconds at most.
    expect(
      [...calls].filter((method) => !["platform.getCurrentSupply", "platform.getTotalStake", "dev.status"].includes(method)),
    ).toEqual([])
  })

  test("a transaction shows exact amounts on hover, and its bytes the name of their field", async () => {
    await using opened = await openPage(browser, `${node.url}/#/tx/${payment}`)
    const { page } = opened
    const amount = page.locator("data", { hasText: "1,234.567890123 AVAX" }).first()
    await amount.waitFor()
    expect(await amount.getAttribute("title")).toBe("1,234,567,890,123 nAVAX")
    const bytes = await page.locator(".bytes .byte").allTextContents()
    const { tx } = await node.call<{ tx: string }>("platform.getTx", { txID: payment, encoding: "hexnc" })
    expect(`0x${bytes.join("")}`).toBe(tx)
    await page.locator(".bytes .byte").nth(1).hover()
    expect(await page.locator(".field-name").textContent()).toBe("unsignedTx.typeID = 34 · bytes 2 to 5")
    await page.locator(".bytes").press("ArrowRight")
    expect(await page.locator(".field-name strong").textContent()).toBe("unsignedTx.networkID")
  })

  test("the back button returns to the earlier views", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    await page.getByRole("link", { name: "Validators", exact: true }).click()
    await page.getByRole("heading", { name: "Validators", exact: true, level: 1 }).waitFor()
    // The page sets both after it has shown the heading.
    await expect.poll(() => page.title()).toBe("Validators · Serac")
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("title")
    await page.goBack()
    await page.getByRole("heading", { name: "The P-Chain now" }).waitFor()
  })

  test("more rows are added to those that are shown, which stay where they are", async () => {
    const address = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
    for (let count = 0; count < 22; count++) await node.call("dev.fund", { address, amount: "1" })
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    await openView(page, `#/address/${address}`, "Free to spend")
    const section = page.locator("section", { has: page.getByRole("heading", { name: "UTXOs" }) })
    const rows = section.locator("li")
    await expect.poll(() => rows.count()).toBe(20)
    const first = await rows.first().elementHandle()
    await section.getByText("Show more").click()
    await expect.poll(() => rows.count()).toBe(22)
    expect([await first?.evaluate((each) => each.isConnected), await section.getByText("Show more").count()]).toEqual([true, 0])
    expect(opened.faults).toEqual([])
  })

  test("the search opens what a text names", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    const searches = [
      ["2", "#/block/2"],
      [EWOQ, `#/address/${EWOQ}`],
      [NODE, `#/validator/${NODE}`],
      ["0x3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c", `#/address/${EWOQ}`],
      ["PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN", `#/address/${EWOQ}`],
      [payment, `#/tx/${payment}`],
      [`${payment}:0`, `#/tx/${payment}`],
      ["2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC", `#/subnet/${PRIMARY}`],
    ] as const
    for (const [text, hash] of searches) {
      await openView(page, "#/", /^Latest blocks$/)
      const box = page.getByRole("searchbox").first()
      await box.fill(text)
      await box.press("Enter")
      await page.waitForURL((url) => url.hash === hash)
    }
  })

  test("the search decodes raw hex, and says what it does not know without making HTML of it", async () => {
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    const box = page.getByRole("searchbox").first()
    await box.fill("0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000")
    await box.press("Enter")
    await page.getByText("These bytes are a RewardValidatorTx").waitFor()
    await box.fill("<img src=x onerror=alert(1)>")
    await box.press("Enter")
    await page.getByRole("alert").getByText("The text is not a known form of an ID").waitFor()
    expect(await page.locator("main code").first().textContent()).toBe("<img src=x onerror=alert(1)>")
    expect([await page.locator("main img").count(), faults]).toEqual([0, []])
  })

  test("a mistake is told once, with what to do", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    const mistakes = [
      ["#/address/P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t", "Addresses here begin with P-local1."],
      ["#/validator/0x64f7c0000000000000000000000000000000000a", "Check that the text is complete, or search for it above."],
      [`#/tx/${PRIMARY}`, "or be gone after a revert."],
    ] as const
    for (const [hash, advice] of mistakes) {
      await openView(page, hash, advice)
      expect([hash, await page.getByRole("alert").count()]).toEqual([hash, 1])
    }
  })

  test("on a phone the head of the page is one row, and the search opens over it", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByText("Latest transactions").waitFor()
    expect((await page.locator("header").boundingBox())?.height).toBeLessThan(60)
    const links = await page.getByRole("navigation").getByRole("link").all()
    for (const link of links) await expect.poll(async () => ((await link.boundingBox())?.x ?? 999) < 350).toBe(true)
    const box = page.getByRole("searchbox").first()
    await box.focus()
    expect((await box.boundingBox())?.width).toBeGreaterThan(300)
  })

  test("a form of the API calls the method and shows the call", async () => {
    await using opened = await openPage(browser, `${node.url}/#/api/platform.getBlockByHeight`)
    const { page } = opened
    await page.locator("main").getByLabel("height").fill("0")
    await page.getByRole("button", { name: "Call", exact: true }).click()
    await page.getByRole("heading", { name: "Answer" }).waitFor()
    expect(await page.locator("pre.code").first().textContent()).toContain('"encoding": "hex"')
    expect(await page.locator("pre.code").last().textContent()).toContain('api.callRpc("getBlockByHeight"')
    // Names in sentences are code, numbers are numbers, and placeholders are of the kind of the value.
    await openView(page, "#/api/dev.createL1", "The call in code")
    expect(await page.locator("main").textContent()).not.toContain("`")
    expect(await page.getByLabel(/^managerAddress/).getAttribute("placeholder")).toBe(`0x${"00".repeat(20)}`)
    expect(await page.locator("pre.code").first().textContent()).toContain('"params":{"validators":1,"chainName":"My L1"}')
  })

  test("the list of the API folds by service, with deprecated methods last", async () => {
    await using opened = await openPage(browser, `${node.url}/#/api`)
    const { page } = opened
    await page.getByText("platform.getHeight", { exact: true }).waitFor()
    expect(await page.evaluate("document.activeElement.type")).toBe("search")
    const deprecated = await page
      .locator("details.sheet")
      .first()
      .locator("li")
      .evaluateAll((rows) => rows.map((row) => row.querySelector(".tag") !== null))
    expect(deprecated).toEqual(deprecated.toSorted())
    expect([deprecated[0], deprecated.at(-1)]).toEqual([false, true])
    expect(await page.getByText("dev.advanceTime", { exact: true }).first().isVisible()).toBe(false)
    await page.getByLabel("Find a method").fill("advanceTime")
    await page.getByRole("link", { name: "dev.advanceTime", exact: true }).waitFor()
  })
})
