import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { httpClient } from "../../src/client/client.js"
import type { ID } from "../../src/core/types/id.js"
import { encodePChainMessage } from "../../src/core/types/warp/pChainMessage.js"
import { shortened } from "../../src/page/data/format.js"
import { builtSerac } from "../page/built.js"
import { findChromium, needsChromium } from "../page/chromium.js"
import { expectAccessible, launch, openPage } from "../page/openPage.js"
import { startSerac } from "../page/running.js"
import { abiBytes } from "./board.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { deployMessenger, type MessagingL1, messenger, sendMessage, transact, waitForMessages } from "./exchange.js"
import { needsPlugin, plainPlugins, pluginDir } from "./plugins.js"

const dir = mkdtempSync(join(tmpdir(), "serac-l1-page-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

describe("in a browser", { ...needsChromium, timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(findChromium() as string)
  })
  afterAll(() => browser?.close())

  test("a user creates an L1 in the Lab, and sees its RPC address and its blocks", needsPlugin("subnet-evm"), async () => {
    await using node = await startSerac(builtSerac(), ["--plugin-dir", plainPlugins(dir), "--c-chain", "off"])
    await using opened = await openPage(browser, `${node.url}/#/lab`)
    const { page, faults } = opened
    const l1s = page.getByRole("region", { name: "L1", exact: true })
    const create = l1s.locator("details.form", { hasText: "Create L1" })
    await create.locator("summary").first().click()
    await create.getByText("More options").click()
    await create.getByLabel(/^VM:/).fill("subnet-evm")
    await create.getByLabel(/^Name:/).fill("mine")
    await create.getByRole("button", { name: "Create L1" }).click()
    await create.getByText("Done.").waitFor()
    await l1s.getByRole("link", { name: "mine", exact: true }).click()

    const facts = page.getByRole("region", { name: "Facts" })
    await facts.getByText(`${node.url}/ext/bc/mine/rpc`).waitFor()
    await facts.getByText(`${node.url.replace("http", "ws")}/ext/bc/mine/ws`).waitFor()
    await facts.getByText("99001").waitFor()
    await facts.getByText("running").waitFor()
    await page.getByRole("region", { name: "Log of the plugin" }).waitFor()
    await expectAccessible(page, "#/l1/mine")

    const rpcUrl = `${node.url}/ext/bc/mine/rpc`
    const { l1s: listed } = await node.call<{ l1s: { subnetID: string; keys: { privateKey: string }[] }[] }>("dev.listL1s")
    const l1Subnet = listed[0]?.subnetID as string
    const privateKey = listed[0]?.keys[0]?.privateKey as string
    const raw = signedTransfer({ chainID: 99_001n, nonce: 0, to: `0x${"0".repeat(38)}aa`, value: 1n, privateKey })
    await receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
    await page.getByRole("region", { name: "Latest blocks" }).getByText("1 transaction, 21,000 gas").waitFor()

    const account = "0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC"
    for (const text of ["mine", "99001", account]) {
      await page.goto(`${node.url}/#/search/${text}`)
      await page.waitForURL(`${node.url}/#/l1/mine`)
    }
    await page.goto(`${node.url}/#/search/0x${"12".repeat(20)}`)
    await page.getByText("This is an address of EVM chains.").waitFor()
    expect(await page.getByRole("link", { name: /^Open it as/ }).count()).toBe(0)
    await page.goto(`${node.url}/#/l1/mine`)
    await facts.getByRole("link", { name: shortened(l1Subnet) }).click()
    await page.getByRole("heading", { name: "L1 mine" }).waitFor()
    await page.getByRole("link", { name: "mine", exact: true }).click()
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole("region", { name: "Log of the plugin" }).waitFor()
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390)

    // The plugin does not follow the clock, and the page says so.
    await facts.getByText("that of this machine: its plugin does not follow the private chain").waitFor()
    await page.goto(`${node.url}/#/lab`)
    const time = page.getByRole("region", { name: "Time" })
    await time.getByRole("button", { name: /^Move / }).click()
    await time.getByText(/The plugins of mine show the time of this machine/).waitFor()
    expect(faults).toEqual([])
  })

  test("an L1 shows the Warp messages that it sent and received, with their way", needsPlugin("subnet-evm"), async () => {
    const l1s = ["--plugin-dir", pluginDir, "--c-chain", "off", "--l1", "first=subnet-evm;second=subnet-evm", "--auto-relay"]
    await using node = await startSerac(builtSerac(), l1s)
    const { l1s: listed } = await httpClient(node.url)("dev.listL1s")
    const [first, second] = ["first", "second"].map((name) => {
      const l1 = listed.find((each) => each.name === name)
      return { ...l1, rpcUrl: `${node.url}/ext/bc/${name}/rpc` } as MessagingL1
    }) as [MessagingL1, MessagingL1]
    for (const l1 of [first, second]) await deployMessenger(l1)
    await sendMessage(first, second, 1)
    await waitForMessages(second, [1])
    const weighing = { kind: "L1ValidatorWeight", validationID: "ab".repeat(32) as ID, nonce: 3n, weight: 77n } as const
    await transact(first, { to: messenger, data: `0x2bb1ae7c${abiBytes(encodePChainMessage(weighing))}` })

    await using opened = await openPage(browser, `${node.url}/#/l1/first`)
    const { page, faults } = opened
    const messages = page.getByRole("region", { name: "Warp messages" })
    const sent = messages.locator("details", { hasText: "Sent in block 2: ICM message 1 delivered" })
    await sent.locator("summary").click()
    await sent.getByText(shortened(messenger.toLowerCase())).first().waitFor()
    await sent.getByText("together 100 of 100").waitFor()
    const manager = messages.locator("details", { hasText: "Sent in block 3: L1ValidatorWeight" })
    await manager.locator("summary").click()
    await manager.getByText("77").waitFor()
    await expectAccessible(page, "#/l1/first")
    await sent.getByRole("link", { name: "second" }).click()
    const received = messages.locator("details", { hasText: "Received in block 2: ICM message 1 delivered" })
    await received.locator("summary").click()
    await received.getByRole("link", { name: "first" }).waitFor()
    expect(faults).toEqual([])
  })
})
