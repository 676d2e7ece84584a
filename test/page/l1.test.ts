import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { builtSerac } from "./built.js"
import { findChromium, needsChromium } from "./chromium.js"
import { expectAccessible, launch, openPage, openView } from "./openPage.js"
import { type RunningSerac, startSerac } from "./running.js"

const chromium = findChromium()

/** The text of the value beside a name. */
const factOf = (page: Page, name: string) =>
  page
    .locator(".fact")
    .filter({ has: page.locator("dt").getByText(name, { exact: true }) })
    .locator("dd")
    .first()
    .textContent()

/** The names whose text is wider than their column. */
const NAMES_TOO_WIDE = `[...document.querySelectorAll("main dt")].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)`

describe("L1 validators and auto-renewed validators", { ...needsChromium, timeout: 240_000 }, () => {
  let browser: Browser
  let node: RunningSerac
  let l1: { subnetID: string; validators: [{ validationID: string }, { validationID: string }] }
  let registered: { txID: string; validationID: string; nodeID: string }
  let renewed: { nodeIDs: string[]; txIDs: string[] }
  beforeAll(async () => {
    browser = await launch(chromium as string)
    node = await startSerac(builtSerac(), ["--accounts", "2"])
    l1 = await node.call("dev.createL1", { validators: 2 })
    registered = await node.call("dev.registerL1Validator", { subnetID: l1.subnetID, weight: 40 })
    await node.call("dev.setL1Weight", { validationID: registered.validationID, weight: 60 })
    await node.call("dev.setL1Weight", { validationID: l1.validators[1].validationID, weight: 0 })
    renewed = await node.call("dev.addValidators", { count: 1, autoRenew: { period: 1_209_600, compound: 50 } })
    await node.call("dev.advanceTime", { seconds: 1_209_601, settle: true })
  })
  afterAll(async () => {
    await browser?.close()
    await node?.[Symbol.asyncDispose]()
  })

  test("an L1 validator is reached from its L1, and shows its weight, balance, run-out, owners, nonce and history", async () => {
    await using opened = await openPage(browser, `${node.url}/#/subnet/${l1.subnetID}`)
    const { page, faults } = opened
    await page.getByRole("heading", { name: "L1 L1", exact: true }).waitFor()
    await page.locator(`.table a[href="#/l1validator/${registered.validationID}"]`).click()
    await page.getByRole("heading", { name: "L1 validator", exact: true }).waitFor()
    await page.getByText("Registered").waitFor()
    expect(await factOf(page, "Weight")).toBe("60")
    expect(await factOf(page, "Balance")).toMatch(/^0\.99\d+ AVAX$/)
    expect(await factOf(page, "Runs out")).toMatch(/^in 31 years \d+ days at the present fee: /)
    expect(await factOf(page, "Can be disabled by")).toContain("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u")
    expect(await factOf(page, "Next nonce")).toBe("1")
    expect(await factOf(page, "Node")).toContain(registered.nodeID)
    const history = page.getByRole("region", { name: "History" }).getByRole("listitem")
    expect((await history.allTextContents()).map((text) => text.replace(/nonce.*|\+1.*/, ""))).toEqual([
      "Weight setweight 60",
      "Registeredweight 40",
    ])
    await expectAccessible(page, "an L1 validator")
    expect(faults).toEqual([])
  })

  test("an L1 validator is found by search and from its node, also after it was removed", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    const removed = l1.validators[1].validationID
    const box = page.getByRole("searchbox").first()
    await box.fill(removed)
    await box.press("Enter")
    await page.waitForURL((url) => url.hash === `#/l1validator/${removed}`)
    await page.getByText("removed", { exact: true }).waitFor()
    await openView(page, `#/validator/${registered.nodeID}`, "L1s that it validates or validated")
    await page.locator(`main a[href="#/l1validator/${registered.validationID}"]`).waitFor()
  })

  test("a registration draws the balance, names the validator, and has its Warp message decoded and its proof as hex", async () => {
    await using opened = await openPage(browser, `${node.url}/#/tx/${registered.txID}`)
    const { page, faults } = opened
    const flow = page.getByRole("region", { name: "Inputs and outputs" })
    await flow.getByText("1 AVAX for an L1 validator").waitFor()
    expect(await factOf(page, "L1 validator")).toBe(`${registered.validationID}${registered.nodeID} weight 40`)
    const fields = page.locator(".sheet").filter({ has: page.getByRole("heading", { name: "Fields" }) })
    const text = (await fields.textContent()) as string
    expect(text).toContain("kindRegisterL1Validator")
    expect(text).toContain(`nodeID${registered.nodeID}`)
    expect(text).toMatch(/proofOfPossession0x[0-9a-f]{192}/)
    expect([await page.evaluate(NAMES_TOO_WIDE), faults]).toEqual([[], []])
  })

  test("an auto-renewed validator is marked, with its period, share and next cycle; the end of a cycle is no end of its stake", async () => {
    await using opened = await openPage(browser, `${node.url}/#/validators`)
    const { page, faults } = opened
    const [nodeID] = renewed.nodeIDs
    const row = page.locator(".table tr").filter({ has: page.locator(`a[title="${nodeID}"]`) })
    await row.getByText("auto", { exact: true }).waitFor()
    const ended = page.getByRole("region", { name: "Stakes and cycles that ended lately" })
    await ended.getByText("end of a cycle, it goes on").waitFor()
    await ended.locator(`a[title="${nodeID}"]`).click()
    await page.getByText("the next cycle begins at the end of this one and takes 14 days").waitFor()
    expect([await factOf(page, "This cycle"), await factOf(page, "Restakes")]).toEqual(["14 days", "50 % of its rewards"])
    await openView(page, `#/tx/${renewed.txIDs[0]}`, /validates with 2,000 AVAX, renewed every 14 days\.$/)
    expect(await factOf(page, "nodeID")).toBe(nodeID)
    expect([await factOf(page, "period"), await factOf(page, "delegationShares")]).toEqual(["14 days", "2 %"])
    expect([await page.evaluate(NAMES_TOO_WIDE), faults]).toEqual([[], []])
  })

  test("the list of blocks and the view of a block count transactions by one rule", async () => {
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    const rows = page.getByRole("region", { name: "Latest blocks" }).getByRole("listitem")
    await rows
      .filter({ hasText: /\dProposal/ })
      .first()
      .getByText("1 transaction", { exact: true })
      .waitFor()
    const commit = rows.filter({ hasText: "commits the proposal" }).first()
    const at = Number(await commit.getByRole("link").textContent())
    await openView(page, `#/block/${at - 1}`, "Transactions (1)")
    await openView(page, `#/block/${at}`, "Transactions (0)")
    await page.getByText("Commits the proposal of the block before").waitFor()
    await page.locator("main").getByText("End of cycle").waitFor()
  })
})
