import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ChainModel } from "../fixtures/chainModel.js"
import { type BackChain, shapes, sseClient, startWriter } from "../fixtures/goingBack.js"
import { startCopy, type TestCopy } from "../sync/followNodes.js"

describe("a copy, and a copy of the copy", () => {
  let chain: BackChain
  let copies: TestCopy[]
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "serac-copies-back-"))
    chain = await startWriter()
    const first = await startCopy([chain.url], join(folder, "1"), { http: { port: 0, hasPage: false } })
    const second = await startCopy([first.listening!.url], join(folder, "2"), { http: { port: 0, hasPage: false } })
    copies = [first, second]
  })
  afterAll(async () => {
    for (const copy of copies ?? []) await copy.stop()
    await chain?.node.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const settled = async (model: ChainModel) => {
    const ids = chain.ids()
    await expect.poll(() => [model.torn, model.ids], { timeout: 20_000 }).toEqual([undefined, ids])
  }

  describe.each([0, 1])("copy %i", (number) => {
    const url = () => copies[number]!.listening!.url

    test.each(shapes)("tells a client that listens when the chain %s", async (_shape, run) => {
      await chain.begin()
      const model = new ChainModel()
      const client = await sseClient(url())(model)
      await settled(model)
      await run(chain)
      await settled(model)
      await client.stop()
    })

    test.each(shapes)("tells a client that was away when the chain %s", async (_shape, run) => {
      await chain.begin()
      const model = new ChainModel()
      const client = await sseClient(url())(model)
      await settled(model)
      await client.stop()
      const told = model.reverts.length
      const before = [...model.ids]
      await run(chain)
      const other = new ChainModel()
      const follows = await sseClient(url())(other)
      await settled(other)
      const again = await sseClient(url())(model)
      await settled(model)
      const common = before.findLastIndex((id, height) => chain.ids()[height] === id)
      expect(model.reverts.slice(told)).toEqual(common < before.length - 1 ? [`${common}-${before[common]}`] : [])
      await again.stop()
      await follows.stop()
    })
  })
})
