import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noteMissing } from "../missing.js"
import { builtSerac } from "./built.js"
import { findChromium } from "./chromium.js"
import { launch, openPage } from "./openPage.js"
import { startSerac } from "./running.js"

const chromium = findChromium()
noteMissing(chromium !== undefined, "chromium (SERAC_CHROMIUM or on the PATH)")

describe.runIf(chromium)("in a browser", { timeout: 240_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(chromium as string)
  })
  afterAll(() => browser?.close())

  test("someone pays, adds a validator, moves two weeks ahead, and sees the reward among the validators", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "2"])
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    await page.getByRole("navigation").getByRole("link", { name: "Lab" }).click()

    const accounts = page.getByRole("region", { name: "Accounts" })
    await accounts.getByLabel("AVAX").fill("12.5")
    await accounts.getByRole("button", { name: "Send" }).click()
    await accounts.getByText("Paid 12.5 AVAX to Account 1 in transaction").waitFor()

    const adding = page.getByRole("region", { name: "Add validators" })
    await adding.getByRole("button", { name: "Add" }).click()
    await adding.getByText("Added a validator").waitFor()

    const time = page.getByRole("region", { name: "Time" })
    await time.getByRole("button", { name: "+ 2 weeks" }).click()
    await time.getByText("Until then one stake ends").waitFor()
    const due = await time.locator(".list data").first().getAttribute("title")
    await time.getByRole("button", { name: "Move 14 days ahead" }).click()
    await time.getByText("1 reward paid").waitFor()
    await time.getByRole("link", { name: "See the validators" }).click()

    const ended = page.getByRole("region", { name: "Stakes that ended lately" })
    await ended.getByText(/reward \+/).waitFor()
    expect(await ended.locator("data").first().getAttribute("title")).toBe(due)
    expect(faults).toEqual([])
  })

  test("the Lab takes a snapshot and goes back to it, mines, and tries a transaction without keeping it", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "0"])
    const { txID } = await node.call<{ txID: string }>("dev.fund", { address: EWOQ, amount: 5 })
    const { tx } = await node.call<{ tx: string }>("platform.getTx", { txID })
    await using opened = await openPage(browser, `${node.url}/#/lab`)
    const { page, faults } = opened
    const snapshots = page.getByRole("region", { name: "Snapshots" })
    await snapshots.getByRole("button", { name: "Take a snapshot" }).click()
    await snapshots.getByText("Snapshot 1 at height 1.").waitFor()
    const blocks = page.getByRole("region", { name: "Blocks" })
    await blocks.getByRole("button", { name: "Mine" }).click()
    await blocks.getByText("The chain is at 2.").waitFor()
    await snapshots.getByRole("button", { name: "Revert" }).click()
    await snapshots.getByText("Back at height 1.").waitFor()
    const dryRun = page.getByRole("region", { name: "Dry run" })
    await dryRun.getByLabel("Transaction as hex").fill(tx)
    await dryRun.getByRole("button", { name: "Try it" }).click()
    await dryRun.getByText("It would be refused:").waitFor()
    expect([(await node.call<{ height: string }>("platform.getHeight")).height, faults]).toEqual(["1", []])
  })

  test("while the node is away the page says so, and it goes on by itself when the node is back", async () => {
    await using first = await startSerac(builtSerac(), ["--accounts", "0"])
    await using opened = await openPage(browser, first.url)
    const { page } = opened
    await page.getByText("Live", { exact: true }).waitFor()
    await first.call("dev.mine", { blocks: 3, filler: true })
    await page.locator(".card .figure a").getByText("3", { exact: true }).waitFor()
    await first.kill()
    await page.getByText("The node does not answer.").waitFor()
    await using second = await startSerac(builtSerac(), ["--accounts", "0", "--http-port", new URL(first.url).port])
    await page.getByText("Live", { exact: true }).waitFor()
    await second.call("dev.mine", { blocks: 2, filler: true })
    await page.locator(".card .figure a").getByText("2", { exact: true }).waitFor()
    expect(await page.locator("section[aria-label='Latest blocks'] li").count()).toBe(3)
  })

  test("of 1,500 validators only those that can be seen are drawn, whatever they are sorted by", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "0"])
    await using opened = await openPage(browser, node.url)
    const { page } = opened
    const { validators } = await node.call<{ validators: Record<string, unknown>[] }>("platform.getCurrentValidators")
    const many = Array.from({ length: 1500 }, (_, i) => {
      return { ...validators[0], txID: `tx${i}`, nodeID: `NodeID-${String(i).padStart(4, "0")}`, weight: String(1000 + i) }
    })
    await page.route("**/ext/bc/P", async (route) => {
      if (!route.request().postData()?.includes("getCurrentValidators")) return route.fallback()
      await route.fulfill({ json: { jsonrpc: "2.0", id: 1, result: { validators: many } } })
    })
    await page.getByRole("link", { name: "Validators", exact: true }).click()
    await page.getByText("1,500 validators").waitFor()
    await page.getByRole("button", { name: "Node", exact: true }).click()
    await page.getByRole("link", { name: "NodeID-0000" }).waitFor()
    await page.locator(".table").evaluate((table) => table.scrollTo(0, table.scrollHeight))
    await page.getByRole("link", { name: "NodeID-1499" }).waitFor()
    expect(await page.locator(".table tbody tr").count()).toBeLessThan(80)
    await page.getByRole("button", { name: "Stake", exact: true }).click()
    await page.locator(".table").evaluate((table) => table.scrollTo(0, 0))
    await page.getByRole("link", { name: "NodeID-1499" }).waitFor()
  })

  test("names and errors of the chain are shown as text, whatever they hold", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "0"])
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
    await page.route("**/ext/bc/P", async (route) => {
      const asked = route.request().postData() ?? ""
      const chain = { id: hostile, name: hostile, vmID: hostile, subnetID: "11111111111111111111111111111111LpoYY" }
      const answer = (rest: object) => route.fulfill({ json: { jsonrpc: "2.0", id: 1, ...rest } })
      if (asked.includes("getBlockchains")) return answer({ result: { blockchains: [chain] } })
      if (asked.includes("getBlockByHeight")) return answer({ error: { code: -32000, message: hostile, data: null } })
      return route.fallback()
    })
    await page.goto(`${node.url}/#/subnets`)
    await page.getByText(hostile).first().waitFor()
    await page.goto(`${node.url}/#/block/0`)
    await page.getByRole("alert").getByText(hostile).waitFor()
    expect([await page.title(), await page.locator("main img, main script").count(), faults]).toEqual(["Block 0 · Serac", 0, []])
  })
})

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
