import type { Browser, Locator, Page } from "playwright-core"
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
    await accounts.getByLabel("AVAX", { exact: true }).fill("12.5")
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
    const snapshots = page.getByRole("region", { name: "Snapshots", exact: true })
    await snapshots.getByLabel("Name").fill("before mining")
    await snapshots.getByRole("button", { name: "Take a snapshot" }).click()
    await snapshots.getByText("Snapshot 1 at height 1.").waitFor()
    expect(await snapshots.getByRole("listitem").textContent()).toMatch(/^before miningheight 1, \d+ \w+ \d{4}, [\d:]+Revert$/)
    const mine = await openForm(page, "Mine")
    await mine.getByLabel(/^Filler/).selectOption("true")
    await mine.getByRole("button", { name: "Mine" }).click()
    await mine.getByText("height2").waitFor()
    const adding = await openForm(page, "Add validators")
    await adding.getByLabel(/^Count/).fill("1")
    await adding.getByText("More options").click()
    await adding.getByLabel(/^Auto renew period/).fill("14")
    await adding.getByRole("button", { name: "Add validators" }).click()
    await adding.getByText("Done.").waitFor()
    const [nodeID] = (await adding.locator("a[href^='#/validator/']").first().textContent()) as string
    expect(nodeID).toBe("N")
    const { validators } = await node.call<{ validators: { nextPeriod?: string }[] }>("platform.getCurrentValidators")
    expect(validators.flatMap(({ nextPeriod = [] }) => nextPeriod)).toEqual(["1209600"])
    await snapshots.getByRole("button", { name: "Revert" }).click()
    await snapshots.getByText("Back at height 1.").waitFor()
    const simulate = await openForm(page, "Simulate transaction")
    await simulate.getByLabel(/^Transaction/).fill(tx)
    await simulate.getByRole("button", { name: "Simulate transaction" }).click()
    await simulate.getByText("okno").waitFor()
    expect([(await node.call<{ height: string }>("platform.getHeight")).height, faults]).toEqual(["1", []])
  })

  test("the Lab has every method that changes the chain, in groups, and makes an L1 live from creation to removal", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "1"])
    await using opened = await openPage(browser, `${node.url}/#/subnets`)
    const { page, faults } = opened
    await page.getByRole("link", { name: "Create an L1" }).click()
    const create = page.locator("details.form[open]")
    await create.getByLabel(/^Chain name/).fill("Mine")
    await create.getByText("More options").click()
    await create.getByLabel(/^Balance/).fill("2.5")
    await create.getByRole("button", { name: "Create L1" }).click()
    await create.getByText("Done.").waitFor()
    const { l1s } = await node.call<{ l1s: { subnetID: string }[] }>("platform.getL1s")
    const subnetID = l1s[0]?.subnetID as string
    const groups = page.locator(".lab > section")
    expect(await groups.locator("> h2").allTextContents()).toEqual(["Time", "Accounts", "Staking", "L1", "Blocks and snapshots"])
    const { methods } = (await (await fetch(`${node.url}/ext/openrpc.json`)).json()) as { methods: { name: string }[] }
    const declared = methods.flatMap(({ name }) => (name.startsWith("dev.") ? [name.slice(4)] : []))
    const byHand = ["status", "accounts", "pay", "advanceTime", "snapshot", "revert", "listL1s", "waitForTx"]
    const titles = await page.locator("details.form").evaluateAll((all) => all.map((each) => each.getAttribute("data-method")))
    expect([...titles, ...byHand].sort()).toEqual(declared.sort())

    const register = await openForm(page, "Register L1 validator")
    await register.getByLabel(/^Subnet ID/).fill(subnetID)
    await register.getByRole("button", { name: "Register L1 validator" }).click()
    await register.locator("a[href^='#/l1validator/']").click()
    await page.getByText("Registered").waitFor()
    await page.getByRole("link", { name: "Set its weight" }).click()
    const weigh = page.locator("details.form[open]")
    await weigh.getByLabel(/^Weight/).fill("0")
    await weigh.getByRole("button", { name: "Set L1 weight" }).click()
    await weigh.getByText("Done.").waitFor()
    expect(await node.call("platform.getL1s")).toMatchObject({ l1s: [{ subnetID, validators: "1", totalWeight: "100" }] })
    expect(faults).toEqual([])
  })

  test("the Lab saves the state to a file and loads it again", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "1"])
    await using opened = await openPage(browser, `${node.url}/#/lab/dumpState`)
    const { page, faults } = opened
    await page.locator("details.form[open]").getByRole("button", { name: "Dump state" }).click()
    const saving = page.waitForEvent("download")
    await page.getByRole("link", { name: "Save" }).click()
    const path = await (await saving).path()
    await node.call("dev.mine", { blocks: 3, filler: true })
    const load = await openForm(page, "Load state")
    await load.locator("input[type=file]").setInputFiles(path)
    await load.getByRole("button", { name: "Load state" }).click()
    await load.getByText("height1").waitFor()
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
    await page.getByRole("link", { name: "Validators", exact: true }).click()
    await page.getByText("Waiting for the node…").first().waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
    await page.goBack()
    await using second = await startSerac(builtSerac(), ["--accounts", "0", "--http-port", new URL(first.url).port])
    await page.getByText("Live", { exact: true }).waitFor()
    await second.call("dev.mine", { blocks: 2, filler: true })
    await page.locator(".card .figure a").getByText("2", { exact: true }).waitFor()
    expect(await page.locator("section[aria-label='Latest blocks'] li").count()).toBe(3)
  })
})

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

/** Unfolds a form of the Lab by its title. */
async function openForm(page: Page, title: string): Promise<Locator> {
  const form = page
    .locator("details.form")
    .filter({ has: page.getByRole("button", { name: title, exact: true, includeHidden: true }) })
  await form.locator("summary").first().click()
  return form
}
