import axe from "axe-core"
import { type Browser, chromium, type Page } from "playwright-core"
import { expect } from "vitest"

/** Starts the browser. As root, as in most containers, it runs without its sandbox. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
}

/** A page of the browser, and the errors that it reported. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** Errors of scripts, scripts or styles that the policy refused, and answers that the browser reports in its console. */
  readonly faults: string[]
}

/** Opens a page with a scheme of colours, in UTC and English, so that texts do not depend on the machine. */
export async function openPage(browser: Browser, url: string, colorScheme: "light" | "dark" = "light"): Promise<OpenPage> {
  const context = await browser.newContext({ colorScheme, locale: "en-GB", timezoneId: "UTC", bypassCSP: false })
  const page = await context.newPage()
  const faults: string[] = []
  page.on("pageerror", (error) => faults.push(error.message))
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text())
  })
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  return { page, faults, [Symbol.asyncDispose]: () => context.close() }
}

/** Opens a view by its fragment and waits until it has its answer. */
export async function openView(page: Page, hash: string, text: string | RegExp): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator("main").getByText(text).first().waitFor()
  await page.locator(".loading").first().waitFor({ state: "detached" })
}

/** Fails where axe finds a serious violation on the page as it is, of all its rules or of these. */
export async function expectAccessible(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  // The policy of the page forbids injected script elements; the browser itself may evaluate one.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(`${axe.source};0`)
  const { violations } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) })})`,
  )) as axe.AxeResults
  const found = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
  expect([name, found]).toEqual([name, []])
}
