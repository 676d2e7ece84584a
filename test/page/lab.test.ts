import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { builtSerac } from "./built.js"
import { findChromium, needsChromium } from "./chromium.js"
import { expectAccessible, launch, openPage, openView } from "./openPage.js"
import { startSerac } from "./running.js"

const chromium = findChromium()

describe("in a browser", { ...needsChromium, timeout: 240_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(chromium as string)
  })
  afterAll(() => browser?.close())

  test("a user pays, adds a validator, advances the clock by two weeks, and sees the reward among the validators", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "2"])
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    await page.getByRole("navigation").getByRole("link", { name: "Lab" }).click()

    const accounts = page.getByRole("region", { name: "Accounts" })
    await accounts.getByLabel("AVAX").fill("12.5")
    await accounts.getByRole("button", { name: "Send" }).press("Enter")
    await accounts.getByText("Paid 12.5 AVAX to Account 1 in transaction").waitFor()
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Send")

    // No staker is due yet, and the Lab offers to add one.
    const time = page.getByRole("region", { name: "Time" })
    await time.getByRole("button", { name: "+ 2 weeks" }).click()
    await time.getByRole("button", { name: "Add a validator whose stake ends then" }).click()
    await time.getByText("Until then one stake ends").waitFor()
    const due = await time.locator(".list data").first().getAttribute("title")
    await time.getByRole("button", { name: "Move 14 days ahead" }).click()
    await time.getByText("1 reward paid").waitFor()
    await time.getByRole("link", { name: "See the validators" }).click()

    const ended = page.getByRole("region", { name: "Stakes and cycles that ended lately" })
    await ended.getByText(/reward \+/).waitFor()
    expect(await ended.locator("data").first().getAttribute("title")).toBe(due)

    // The node has left, and its own view still shows what it earned.
    await ended.locator("a[href^='#/validator/']").first().click()
    await page.getByText("This node does not validate the primary network now.").waitFor()
    await ended.getByText(/reward \+/).waitFor()
    expect(await ended.getByRole("link", { name: "validator", exact: true }).count()).toBe(1)
    await page.goBack()

    // The payer's address has the payment among its transactions, and the reward stays listed however many blocks follow.
    await node.call("dev.mine", { blocks: 70, filler: true })
    await page.reload()
    await ended.getByText(/reward \+/).waitFor()
    const [, , { address }] = (await node.call<{ accounts: [object, object, { address: string }] }>("dev.accounts")).accounts
    await openView(page, `#/address/${address}`, "−12.5")
    expect(faults).toEqual([])
  })

  test("an L1 shows when it halts, what keeps it alive, and its balances on a time line; the list begins with it", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "0"])
    const lasting = await node.call<{ subnetID: string }>("dev.createL1", { balance: 1_000_000_000 })
    const { subnetID } = await node.call<{ subnetID: string }>("dev.createL1", { validators: 3, balance: 200_000 })
    await node.call("dev.registerL1Validator", { subnetID, balance: 900_000 })
    await using opened = await openPage(browser, `${node.url}/#/subnets`)
    const { page, faults } = opened
    await page.getByText("halts in 2 days").waitFor()
    const links = await page
      .locator("main .list a[href^='#/subnet/']")
      .evaluateAll((all) => all.map((each) => each.getAttribute("href")))
    expect(links.slice(0, 2)).toEqual([`#/subnet/${subnetID}`, `#/subnet/${lasting.subnetID}`])
    await openView(page, `#/subnet/${subnetID}`, "unless balances are increased before")
    const health = page.getByRole("region", { name: "Health" })
    await health.getByText(/^It halts in 2 days \d+ hours/).waitFor()
    await health.getByText("the least that does it").waitFor()
    expect(await health.getByRole("list", { name: "Balances to zero" }).getByRole("listitem").count()).toBe(4)
    await expectAccessible(page, "the health of an L1")
    expect(faults).toEqual([])
  })

  test("the Lab takes a snapshot and reverts to it, mines, and simulates a transaction", async () => {
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
    const adding = page.getByRole("region", { name: "Add validators" })
    await adding.getByRole("button", { name: "Add" }).click()
    await adding.getByText("Added a validator").waitFor()
    await snapshots.getByRole("button", { name: "Revert" }).click()
    await snapshots.getByText("Back at height 1.").waitFor()
    const dryRun = page.getByRole("region", { name: "Dry run" })
    await dryRun.getByLabel("Transaction as hex").fill(tx)
    await dryRun.getByRole("button", { name: "Try it" }).click()
    await dryRun.getByText("It would be refused:").waitFor()
    expect([(await node.call<{ height: string }>("platform.getHeight")).height, faults]).toEqual(["1", []])
  })

  test("the page shows that the node does not answer, and continues when it answers again", async () => {
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
})

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
