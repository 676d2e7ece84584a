import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBin } from "../cli/serac.js"
import { readRecording, recordingPath } from "../recordings/recordings.js"
import { builtSerac } from "./built.js"
import { findChromium, needsChromium } from "./chromium.js"
import { launch, openPage, openView } from "./openPage.js"
import { type RunningSerac, startCommand } from "./running.js"

const HISTORY = "golden/history-v1.14.2"
const chromium = findChromium()

describe("on a recorded chain of all eras, served to the public", { ...needsChromium, timeout: 240_000 }, () => {
  let browser: Browser
  let node: RunningSerac
  const dir = mkdtempSync(join(tmpdir(), "serac-page-"))
  beforeAll(async () => {
    browser = await launch(chromium as string)
    const bin = builtSerac()
    const flags = Object.entries(readRecording<Record<string, string>>(`${HISTORY}/flags.json`)).flatMap(([name, value]) => [
      `--${name}`,
      value,
    ])
    const files = [
      "--genesis-file",
      recordingPath(`${HISTORY}/genesis.json`),
      "--upgrade-file",
      recordingPath(`${HISTORY}/upgrades.json`),
    ]
    const blocks = ["--blocks", recordingPath(`${HISTORY}/record.json`)]
    expect(runBin(bin, ["replay", "--data-dir", dir, ...blocks, ...flags, ...files]).code).toBe(0)
    node = await startCommand(bin, ["serve", "--public", "--rate-limit", "100000", "--data-dir", dir, "--network-id", "424242"])
  })
  afterAll(async () => {
    await browser?.close()
    await node?.[Symbol.asyncDispose]()
    rmSync(dir, { recursive: true, force: true })
  })

  test("the page has no Lab and no information about the node", async () => {
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    await page.getByText("Network network-424242").waitFor()
    expect(await page.getByRole("link", { name: "Lab", exact: true }).count()).toBe(0)
    expect(await page.locator("footer span").allTextContents()).toEqual([
      "Network network-424242",
      expect.stringMatching(/^serac\/\d/),
      "Times are of this machine's zone; hover for UTC.",
    ])
    await openView(page, "#/lab", "This node does not offer a Lab")
    expect(faults).toEqual([])
  })

  test("an L1 shows its conversion, and when the balances of its validators run out", async () => {
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    await openView(page, "#/subnets", "L1")
    await openView(
      page,
      "#/subnet/2TFk86o2z9X9PNXoJxqQFdU63BM3DirXwgtobMBJMVV77rQVgi",
      "0xc0ffee0000000000000000000000000000c0ffee",
    )
    await page.getByText("manager chain", { exact: true }).waitFor()
    expect(await page.getByText("inactive").count()).toBe(3)
    expect(await page.getByText(/^in \d+ years/).count()).toBe(3)
    await page.getByText("It has enough active weight until 2036-11-12 03:00:20 UTC at least.").waitFor()
    expect(faults).toEqual([])
  })

  test("one transaction of each kind and one block of each kind are shown with their fields and bytes", async () => {
    await using opened = await openPage(browser, node.url)
    const { page, faults } = opened
    const { blocks: listedBlocks } = await node.call<BlockList>("platform.getBlocks", { limit: 1024 })
    const { txs: listedTxs } = await node.call<TxList>("platform.getTxs", { limit: 1024 })
    const blocks = new Map(listedBlocks.map(({ kind, height }) => [kind, height]))
    const txs = new Map(listedTxs.map(({ kind, txID }) => [kind, txID]))
    expect([blocks.size, txs.size]).toEqual([9, 20])
    for (const [kind, height] of blocks) await openView(page, `#/block/${height}`, `(${kind})`)
    for (const [kind, id] of txs) {
      await openView(page, `#/tx/${id}`, kind)
      await page.getByText("Fields", { exact: true }).waitFor()
      expect([kind, (await page.locator(".byte").count()) > 3]).toEqual([kind, true])
    }
    expect(faults).toEqual([])
  })
})

interface BlockList {
  readonly blocks: readonly { readonly kind: string; readonly height: string }[]
}

interface TxList {
  readonly txs: readonly { readonly kind: string; readonly txID: string }[]
}
