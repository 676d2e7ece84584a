import { expect, test } from "vitest"
import { type Block, type BlockBody, blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { unmarshalText } from "../../src/core/codec/errors.js"
import { hexToBytes } from "../../src/core/lib/bytes.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import type { UpgradeName } from "../../src/core/networks/upgrades.js"
import type { Diff } from "../../src/core/state/diff.js"
import { putL1Validator } from "../../src/core/state/l1Validators.js"
import { tables } from "../../src/core/state/tables.js"
import { signedTxOf, type Tx } from "../../src/core/txs/tx.js"
import type { TxKind, UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import { EMPTY_NODE_ID, idText } from "../../src/core/types/id.js"
import type { Verifiable } from "../../src/core/types/verifiable.js"
import { signTx } from "../fixtures/keys.js"
import {
  DUE_TX,
  IDLE_VALIDATION,
  L1,
  NODE,
  NOW,
  OTHER_NODE,
  SUBNET,
  smallRules,
  smallState,
  VALIDATION,
  warpMessage,
} from "../fixtures/smallChain.js"
import { idOfByte } from "../fixtures/txs.js"
import { balanced, from, validFor, weightChange } from "../fixtures/validFor.js"

const next = { parentID: idOfByte(0xee), height: 11n }
const reward = signTx({ kind: "RewardValidatorTx", txID: DUE_TX.id }, [])
const fixture = (kind: TxKind): Tx => signTx(validFor(kind).tx, validFor(kind).signers)
/** The fixture of a kind with changed fields, which pays its fee under this last upgrade. */
function changed<K extends TxKind>(
  kind: K,
  change: Partial<Extract<UnsignedTx, { kind: K }>>,
  last: UpgradeName = "granite",
): Tx {
  const { tx, signers } = validFor(kind)
  return signTx(balanced({ ...tx, ...change }, last), signers)
}

const standard = (txs: readonly Tx[], more: Partial<BlockBody> = {}): BlockBody =>
  ({ kind: "BanffStandardBlock", time: NOW, ...next, txs, ...more }) as BlockBody
const proposal: BlockBody = { kind: "BanffProposalBlock", time: NOW, txs: [], ...next, tx: reward }
const ofProposal = { parentID: blockOf({ ...proposal }).id, height: 12n }

/** The refusal of the last of these blocks with AvalancheGo's text, after the blocks before it were verified. */
function refusalText(last: UpgradeName, state: Diff, ...blocks: readonly BlockBody[]): string | undefined {
  const chain = new Chain({ rules: smallRules(last), state: { latest: state, commit: () => {} }, checksImports: true })
  return refusalTextBy(chain, blocks)
}

function refusalTextBy(chain: Chain, blocks: readonly BlockBody[], pChainHeight = 10n): string | undefined {
  try {
    for (const body of blocks) chain.verify(blockOf(body), { now: NOW, pChainHeight })
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.steps + unmarshalText(error)
    throw error
  }
}

const failed = (as: string, { id }: Tx, why: string): string => `${as} tx ${idText(id)} failed execution: ${why}`

const nameless = changed(
  "AddValidatorTx",
  { validator: { ...validFor("AddValidatorTx").tx.validator, nodeID: EMPTY_NODE_ID } },
  "durango",
)
const staker = fixture("AddValidatorTx")
const timely = fixture("AdvanceTimeTx")
const subnet = fixture("CreateSubnetTx")
const longLived = changed("AddSubnetValidatorTx", {
  validator: { ...validFor("AddSubnetValidatorTx").tx.validator, end: 2n ** 63n - 1n },
})

test.each<readonly [what: string, text: string, last: UpgradeName, blocks: readonly BlockBody[]]>([
  [
    "a time before its parent's",
    "proposed timestamp before current chain time: proposed timestamp (2027-01-15 07:59:59 +0000 UTC), chain time (2027-01-15 08:00:00 +0000 UTC)",
    "granite",
    [standard([], { time: NOW - 1n })],
  ],
  [
    "a time beyond what Go counts",
    "proposed timestamp before current chain time: proposed timestamp (292277026596-12-04 15:30:07 +0000 UTC), chain time (2027-01-15 08:00:00 +0000 UTC)",
    "granite",
    [standard([], { time: 2n ** 63n - 1n })],
  ],
  [
    "a time far ahead",
    "proposed timestamp is too far in the future relative to local time, proposed time (2027-01-15 08:00:11 +0000 UTC), local time (2027-01-15 08:00:00 +0000 UTC)",
    "granite",
    [standard([], { time: NOW + 11n })],
  ],
  [
    "a time past a reward",
    "proposed timestamp later than next staker change time, proposed timestamp (2027-01-15 08:00:01 +0000 UTC), next staker change time (2027-01-15 08:00:00 +0000 UTC)",
    "granite",
    [standard([], { time: NOW + 1n })],
  ],
  [
    "a kind that ended",
    "apricot block issued after fork: timestamp = 2027-01-15 08:00:00 +0000 UTC",
    "banff",
    [{ kind: "ApricotStandardBlock", ...next, txs: [] }],
  ],
  [
    "a decision at another time",
    "option block proposed timestamp not matching parent block one parent block timestamp (2027-01-15 08:00:00 +0000 UTC) option block timestamp (2027-01-15 08:00:01 +0000 UTC)",
    "granite",
    [proposal, { kind: "BanffAbortBlock", time: NOW + 1n, ...ofProposal }],
  ],
  [
    "no node, rather than a kind that ended",
    failed("standard", nameless, "validator nodeID cannot be empty"),
    "durango",
    [standard([nameless])],
  ],
  [
    "a proposed staker, rather than a kind that ended",
    failed(
      "proposal",
      staker,
      "staker transaction proposed after Banff: timestamp (2027-01-15 08:00:00 +0000 UTC) >= Banff fork time (0001-01-01 00:00:00 +0000 UTC)",
    ),
    "durango",
    [{ ...proposal, tx: staker } as BlockBody],
  ],
  [
    "a proposed time",
    failed(
      "proposal",
      timely,
      "AdvanceTimeTx issued after Banff: proposed timestamp (2027-01-15 08:00:00 +0000 UTC) >= Banff fork time (0001-01-01 00:00:00 +0000 UTC)",
    ),
    "granite",
    [{ ...proposal, tx: timely } as BlockBody],
  ],
  [
    "neither import nor export",
    failed("atomic", subnet, "wrong transaction type"),
    "apricotPhase4",
    [{ kind: "ApricotAtomicBlock", ...next, tx: subnet }],
  ],
  [
    "an end beyond what Go counts",
    failed("standard", longLived, "staking period is too short"),
    "granite",
    [standard([longLived])],
  ],
])("a block with %s is refused in AvalancheGo's words", (_what, text, last, blocks) => {
  expect(refusalText(last, smallState(), ...blocks)).toBe(text)
})

test("a block on one that has a successor is refused for its height, and then for the missing state", () => {
  const chain = new Chain({ rules: smallRules("granite"), state: { latest: smallState(), commit: () => {} } })
  const accept = (body: BlockBody): Block => {
    const block = blockOf(body)
    chain.verify(block, { now: NOW, pChainHeight: 10n })
    return chain.accept(block.id)
  }
  const first = accept(standard([fixture("BaseTx")]))
  accept({ kind: "BanffProposalBlock", time: NOW, txs: [], parentID: first.id, height: 12n, tx: reward })
  const again = standard([], { parentID: first.id })
  expect(refusalTextBy(chain, [{ ...again, height: 13n } as BlockBody])).toBe("incorrect block height expected 12, but found 13")
  expect(refusalTextBy(chain, [{ ...again, height: 12n } as BlockBody])).toBe(`missing parent state: ${idText(first.id)}`)
  expect(refusalTextBy(chain, [{ kind: "BanffCommitBlock", time: NOW, parentID: first.id, height: 12n }])).toBe(
    `missing parent state: ${idText(first.id)}`,
  )
})

test("a fee that does not fit in 64 bits is named with its gas and price", () => {
  const state = smallState()
  state.put(tables.gas, null, { capacity: 1_000_000n, excess: 100_000_000n })
  const tx = fixture("BaseTx")
  expect(refusalText("granite", state, standard([tx]))).toBe(
    failed("standard", tx, "error calculating cost with gas (4099) and price (18446744073709551615): overflow"),
  )
})

const reweighing = fixture("SetL1ValidatorWeightTx")

test("a Warp message is refused if it has no signers, if the weights of the validators overflow, and if it is ahead of the chain", () => {
  const unsigned = signTx({ ...validFor("SetL1ValidatorWeightTx").tx, message: warpMessage(weightChange, { signers: [] }) }, [])
  const nobody = smallState()
  for (const id of [VALIDATION, IDLE_VALIDATION])
    putL1Validator(nobody, id, { ...nobody.get(tables.l1Validators, id)!, weight: 0n })
  expect(refusalText("granite", nobody, standard([unsigned]))).toBe("no public keys")
  const heavy = smallState()
  const idle = heavy.get(tables.members, { subnetID: L1, nodeID: EMPTY_NODE_ID })!
  heavy.put(tables.members, { subnetID: L1, nodeID: EMPTY_NODE_ID }, { ...idle, weight: 2n ** 64n - 1n })
  expect(refusalText("granite", heavy, standard([reweighing]))).toBe("overflow")
  const chain = new Chain({ rules: smallRules("granite"), state: { latest: smallState(), commit: () => {} } })
  expect(refusalTextBy(chain, [standard([reweighing])], 11n)).toBe(
    `failed to fetch validator set at unfinalized height with SubnetID = ${idText(L1)}: current P-chain height (10) < requested P-Chain height (11)`,
  )
})

test("at another height only the Warp messages of a verified block are verified again", () => {
  const chain = new Chain({ rules: smallRules("granite"), state: { latest: smallState(), commit: () => {} } })
  expect(refusalTextBy(chain, [standard([reweighing])], 10n)).toBeUndefined()
  expect(refusalTextBy(chain, [standard([reweighing])], 11n)).toMatch(/^failed to fetch validator set at unfinalized height/)
  expect(refusalTextBy(chain, [standard([reweighing])], 10n)).toBeUndefined()
})

test("a subnet's owner is looked up in accepted transactions, not in those of the block", () => {
  const paying = fixture("BaseTx")
  const change = (paying.unsignedTx as Extract<UnsignedTx, { kind: "BaseTx" }>).outputs[0]!.output
  const amount = change.kind === "TransferOutput" ? change.amount : 0n
  const input = { ...from(paying.id), input: { kind: "TransferInput" as const, amount, signatureIndices: [0] } }
  const tx = changed("CreateChainTx", { inputs: [input], subnetID: paying.id })
  expect(refusalText("granite", smallState(), standard([paying, tx]))).toBe(failed("standard", tx, "not found"))
})

const owner = { kind: "OutputOwners" as const, locktime: 0n, threshold: 0, addresses: [] }
const nothing = { kind: "TransferInput" as const, amount: 0n, signatureIndices: [] }

test("another structure in place of a credential is refused for its own faults, and then for its type", () => {
  const { tx, signers } = validFor("CreateChainTx")
  const right = signTx(tx, signers).credentials
  const saidOf = (credentials: readonly Verifiable[]) => {
    const wrong = signedTxOf(tx, credentials)
    return refusalText("granite", smallState(), standard([wrong]))?.replace(failed("standard", wrong, ""), "")
  }
  expect(saidOf([owner, right[1]!])).toBe("failed to verify transfer: wrong credential type")
  expect(saidOf([nothing, right[1]!])).toBe("input has no value")
  expect(saidOf([right[0]!, owner])).toBe("unauthorized modification: wrong credential type")
})

test("another structure in place of an authorisation has no fee, and before dynamic fees it is no authorisation", () => {
  const { tx, signers } = validFor("CreateChainTx")
  const wrong = signTx({ ...tx, subnetAuthorization: owner }, signers)
  expect(refusalText("granite", smallState(), standard([wrong]))).toBe("unsupported auth type")
  expect(refusalText("durango", smallState(), standard([wrong]))).toBe(
    failed("standard", wrong, "unauthorized modification: wrong input type"),
  )
  const worse = signTx({ ...tx, subnetAuthorization: nothing }, signers)
  expect(refusalText("durango", smallState(), standard([worse]))).toBe(failed("standard", worse, "input has no value"))
})

/** Since v1.15.0, in every era; v1.14.2 verified such a block and then failed to accept it. */
test("a block that removes a subnet validator may add the node as an L1 validator, and a block that does not remove it may not", () => {
  const removal = fixture("RemoveSubnetValidatorTx")
  const change = (removal.unsignedTx as Extract<UnsignedTx, { kind: "RemoveSubnetValidatorTx" }>).outputs[0]!.output
  const amount = change.kind === "TransferOutput" ? change.amount : 0n
  const input = { ...from(removal.id), input: { kind: "TransferInput" as const, amount, signatureIndices: [0] } }
  const [validator] = validFor("ConvertSubnetToL1Tx").tx.validators
  const converting = (nodeID: typeof NODE) =>
    changed("ConvertSubnetToL1Tx", {
      inputs: [input],
      subnetID: SUBNET,
      validators: [{ ...validator!, nodeID: hexToBytes(nodeID) }],
    })
  expect(refusalText("granite", smallState(), standard([removal, converting(NODE)]))).toBeUndefined()
  expect(refusalText("granite", smallState(), standard([removal, converting(OTHER_NODE)]))).toBeUndefined()
  const early = changed("ConvertSubnetToL1Tx", {
    subnetID: SUBNET,
    validators: [{ ...validator!, nodeID: hexToBytes(OTHER_NODE) }],
  })
  expect(refusalText("granite", smallState(), standard([early]))).toBe(
    failed("standard", early, "L1 validator contains conflicting subnetID + nodeID pair"),
  )
})
