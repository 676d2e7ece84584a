import { existsSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { needs } from "../../needs.js"
import { root } from "../../sources.js"
import { type PreparedTx, prepared } from "./prepared.js"

const isInstalled = existsSync(join(root, "test/clients/sdk/node_modules/@avalanche-sdk/client"))
const needsSdk = needs(isInstalled, "the Avalanche SDK (npm run sdk installs it, 119 MB)")

// Imported only if the SDK is installed.
async function load() {
  const [{ openWorld }, { runs }, { calls }] = await Promise.all([
    import("./world.js"),
    import("./transactions.js"),
    import("./calls.js"),
  ])
  return { world: await openWorld(), runs, calls }
}
const loaded = isInstalled ? await load() : undefined

afterAll(() => loaded?.world.devnet.stop())

describe("the Avalanche SDK's wallet prepares, signs, issues and awaits", needsSdk, () => {
  for (const [method, title] of Object.entries(prepared)) {
    test(`${method}: ${title}`, () => loaded!.runs[method as PreparedTx](loaded!.world))
  }

  test("every kind of transaction that it prepares", () => {
    const own = Object.keys(loaded!.world.wallet.pChain).filter((name) => /^prepare\w+Txn$/.test(name))
    expect(Object.keys(prepared).sort()).toEqual(own.sort())
  })
})

describe("the Avalanche SDK's clients ask", needsSdk, () => {
  for (const { api, method, run } of loaded?.calls ?? []) test(`${api}.${method}`, () => run(loaded!.world))

  test("every method that they have for the services of Serac", () => {
    const { pChain, info, health, proposervm, indexBlock } = loaded!.world.client
    for (const [api, client] of Object.entries({
      pChain,
      info,
      health,
      proposervm: proposervm.pChain,
      indexBlock: indexBlock.pChain,
    })) {
      const own = Object.entries(client).flatMap(([name, value]) => (typeof value === "function" ? [name] : []))
      const asked = loaded!.calls.filter((call) => call.api === api).map(({ method }) => method)
      expect([api, asked.sort()]).toEqual([api, own.filter((name) => !["request", "extend"].includes(name)).sort()])
    }
  })
})
