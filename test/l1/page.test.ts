import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { builtSerac } from "../page/built.js"
import { findChromium, needsChromium } from "../page/chromium.js"
import { expectAccessible, launch, openPage } from "../page/openPage.js"
import { startSerac } from "../page/running.js"
import { eth, receiptOf, signedTransfer } from "./evm.js"
import { needsPlugin, pluginDir } from "./plugins.js"

describe("in a browser", { ...needsChromium, timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch(findChromium() as string)
  })
  afterAll(() => browser?.close())

  test("a user creates an L1 in the Lab, and sees its RPC address and its blocks", needsPlugin("subnet-evm"), async () => {
    await using node = await startSerac(builtSerac(), ["--plugin-dir", pluginDir])
    await using opened = await openPage(browser, `${node.url}/#/lab`)
    const { page, faults } = opened
    const l1s = page.getByRole("region", { name: "L1s" })
    await l1s.getByLabel("Name").fill("mine")
    await l1s.getByRole("button", { name: "Create" }).click()
    await l1s.getByText("mine runs.").waitFor()
    await l1s.getByRole("link", { name: "mine" }).first().click()

    const facts = page.getByRole("region", { name: "Facts" })
    await facts.getByText(`${node.url}/ext/bc/mine/rpc`).waitFor()
    await facts.getByText(`${node.url.replace("http", "ws")}/ext/bc/mine/ws`).waitFor()
    await facts.getByText("99001").waitFor()
    await facts.getByText("running").waitFor()
    await page.getByRole("region", { name: "Log of the plugin" }).waitFor()
    await expectAccessible(page, "#/l1/mine")

    const rpcUrl = `${node.url}/ext/bc/mine/rpc`
    const { l1s: listed } = await node.call<{ l1s: { keys: { privateKey: string }[] }[] }>("dev.listL1s")
    const privateKey = listed[0]?.keys[0]?.privateKey as string
    const raw = signedTransfer({ chainID: 99_001n, nonce: 0, to: `0x${"0".repeat(38)}aa`, value: 1n, privateKey })
    await receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
    await page.getByRole("region", { name: "Latest blocks" }).getByText("1 transaction, 21,000 gas").waitFor()

    // The time of the P-Chain moves alone, and the page says so.
    await page.goto(`${node.url}/#/lab`)
    const time = page.getByRole("region", { name: "Time" })
    await time.getByRole("button", { name: /^Move / }).click()
    await time.getByText("The VMs of mine keep the time of this machine.").waitFor()
    expect(faults).toEqual([])
  })
})
