import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { configToJson } from "../../src/core/genesis/configJson.js"
import { localConfig } from "../../src/core/genesis/local.js"
import { ewoq } from "../../src/core/genesis/testKeys.js"
import { utf8 } from "../../src/core/lib/bytes.js"
import { printJson } from "../../src/core/lib/json.js"
import { idText, type NodeID } from "../../src/core/types/id.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { ownerOf, Payer } from "../rpc/methods/payer.js"
import { startRunningNode } from "../rpc/methods/runningNode.js"
import { builtSerac } from "./built.js"
import { findChromium, needsChromium } from "./chromium.js"
import { launch, openPage, openView } from "./openPage.js"
import { startSerac } from "./running.js"

const chromium = findChromium()

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

/** The longest name that a chain may have. */
const LONG_NAME = "W".repeat(128)

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`

describe("on chains of other shapes", { ...needsChromium, timeout: 240_000 }, () => {
  let browser: Browser
  const dir = mkdtempSync(join(tmpdir(), "serac-page-"))
  beforeAll(async () => {
    browser = await launch(chromium as string)
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  test("the table of 1,500 validators draws only the visible rows, in every sort order", async () => {
    const networkID = 424242
    const nodeIDs = Array.from({ length: 1500 }, (_, i) => (i * 7919).toString(16).padStart(40, "0") as NodeID)
    const initialStakers = nodeIDs.map((nodeID, i) => ({ nodeID, rewardAddress: ewoq.address, delegationFee: 20_000 + 10 * i }))
    const genesisFile = join(dir, "genesis.json")
    writeFileSync(genesisFile, printJson(configToJson({ ...localConfig(networkID), initialStakers })))
    // Their stakes end a year after genesis, and today is later.
    const clock = ["--start-time", "2024-07-16T00:00:00Z", "--freeze-time"]
    const genesis = ["--network-id", String(networkID), "--genesis-file", genesisFile]
    await using node = await startSerac(builtSerac(), [...genesis, ...clock])
    const { validators } = await node.call<{ validators: { nodeID: string; delegationFee: string }[] }>(
      "platform.getCurrentValidators",
    )
    const [first, last] = [validators.map(({ nodeID }) => nodeID).sort()].flatMap((sorted) => [sorted[0], sorted.at(-1)])
    const dearest = validators.find(({ delegationFee }) => Number(delegationFee) === 3.499)?.nodeID
    await using opened = await openPage(browser, `${node.url}/#/validators`)
    const { page, faults } = opened
    const linkTo = (nodeID: string | undefined) => page.locator(`.table a[title="${nodeID}"]`)
    await page.getByText("1,500 validators").waitFor()
    await page.getByRole("button", { name: "Node", exact: true }).click()
    await linkTo(first).waitFor()
    await page.locator(".table").evaluate((table) => table.scrollTo(0, table.scrollHeight))
    await linkTo(last).waitFor()
    expect(await page.locator(".table tbody tr").count()).toBeLessThan(80)
    await page.getByRole("button", { name: "Fee", exact: true }).click()
    await page.locator(".table").evaluate((table) => table.scrollTo(0, 0))
    await linkTo(dearest).waitFor()
    // Addresses of a network that has only a number begin otherwise than those of the local network.
    await openView(page, "#/lab", "These keys are publicly known")
    const fund = page.locator("details.form", { hasText: "Funds an address" })
    await fund.locator("summary").first().click()
    expect(await fund.getByLabel("Address", { exact: false }).first().getAttribute("placeholder")).toBe("P-custom1…")
    await openView(page, "#/api/platform.getBalance", "The call in code")
    expect(await page.getByLabel("addresses").getAttribute("placeholder")).toBe('["P-custom1…"]')
    expect(await page.getByLabel("addresses").inputValue()).toBe("")
    expect(faults).toEqual([])
  })

  test("every view shows memos and names of chains as text, also where they contain HTML", async () => {
    // Memos ended with Durango, and this chain begins before it.
    const running = await startRunningNode("contract")
    const payer = new Payer(running)
    const owner = { owner: ownerOf(ewoq.address) }
    const tx = await payer.issue("CreateSubnetTx", owner, { memo: utf8(HOSTILE) })
    const unseen = await payer.issue("CreateSubnetTx", owner, { memo: utf8("abc\u202edef\u0007\u200bghi") })
    const subnetAuthorization = { kind: "Input" as const, signatureIndices: [0] }
    const chain = {
      subnetID: tx.id,
      chainName: LONG_NAME,
      vmID: tx.id,
      fxIDs: [],
      genesisData: utf8(HOSTILE),
      subnetAuthorization,
    }
    const named = await payer.issue("CreateChainTx", chain)
    const stateFile = join(dir, "memo.state")
    writeFileSync(stateFile, await running.chain.dumpState())
    await running.stop()
    await using node = await startSerac(builtSerac(), ["--load-state", stateFile])
    await using opened = await openPage(browser, `${node.url}/#/tx/${idText(tx.id)}`)
    const { page, faults } = opened
    await page.getByText(`“${HOSTILE}”`).waitFor()
    const harm = async () => [await page.title(), await page.locator("main img, main script").count(), faults]
    expect(await harm()).toEqual([expect.stringMatching(/^Transaction /), 0, []])
    // Characters that cannot be seen are written out, so that no text looks like another one.
    await openView(page, `#/tx/${idText(unseen.id)}`, "“abc\\u{202e}def\\u{7}\\u{200b}ghi”")
    await page.setViewportSize({ width: 360, height: 700 })
    const views = ["#/subnets", `#/subnet/${idText(tx.id)}`, `#/tx/${idText(named.id)}`]
    for (const hash of views) {
      await openView(page, hash, LONG_NAME)
      expect([hash, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([hash, true])
    }
    const { height } = await node.call<{ height: string }>("platform.getHeight")
    await openView(page, `#/block/${height}`, "Create chain")
    await openView(page, `#/address/${EWOQ}`, "Create chain")
    await openView(page, "#/", /^Latest blocks$/)
    expect(await harm()).toEqual(["The P-Chain now · Serac", 0, []])
  })

  test("forms of the Lab and the API show errors as text that says what is wrong, also names that no transaction can contain", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "2"])
    await using opened = await openPage(browser, `${node.url}/#/lab`)
    const { page, faults } = opened
    const accounts = page.getByRole("region", { name: "Accounts" })
    await accounts.getByLabel("AVAX", { exact: true }).fill("ten")
    await accounts.getByRole("button", { name: "Send" }).click()
    await accounts.getByText("An amount is a number of AVAX such as 12.5, with at most nine decimals.").waitFor()
    await accounts.getByLabel("AVAX", { exact: true }).fill("10")
    await accounts.getByLabel("To", { exact: true }).fill(`${HOSTILE}\u202e`)
    await accounts.getByRole("button", { name: "Send" }).click()
    await accounts.getByRole("alert").getByText("<img src=x").waitFor()
    expect(await accounts.getByRole("alert").textContent()).toContain("\\u{202e}")
    await openView(page, "#/api/platform.getBlockByHeight", "The call in code")
    await page.locator("main").getByLabel("height").fill("999999")
    await page.getByRole("button", { name: "Call", exact: true }).click()
    await page.locator("pre.code").getByText('"code":').waitFor()
    expect([await page.locator("main img, main script").count(), faults]).toEqual([0, []])
    // No transaction can bring such a name, so the answer is changed on its way.
    await page.route("**/ext/bc/P", async (route) => {
      const asked = route.request().postData() ?? ""
      const chain = { id: HOSTILE, name: HOSTILE, vmID: HOSTILE, subnetID: "11111111111111111111111111111111LpoYY" }
      const answer = (rest: object) => route.fulfill({ json: { jsonrpc: "2.0", id: 1, ...rest } })
      if (asked.includes("getBlockchains")) return answer({ result: { blockchains: [chain] } })
      if (asked.includes("getBlockByHeight")) return answer({ error: { code: -32000, message: HOSTILE, data: null } })
      return route.fallback()
    })
    await page.goto(`${node.url}/#/subnets`)
    await page.getByText(HOSTILE).first().waitFor()
    await page.goto(`${node.url}/#/block/0`)
    await page.getByRole("alert").getByText(HOSTILE).waitFor()
    expect([await page.title(), await page.locator("main img, main script").count(), faults]).toEqual(["Block 0 · Serac", 0, []])
  })

  test("the page of a fork shows its network and its last real block", async () => {
    const base = join(dir, "forked")
    const chain = await startDevnet({ port: false, dataDir: base, accounts: 0 })
    await chain.dev.mine({ blocks: 2, filler: true })
    await chain.stop()
    await using node = await startSerac(builtSerac(), ["--fork", base])
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    await page
      .getByText("This is a private fork of the network local: blocks up to 2 are real, and later ones are your own.")
      .waitFor()
    expect(faults).toEqual([])
  })

  test("in AvalancheGo's dialect the API view has every method, and its forms work", async () => {
    await using node = await startSerac(builtSerac(), ["--accounts", "0", "--api-dialect", "avalanchego"])
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    await openView(page, "#/", /^Latest blocks$/)
    await openView(page, "#/api", "platform.getBalance")
    await page.locator("summary", { hasText: /^dev \d+ methods$/ }).click()
    await page.getByRole("link", { name: "dev.advanceTime", exact: true }).waitFor()
    await openView(page, "#/api/platform.getHeight", "The call in code")
    await page.getByRole("button", { name: "Call", exact: true }).click()
    await page.locator("pre.code").getByText('"height": "0"').waitFor()
    expect(faults).toEqual([])
  })
})
