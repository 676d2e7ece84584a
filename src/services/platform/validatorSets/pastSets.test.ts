import { expect, test } from "vitest"
import { changingSets, changingSubnets } from "../../../../test/fixtures/changingSets.js"
import { localNetwork } from "../../../../test/fixtures/longChain.js"
import { testNode } from "../../../../test/fixtures/rpcNode.js"
import { idOfByte } from "../../../../test/fixtures/txs.js"
import { Diff } from "../../../core/state/diff.js"
import { tables } from "../../../core/state/tables.js"
import { replaceValidatorKey } from "../../../core/state/validatorKeys.js"
import { idText } from "../../../core/types/id.js"
import { bls } from "../../../platform/backends.js"
import { getAllValidatorsAt } from "./getAllValidatorsAt.js"
import { getValidatorsAt } from "./getValidatorsAt.js"

const [subnet] = changingSubnets

test("an override of a validator's key changes the cached sets of the last height, and those of no other", async () => {
  const { store, remembered } = changingSets(60)
  const height = remembered.length - 1
  const blocks = new Diff(store.latest)
  for (let at = 0; at <= height; at++) blocks.put(tables.blockIDs, BigInt(at), idOfByte(100 + at))
  blocks.put(tables.lastAccepted, null, { id: idOfByte(100 + height), height: BigInt(height) })
  store.commit(blocks.edits)
  const node = testNode({ store, ...localNetwork(), methods: [getValidatorsAt, getAllValidatorsAt] })
  const ask = async () => {
    const answers: string[] = []
    for (const at of [height - 1, height]) {
      // An answer is stored when it is asked for the second time.
      for (let i = 0; i < 3; i++) await node.resultText("platform.getValidatorsAt", { height: at, subnetID: idText(subnet) })
      for (let i = 0; i < 3; i++) await node.resultText("platform.getAllValidatorsAt", { height: at })
      answers.push(await node.resultText("platform.getValidatorsAt", { height: at, subnetID: idText(subnet) }))
      answers.push(await node.resultText("platform.getAllValidatorsAt", { height: at }))
    }
    return answers
  }
  const before = await ask()
  const diff = new Diff(store.latest)
  const [row] = store.latest.rows(tables.members, { under: { subnetID: subnet } })
  expect(replaceValidatorKey(diff, row![0], bls().publicKey(new Uint8Array(32).fill(1)), bls())).toBe(true)
  store.commit(diff.edits)
  node.changed()
  const after = await ask()
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
  expect(after[2]).not.toBe(before[2])
  expect(after[3]).not.toBe(before[3])
})
