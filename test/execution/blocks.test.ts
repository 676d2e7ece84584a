import { describe, expect, test } from "vitest"
import { type Block, type BlockBody, blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { valueOrInvalid } from "../../src/core/lib/invalid.js"
import type { UpgradeName } from "../../src/core/networks/upgrades.js"
import type { Diff } from "../../src/core/state/diff.js"
import { tables } from "../../src/core/state/tables.js"
import type { Tx } from "../../src/core/txs/tx.js"
import type { TxKind, UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { signTx } from "../fixtures/keys.js"
import { alice, DUE_TX, EXPORTED, NOW, OTHER_NODE, SUBNET, smallRules, smallState } from "../fixtures/smallChain.js"
import { idOfByte } from "../fixtures/txs.js"
import { balanced, from, validFor } from "../fixtures/validFor.js"
import { refusalCode } from "../refusal.js"

const PARENT = idOfByte(0xee)
const next = { parentID: PARENT, height: 11n }
const reward = signTx({ kind: "RewardValidatorTx", txID: DUE_TX.id }, [])
const fixture = (kind: TxKind): Tx => signTx(validFor(kind).tx, validFor(kind).signers)

function chainOn(last: UpgradeName, state: Diff = smallState()): Chain {
  return new Chain({ rules: smallRules(last), state: { latest: state, commit: () => {} }, checksImports: true })
}

/** The code with which a chain refuses the last of these blocks, after accepting those before it. */
function codeOf(chain: Chain, ...blocks: readonly BlockBody[]): string | undefined {
  const made = blocks.map((body) => blockOf(body))
  const last = made.pop() as Block
  for (const block of made) chain.verify(block, { now: NOW, pChainHeight: 10n })
  return refusalCode(() => chain.verify(last, { now: NOW, pChainHeight: 10n }))
}

const standard = (txs: readonly Tx[], changes: Partial<BlockBody> = {}): BlockBody =>
  ({ kind: "BanffStandardBlock", time: NOW, ...next, txs, ...changes }) as BlockBody
const proposal: BlockBody = { kind: "BanffProposalBlock", time: NOW, txs: [], ...next, tx: reward }
const proposalID = blockOf({ ...proposal }).id
const apricotProposal: BlockBody = { kind: "ApricotProposalBlock", ...next, tx: reward }
const ofProposal = { parentID: proposalID, height: 12n }

const refused: readonly [name: string, code: string, last: UpgradeName, blocks: readonly BlockBody[]][] = [
  ["an unknown parent", "block.unknown_parent", "granite", [standard([fixture("BaseTx")], { parentID: idOfByte(1) })]],
  ["another height", "block.wrong_height", "granite", [standard([fixture("BaseTx")], { height: 12n })]],
  ["a time before its parent's", "rules.time_backwards", "granite", [standard([fixture("BaseTx")], { time: NOW - 1n })]],
  ["a time far ahead", "rules.time_beyond_sync_bound", "granite", [standard([fixture("BaseTx")], { time: NOW + 11n })]],
  ["a time past a reward", "rules.time_past_change", "granite", [standard([fixture("BaseTx")], { time: NOW + 1n })]],
  ["a time that wraps around", "rules.time_backwards", "granite", [standard([fixture("BaseTx")], { time: 2n ** 64n - 1n })]],
  ["nothing in it", "block.no_changes", "granite", [standard([])]],
  ["a kind that ended with Banff", "block.apricot_after_banff", "banff", [{ kind: "ApricotStandardBlock", ...next, txs: [] }]],
  ["a proposal that ended with Banff", "block.apricot_after_banff", "banff", [apricotProposal]],
  [
    "a kind that ended with Apricot Phase 5",
    "block.atomic_after_phase_5",
    "apricotPhase5",
    [{ kind: "ApricotAtomicBlock", ...next, tx: fixture("ImportTx") }],
  ],
  [
    "neither import nor export, where one must be",
    "tx.wrong_place",
    "apricotPhase4",
    [{ kind: "ApricotAtomicBlock", ...next, tx: fixture("CreateSubnetTx") }],
  ],
  ["a decision on nothing", "block.not_an_option", "granite", [{ kind: "BanffCommitBlock", time: NOW, ...next }]],
  [
    "a decision at another time",
    "block.option_time",
    "granite",
    [proposal, { kind: "BanffAbortBlock", time: NOW + 1n, ...ofProposal }],
  ],
  ["a parent nobody decided on", "block.undecided_parent", "granite", [proposal, standard([fixture("BaseTx")], ofProposal)]],
  ["a reward among its transactions", "tx.unmetered", "granite", [standard([reward])]],
  ["a reward among its transactions, before Etna", "tx.wrong_place", "durango", [standard([reward])]],
  ["a payment for its proposal", "tx.wrong_place", "granite", [{ ...proposal, tx: fixture("BaseTx") } as BlockBody]],
  [
    "a staker for its proposal, after Banff",
    "tx.proposed_after_banff",
    "banff",
    [{ ...proposal, tx: fixture("AddValidatorTx") } as BlockBody],
  ],
  ["the same transaction twice", "rules.unknown_utxo", "granite", [standard([fixture("BaseTx"), fixture("BaseTx")])]],
]

test("a Warp message at the height of an undecided parent is refused because of this node's height, and valid once the parent is accepted", () => {
  const chain = chainOn("granite")
  const parent = blockOf(standard([importing(1)]))
  const child = blockOf(standard([fixture("SetL1ValidatorWeightTx")], { parentID: parent.id, height: 12n }))
  const verifyChild = () => chain.verify(child, { now: NOW, pChainHeight: 11n })
  chain.verify(parent, { now: NOW, pChainHeight: 10n })
  expect(valueOrInvalid(verifyChild)).toMatchObject({ code: "rules.warp_height", dependsOn: "height" })
  chain.accept(parent.id)
  expect(verifyChild).not.toThrow()
})

describe("a block is refused with", () => {
  test.each(refused)("%s: %s", (_name, code, last, blocks) => {
    expect(codeOf(chainOn(last), ...blocks)).toBe(code)
  })

  test("two imports of one UTXO", () => {
    expect(codeOf(chainOn("granite"), standard([importing(1), importing(2)]))).toBe("block.conflicting_txs")
  })

  test("two imports of one UTXO, where imports are taken on trust", () => {
    const chain = new Chain({ rules: smallRules("granite"), state: { latest: smallState(), commit: () => {} } })
    expect(codeOf(chain, standard([importing(1), importing(2)]))).toBe("block.conflicting_txs")
  })

  test("an import of a UTXO that an undecided parent has imported", () => {
    const chain = new Chain({ rules: smallRules("granite"), state: { latest: smallState(), commit: () => {} } })
    const first = standard([importing(1)])
    const second = standard([importing(2)], { parentID: blockOf({ ...first }).id, height: 12n })
    expect(codeOf(chain, first, second)).toBe("block.conflicting_parent_txs")
  })

  test("more gas than the chain has to give, though each transaction fits", () => {
    const state = smallState()
    state.put(tables.gas, null, { capacity: 8_000n, excess: 0n })
    const paying = fixture("BaseTx")
    expect(codeOf(chainOn("granite", state), standard([paying]))).toBeUndefined()
    expect(codeOf(chainOn("granite", state), standard([paying, fixture("CreateSubnetTx")]))).toBe("rules.insufficient_capacity")
  })
})

describe("a validator that a block removes", () => {
  const removal = fixture("RemoveSubnetValidatorTx")
  const again = (last: UpgradeName): Tx => {
    const { tx } = validFor("AddSubnetValidatorTx")
    // Pays with the output that the removal returned.
    const change = (removal.unsignedTx as Extract<UnsignedTx, { kind: "RemoveSubnetValidatorTx" }>).outputs[0]!.output
    const amount = change.kind === "TransferOutput" ? change.amount : 0n
    const input = { ...from(removal.id), input: { kind: "TransferInput" as const, amount, signatureIndices: [0] } }
    const added = { ...tx, inputs: [input], validator: { ...tx.validator, nodeID: OTHER_NODE, subnetID: SUBNET } }
    return signTx(balanced(added, last), [[alice], [alice]])
  }

  test("cannot return in it", () => {
    expect(codeOf(chainOn("granite"), standard([removal, again("granite")]))).toBe("state.staker_re_added")
  })

  test("can return in the next", () => {
    const first = standard([removal])
    const second = standard([again("granite")], { parentID: blockOf({ ...first }).id, height: 12n })
    expect(codeOf(chainOn("granite"), first, second)).toBeUndefined()
  })

  test("can return in it from Helicon on", () => {
    expect(codeOf(chainOn("helicon"), standard([removal, again("helicon")]))).toBeUndefined()
  })
})

/** An import of the exported UTXO. Imports with different lock times have different IDs. */
function importing(locktime: number): Tx {
  const { tx } = validFor("ImportTx")
  const outputs = [{ ...tx.outputs[0]!, output: { ...tx.outputs[0]!.output, amount: 1n, locktime: BigInt(locktime) } }]
  return signTx(balanced({ ...tx, inputs: [], importedInputs: [from(EXPORTED)], outputs } as typeof tx, "granite"), [[alice]])
}
