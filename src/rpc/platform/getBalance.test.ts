import { expect, test } from "vitest"
import { askedChain, friend } from "../../../test/fixtures/askedChain.js"
import { testNode } from "../../../test/fixtures/rpcNode.js"
import { Diff } from "../../state/diff.js"
import { tables } from "../../state/tables.js"
import { addressText } from "../../types/address.js"
import { platformMethods } from "./index.js"

test("locks open by the node's clock, between blocks and without one", async () => {
  const chain = askedChain()
  const start = chain.genesis.timestamp
  let now = start
  const node = testNode({ ...chain, methods: platformMethods, port: { now: () => now } })
  const partsAt = async (time: bigint) => {
    now = time
    const { result } = await node.call("platform.getBalance", { addresses: [addressText(friend, "local")] }, "contract")
    const { balance, unlocked, lockedStakeable, lockedNotStakeable } = result as Record<string, string>
    expect(BigInt(unlocked!) + BigInt(lockedStakeable!) + BigInt(lockedNotStakeable!)).toBe(BigInt(balance!))
    return [lockedStakeable, lockedNotStakeable]
  }
  const end = start + 30n * 86_400n
  const locked = ["3000000000", "5000000000"]
  expect(await partsAt(end - 1n)).toEqual(locked)
  expect(await partsAt(end)).toEqual(["0", "0"])
  // A reverted chain's clock goes back.
  expect(await partsAt(start)).toEqual(locked)
})

test("a balance is of the last accepted state", async () => {
  const chain = askedChain()
  const node = testNode({ ...chain, methods: platformMethods })
  const balance = async () => {
    const { result } = await node.call("platform.getBalance", { addresses: [addressText(friend, "local")] }, "contract")
    return BigInt((result as { balance: string }).balance)
  }
  const before = await balance()
  const [[key]] = chain.store.latest.rows(tables.utxosByAddress, { prefix: friend }) as Iterable<[{ utxoID: never }, null]> as [
    [{ utxoID: never }],
  ]
  const diff = new Diff(chain.store.latest)
  diff.delete(tables.utxos, key.utxoID)
  chain.store.commit(diff.edits)
  node.changed()
  expect(await balance()).toBeLessThan(before)
})
