import { expect, test } from "vitest"
import { DUE_TX, NODE, NOW, smallRules, smallState } from "../../../test/fixtures/smallChain.js"
import { idOfByte, validTxs } from "../../../test/fixtures/txs.js"
import { blockOf } from "../blocks/block.js"
import { tables } from "../state/tables.js"
import { signedTxOf } from "../txs/tx.js"
import type { UnsignedTx } from "../txs/unsignedTx.js"
import type { ID } from "../types/id.js"
import { optionBlock, type Proposal, preferredOption } from "./options.js"

const rules = smallRules("granite")
const common = { parentID: idOfByte(0xee), height: 11n }

const proposal = (tx: UnsignedTx) =>
  blockOf({ kind: "BanffProposalBlock", time: NOW, txs: [], ...common, tx: signedTxOf(tx, []) }) as Proposal
const rewardOf = (txID: ID) => proposal({ kind: "RewardValidatorTx", txID })

test("a reward is granted from the required uptime on, measured since the node validates the primary network", () => {
  const asked: unknown[] = []
  const at = (share: number | undefined) =>
    preferredOption(rewardOf(DUE_TX.id), smallState(), rules, (nodeID, since) => {
      asked.push([nodeID, since])
      return share
    })
  expect([0.8, 0.7999999999, 0, 1, undefined].map(at)).toEqual(["commit", "abort", "abort", "commit", "commit"])
  expect(asked[0]).toEqual([NODE, NOW - 100_000n])
})

test("a reward whose staker is unknown is granted", () => {
  const offline = () => 0
  expect(preferredOption(rewardOf(idOfByte(1)), smallState(), rules, offline)).toBe("commit")
  expect(preferredOption(proposal(validTxs.CreateChainTx), smallState(), rules, offline)).toBe("commit")
  const apricot = blockOf({
    kind: "ApricotProposalBlock",
    ...common,
    tx: signedTxOf({ kind: "RewardValidatorTx", txID: DUE_TX.id }, []),
  })
  expect(preferredOption(apricot as Proposal, smallState(), rules, offline)).toBe("commit")
  const state = smallState()
  state.delete(tables.currentValidators, { subnetID: "00".repeat(32) as ID, nodeID: NODE })
  expect(preferredOption(rewardOf(DUE_TX.id), state, rules, offline)).toBe("commit")
})

test("an option repeats its proposal's time, at the next height", () => {
  const block = rewardOf(DUE_TX.id)
  const end = { parentID: block.id, height: 12n }
  expect(optionBlock(block, "commit")).toMatchObject({ kind: "BanffCommitBlock", time: NOW, ...end })
  expect(optionBlock(block, "abort")).toMatchObject({ kind: "BanffAbortBlock", time: NOW, ...end })
  const apricot = blockOf({ kind: "ApricotProposalBlock", ...common, tx: block.tx }) as Proposal
  expect(optionBlock(apricot, "abort")).toMatchObject({ kind: "ApricotAbortBlock", parentID: apricot.id, height: 12n })
  expect(optionBlock(apricot, "commit").kind).toBe("ApricotCommitBlock")
})
