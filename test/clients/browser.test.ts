import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { build } from "esbuild"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as codec from "../../src/codec.js"
import { startDevnet } from "../../src/index.js"
import { findChromium, needsChromium } from "../page/chromium.js"
import { launch, openPage } from "../page/openPage.js"
import { recordingNames, recordingText } from "../recordings/recordings.js"
import { type BuiltPackage, buildPackage } from "./package.js"

describe("in a browser", needsChromium, () => {
  let built: BuiltPackage
  let browser: Browser
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end("<title>wallet</title>"))

  beforeAll(async () => {
    built = buildPackage()
    browser = await launch(findChromium() as string)
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
    built?.remove()
  })

  /** Bundles an entry point of the package for a browser; its exports become the global `library`. */
  async function bundled(entry: string): Promise<string> {
    const contents = `import * as library from "${entry}"\nglobalThis.library = library`
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: built.dir },
      bundle: true,
      platform: "browser",
      format: "iife",
      write: false,
      metafile: true,
    })
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.map(({ path }) => path))
    expect(imports.filter((path) => path.startsWith("node:"))).toEqual([])
    const text = (outputFiles[0] as { text: string }).text
    expect(text).not.toMatch(/\bBuffer\b(?! of LMDB)/)
    return text
  }

  /** Opens an empty page of this machine, at another port than a node, with an entry point as the global `library`. */
  async function pageWith(entry: string) {
    const script = await bundled(entry)
    const opened = await openPage(browser, `http://localhost:${(server.address() as AddressInfo).port}`)
    await opened.page.addScriptTag({ content: script })
    return opened
  }

  test("serac/codec sees the same as in Node.js in all bytes that AvalancheGo recorded", async () => {
    const texts = recordedHex()
    expect(texts.length).toBeGreaterThan(2000)
    const here = texts.map((hex) => view(codec, hex))
    await using opened = await pageWith("serac/codec")
    const there = await opened.page.evaluate(`(${JSON.stringify(texts)}).map((hex) => (${view})(library, hex))`)
    expect(there).toEqual(here)
    const kinds = new Set(here.map((each) => each.split(" ", 1)[0]))
    expect([...codec.txTypes, ...codec.blockTypes].map(({ kind }) => kind).filter((kind) => !kinds.has(kind))).toEqual([])
    expect(opened.faults).toEqual([])
  })

  test("serac/client calls a node and reads its events, from a page of another origin", async () => {
    await using devnet = await startDevnet()
    await using opened = await pageWith("serac/client")
    const { page } = opened
    await page.evaluate(`globalThis.events = library.subscribe("${devnet.url}")`)
    const address = devnet.keys[1]?.address ?? ""
    await page.evaluate("events.then(() => {})")
    const { txID } = await devnet.dev.fund({ address, amount: 5n })
    const seen = await page.evaluate(`(async () => {
      const call = library.httpClient("${devnet.url}")
      const found = []
      for await (const event of await events) {
        found.push(event)
        if (event.event === "block") break
      }
      const { height } = await call("platform.getHeight")
      const { tx } = await call("platform.getTx", { txID: "${txID}", encoding: "json" })
      const refusal = await call("platform.issueTx", { tx: "0x00" }).catch((error) => error)
      const wrong = await call("platform.getBalance", { adresses: [] }).catch((error) => error)
      const unreachable = await library.httpClient("http://127.0.0.1:1")("platform.getHeight").catch((error) => error.code)
      const amounts = tx.unsignedTx.outputs.map(({ output }) => output.amount)
      const isInvalid = refusal instanceof library.Invalid
      return { found, height, amounts, refusal: refusal.code, wrong: wrong.code, isInvalid, unreachable }
    })()`)
    const events = [
      { event: "tx", txID, kind: "BaseTx", status: "Committed", height: 2n },
      { event: "block", kind: "BanffStandardBlock", txs: [txID], height: 2n },
    ]
    expect(seen).toMatchObject({
      found: events,
      height: 2n,
      amounts: expect.arrayContaining([5n]),
      refusal: "types.no_checksum",
      wrong: "rpc.unknown_param",
      isInvalid: true,
      unreachable: "rpc.unreachable",
    })
  })
})

/** Every text of a recording that could be bytes with a codec version. */
function recordedHex(): string[] {
  const names = [...recordingNames("vectors"), ...recordingNames("golden")]
  const found = names.flatMap((name) => recordingText(name).match(/(?<="(?:0x)?)0000[0-9a-f]{20,}(?=")/g) ?? [])
  return [...new Set(found)].filter(({ length }) => length % 2 === 0)
}

/** What the codec sees in bytes: the kind, the ID and the JSON of a value, and whether its bytes are the same again; or a refusal. It also runs in the page. */
function view(library: typeof codec, hex: string): string {
  try {
    const { found, hasChecksum } = library.recognise(library.fromHex(hex) as Uint8Array)
    const json = library.printJson(found.toJson({ hrp: "custom" }) as never)
    const fields = library.printJson(found.spans() as never)
    const again = found.id === null ? "" : library.idText(found.id)
    return `${found.kind} ${hasChecksum} ${again} ${library.toHex(found.bytes)} ${json} ${fields}`
  } catch (error) {
    if (!(error instanceof library.Invalid)) throw error
    return `${error.code} ${error.message} ${error.avalanchegoMessage}`
  }
}
