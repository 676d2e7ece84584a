import { afterAll, describe, expect, test } from "vitest"
import { outerBytesAt } from "../../src/core/consensus/proposer/wrapperStore.js"
import type { Rules } from "../../src/core/rules/context.js"
import { tables } from "../../src/core/state/tables.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { nodeTables, tablesBesideChain } from "../../src/datadir/nodeTables.js"
import { chainDir } from "../../src/datadir/places.js"
import { openLmdbStore } from "../../src/store/lmdb/openLmdbStore.js"
import { changeOf, firstUnspent, localNetwork, payment } from "../fixtures/longChain.js"
import { needsJudge } from "../goverify.js"
import { expectJudged } from "../judge.js"
import { startCopy } from "../sync/followNodes.js"
import { AvalancheGoNetwork, ask, needsAvalancheGo, until } from "./avalanchego.js"

const P = "/ext/bc/P"
const PAYMENTS = 12

describe("a copy of a chain of AvalancheGo", needsAvalancheGo, () => {
  const network = new AvalancheGoNetwork(["--network-id=local"])
  const rules: Rules = localNetwork().rules
  afterAll(() => network.stop())

  test.each([
    ["with its index", ["--index-enabled=true"], true],
    ["without its index, height by height", [], false],
  ])("%s has every block, and its state is that of AvalancheGo's own VM", needsJudge, async (_name, flags, hasWrappers) => {
    const node = await network.startAlone(flags)
    let unspent = firstUnspent
    const pay = async () => {
      const tx = payment(unspent, rules)
      unspent = changeOf(tx)
      await ask(node.url, P, "platform.issueTx", { tx: toHexText(tx.bytes) })
      const isThere = async () => (await ask(node.url, P, "platform.getTxStatus", { txID: idText(tx.id) })).status === "Committed"
      await until(isThere, 60_000)
    }
    for (let i = 0; i < PAYMENTS / 2; i++) await pay()
    const copy = await startCopy([node.url])
    // The other half comes while the copy follows the tip.
    for (let i = 0; i < PAYMENTS / 2; i++) await pay()
    const height = BigInt((await ask(node.url, P, "platform.getHeight")).height as string)
    expect(height).toBe(BigInt(PAYMENTS))
    await copy.reaches(height)
    const lease = copy.api.contexts.open()
    const { view } = lease.context
    const blockID = view.get(tables.blockIDs, height)
    const { block } = await ask(node.url, P, "platform.getBlockByHeight", { height: String(height), encoding: "json" })
    expect(blockID && idText(blockID)).toBe((block as { id: string }).id)
    // A block in its wrapper is longer than the block alone.
    const [outer, inner] = [outerBytesAt(view, height), blockID && view.get(tables.blocks, blockID)]
    expect((outer?.length ?? 0) > (inner?.length ?? 0)).toBe(hasWrappers)
    lease.release()
    const { dataDir } = copy
    await copy.stop()
    const store = openLmdbStore({ dir: chainDir(dataDir as string), tables: nodeTables, tablesBesideChain, readOnly: true })
    expectJudged(store)
    await store.close()
    await copy[Symbol.asyncDispose]()
  })
})
