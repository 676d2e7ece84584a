import { expect } from "vitest"
import { txsOf } from "../../../../src/core/blocks/block.js"
import { consumedUtxoIDs } from "../../../../src/core/txs/amounts.js"
import { addressText } from "../../../../src/core/types/address.js"
import { idText } from "../../../../src/core/types/id.js"
import { innerOutput } from "../../../../src/core/types/output.js"
import { type Utxo, utxoID } from "../../../../src/core/types/utxo.js"
import { AVAX_ID, EMPTY, FRIEND, type MethodsFixture, type Name, NOWHERE, STRANGER, time } from "../fixture.js"
import { both, missing, refusalText, refused, type Table } from "../table.js"
import { START } from "../when.js"
import { badAddressCases } from "./addresses.js"

/** Cases of the methods for explorers, which are the same in both dialects. */
export function explorerCases(facts: MethodsFixture): Table {
  return { ...blockCases(facts), ...txCases(facts), ...utxoCases(facts), ...stakerCases(facts) }
}

const BAD_CURSOR = "the cursor is not the cursor of a previous page"
const noAddress = refused({}, "platform.no_addresses", {}, "no addresses provided")
const noHeight = missing("height", refusalText("no addresses provided"))
const ofAddresses = { address: "string", addresses: "strings" } as const
const paged = { limit: "u32", cursor: "string" } as const
const period = { from: "bound", to: "bound" } as const

const badCursor = (params: object) =>
  refused({ ...params, cursor: "x" } as never, "platform.bad_cursor", { cursor: "x" }, BAD_CURSOR)

function blockCases({ blockAt, height }: MethodsFixture): Table {
  const shown = (at: number) => ({
    blockID: idText(blockAt(at).id),
    parentID: idText(blockAt(at).parentID),
    height: String(at),
    kind: blockAt(at).kind,
    timestamp: expect.stringMatching(/^2024-07-1\dT/),
    size: blockAt(at).bytes.length,
    txIDs: txsOf(blockAt(at)).map((tx) => idText(tx.id)),
  })
  const all = Array.from({ length: height + 1 }, (_, i) => shown(height - i))
  const genesisKind = blockAt(0).kind
  const ofKinds = all.filter(({ kind }) => kind === genesisKind || kind === "BanffProposalBlock")
  const genesis = { blockID: idText(blockAt(0).id), height: "0", timestamp: time(START) }
  const before = time(START - 1n)
  return {
    "platform.getBlocks": {
      takes: { fromHeight: "u64", toHeight: "u64", kinds: "blockKinds", ...period, ...paged },
      normal: [both({}, { blocks: all.slice(0, 100), cursor: null })],
      "all parameters": [
        both(
          { fromHeight: 0, toHeight: 1, kinds: [genesisKind], from: time(START), to: time(START), limit: 1, cursor: "1-0" },
          { blocks: [shown(0)], cursor: null },
        ),
        both({ fromHeight: 1, toHeight: 2 }, { blocks: [shown(2), shown(1)], cursor: null }),
        both({ kinds: [genesisKind, "BanffProposalBlock"] }, { blocks: ofKinds, cursor: null }),
        both({ kinds: ["ApricotAtomicBlock"], limit: 2 }, { blocks: [], cursor: `${height - 1}-0` }),
        both({ fromHeight: height + 1 }, { blocks: [], cursor: null }),
        both({ to: before }, { blocks: [], cursor: null }),
        both({ limit: 2 }, { blocks: all.slice(0, 2), cursor: `${height - 1}-0` }),
        both({ limit: 2, cursor: `${height - 1}-0` }, { blocks: all.slice(2, 4), cursor: `${height - 3}-0` }),
      ],
      "omitted parameters": [both({}, { blocks: all.slice(0, 100), cursor: null })],
      errors: [badCursor({})],
    },
    "platform.getBlockByTime": {
      takes: { time: "time" },
      normal: [
        both(
          { time: "2100-01-01T00:00:00Z" },
          { blockID: idText(blockAt(height).id), height: String(height), timestamp: expect.any(String) },
        ),
      ],
      "all parameters": [both({ time: time(START) }, expect.objectContaining({ timestamp: genesis.timestamp }))],
      "omitted parameters": [missing("time", refusalText("the chain began after this time"))],
      errors: [refused({ time: before }, "platform.before_genesis", { time: before }, "the chain began after this time")],
    },
  }
}

function txCases({ id, heightOf, blockAt, height, members, made, locals }: MethodsFixture): Table {
  const shown = (name: Name, kind: string) => ({
    txID: id(name),
    kind,
    height: String(heightOf(name)),
    timestamp: expect.any(String),
  })
  const kinds = ["CreateSubnetTx"]
  const created = Array.from({ length: height }, (_, i) => blockAt(height - i)).flatMap((block) =>
    txsOf(block)
      .filter(({ unsignedTx }) => unsignedTx.kind === "CreateSubnetTx")
      .map((tx) => idText(tx.id))
      .reverse(),
  )
  const listed = created.map((txID) => ({
    txID,
    kind: "CreateSubnetTx",
    height: expect.any(String),
    timestamp: expect.any(String),
  }))
  const [first] = members
  const about = { txs: expect.arrayContaining([shown("conversion", "ConvertSubnetToL1Tx")]), cursor: null }
  const everything = { subnetID: EMPTY, chainID: EMPTY, nodeID: locals[0]!.nodeID, stakerTxID: EMPTY, validationID: EMPTY }
  const TOO_MANY = "a list of transactions can be about one subnet, chain, node, staker or L1 validator: name one of them"
  return {
    "platform.getTxs": {
      takes: {
        ...{ kinds: "kinds", subnetID: "ID", chainID: "ID", nodeID: "NodeID", stakerTxID: "ID", validationID: "ID" },
        ...{ ...period, ...paged },
      },
      normal: [
        both({ kinds }, { txs: listed, cursor: null }),
        both({ validationID: first!.validationID }, about),
        both({ nodeID: first!.nodeID, kinds: ["ConvertSubnetToL1Tx"] }, about),
        both({ subnetID: idText(made.txs.l1.id), kinds: ["ConvertSubnetToL1Tx"] }, about),
        both({ chainID: NOWHERE }, { txs: [], cursor: null }),
        both(
          { stakerTxID: id("validator"), kinds: ["AddPermissionlessValidatorTx"] },
          { txs: [shown("validator", "AddPermissionlessValidatorTx")], cursor: null },
        ),
      ],
      "all parameters": [
        refused(
          { kinds, ...everything, from: time(START), to: time(START), limit: 1, cursor: "1-1" },
          "platform.too_many_filters",
          {},
          TOO_MANY,
        ),
        both({ kinds, limit: 1 }, { txs: listed.slice(0, 1), cursor: expect.any(String) }),
      ],
      "omitted parameters": [both({}, { txs: expect.any(Array), cursor: null })],
      errors: [badCursor({})],
    },
  }
}

/** A UTXO as answers show it. */
function shownUtxo({ txID, outputIndex, assetID, output }: Utxo) {
  const { amount, addresses, threshold, locktime } = innerOutput(output)
  return {
    utxoID: idText(utxoID(txID, outputIndex)),
    ...{ txID: idText(txID), outputIndex, assetID: idText(assetID), amount: String(amount) },
    ...{ addresses: addresses.map((each) => addressText(each, "local")), threshold },
    ...(locktime > 0n ? { locktime: String(locktime) } : {}),
    ...(output.kind === "LockOut" ? { stakeableLocktime: String(output.locktime) } : {}),
  }
}

function utxoCases({ made, height, ownedBy, heightOf }: MethodsFixture): Table {
  const future = String(height + 1)
  const notYet = (params: object) =>
    refused(
      { ...params, height: future } as never,
      "platform.future_height",
      { height: height + 1, lastAccepted: height },
      `: current P-chain height (${height}) < requested P-Chain height (${future})`,
    )
  const { txs } = made
  const friend = ownedBy("11".repeat(20) as never).map(({ utxo }) => shownUtxo(utxo))
  const sum = friend.reduce((total, { amount, assetID }) => (assetID === AVAX_ID ? total + BigInt(amount) : total), 0n)
  const count = friend.filter(({ assetID }) => assetID === AVAX_ID).length
  const now = { height: String(height), timestamp: expect.any(String) }
  const balances = expect.arrayContaining([{ assetID: AVAX_ID, amount: String(sum), utxoCount: String(count) }])
  const named = expect.arrayContaining([{ address: FRIEND, assetID: AVAX_ID, amount: String(sum), utxoCount: String(count) }])
  const nothing = { balances: [], timestamp: time(START), height: "0" }
  const spentID = idText(consumedUtxoIDs(txs.payment.unsignedTx)[0]!)
  const owned = ownedBy("11".repeat(20) as never)[0]!
  const spentFacts = { txID: idText(txs.payment.id), height: String(heightOf("payment")), timestamp: expect.any(String) }
  const unknown = (each: string) =>
    refused({ utxoID: each }, "platform.unknown_utxo", { utxoID: each }, "the P-Chain never had a UTXO with this ID")
  return {
    "platform.getBalanceAt": {
      takes: { ...ofAddresses, height: "bound" },
      normal: [both({ address: FRIEND, height }, { ...now, balances })],
      "all parameters": [
        both({ address: FRIEND, height: 0 }, nothing),
        both({ address: FRIEND, height: time(START) }, { ...nothing, height: expect.any(String) }),
        both({ address: STRANGER, addresses: [FRIEND], height }, { ...now, balances: named }),
        both({ address: FRIEND, height: "9999-12-31" }, { ...now, balances }),
        both({ addresses: [STRANGER, FRIEND], height }, { ...now, balances: named }),
      ],
      "omitted parameters": [noHeight],
      errors: [
        ...badAddressCases((address) => ({ addresses: [address], height: 0 })),
        notYet({ address: FRIEND }),
        refused({ height: 0 }, "platform.no_addresses", {}, "no addresses provided"),
        refused(
          { address: FRIEND, height: "2001-09-09" },
          "platform.before_genesis",
          { time: "2001-09-09T23:59:59Z" },
          "the chain began after this time",
        ),
      ],
    },
    "platform.getUTXOsAt": {
      takes: { ...ofAddresses, height: "bound", ...paged },
      normal: [
        both({ address: FRIEND, height }, { height: String(height), utxos: expect.arrayContaining(friend), cursor: null }),
      ],
      "all parameters": [
        both({ address: FRIEND, height: 0, limit: 2, cursor: "" }, { height: "0", utxos: [], cursor: null }),
        both(
          { address: STRANGER, addresses: [FRIEND], height: "9999-12-31", limit: 1024, cursor: "" },
          { height: String(height), utxos: expect.arrayContaining(friend), cursor: null },
        ),
      ],
      "omitted parameters": [noHeight],
      errors: [
        ...badAddressCases((address) => ({ addresses: [address], height: 0 })),
        notYet({ address: FRIEND }),
        badCursor({ address: FRIEND, height: 0 }),
      ],
    },
    "platform.getUTXOInfo": {
      takes: { utxoID: "ID" },
      normal: [both({ utxoID: owned.utxoID }, { ...shownUtxo(owned.utxo), spent: null })],
      "all parameters": [both({ utxoID: spentID }, expect.objectContaining({ utxoID: spentID, spent: spentFacts }))],
      "omitted parameters": [missing("utxoID", refusalText("the P-Chain never had a UTXO with this ID"))],
      errors: [unknown(NOWHERE)],
    },
  }
}

function stakerCases({ id, decisionOn, members, made }: MethodsFixture): Table {
  const ended = (name: Name) => expect.objectContaining({ txID: id(name), state: "ended", rewardTxID: decisionOn(name) })
  const active = expect.objectContaining({ txID: id("remaining"), state: "active", role: "delegator" })
  const left = (name: Name, reason: string) => expect.objectContaining({ txID: id(name), reason })
  const [first] = members
  const history = { validationID: first!.validationID, subnetID: idText(made.txs.l1.id), nodeID: first!.nodeID }
  const registered = expect.objectContaining({ event: "registered", txID: id("conversion") })
  const unknown = (validationID: string) =>
    refused(
      { validationID },
      "platform.unknown_l1_validator",
      { validationID },
      `fetching L1 validator "${validationID}" failed: not found`,
    )
  return {
    "platform.getStakesByAddress": {
      takes: { ...ofAddresses, kinds: "stakeKinds", ...period, ...paged },
      normal: [both({ address: FRIEND }, { stakes: expect.arrayContaining([ended("delegator"), active]), cursor: null })],
      "all parameters": [
        both({ address: FRIEND, limit: 1, cursor: "0-0" }, { stakes: [], cursor: null }),
        both(
          {
            ...{ address: STRANGER, addresses: [FRIEND], kinds: ["AddPermissionlessDelegatorTx"] },
            ...{ from: 1, to: "9999-12-31", limit: 1024, cursor: "" },
          },
          { stakes: expect.arrayContaining([active]), cursor: null },
        ),
        both({ address: FRIEND, to: 0 }, { stakes: [], cursor: null }),
      ],
      "omitted parameters": [noAddress],
      errors: [...badAddressCases((address) => ({ addresses: [address] })), badCursor({ address: FRIEND })],
    },
    "platform.getFormerValidators": {
      takes: { subnetID: "ID", ...period, ...paged },
      normal: [
        both(
          {},
          { validators: expect.arrayContaining([left("validator", "rewarded"), left("refused", "unrewarded")]), cursor: null },
        ),
      ],
      "all parameters": [both({ subnetID: NOWHERE, from: 0, to: 5, limit: 1, cursor: "" }, { validators: [], cursor: null })],
      "omitted parameters": [both({}, { validators: expect.any(Array), cursor: null })],
      errors: [badCursor({})],
    },
    "platform.getL1ValidatorHistory": {
      takes: { validationID: "ID", kinds: "l1EventKinds", ...period, ...paged },
      normal: [
        both({ validationID: first!.validationID }, { ...history, events: expect.arrayContaining([registered]), cursor: null }),
      ],
      "all parameters": [
        both({ validationID: first!.validationID, limit: 1, cursor: "0-0" }, { ...history, events: [], cursor: null }),
        both(
          { validationID: first!.validationID, kinds: ["registered"], from: 1, to: "9999-12-31", limit: 9, cursor: "" },
          { ...history, events: [registered], cursor: null },
        ),
        both({ validationID: first!.validationID, from: "9999-12-31" }, { ...history, events: [], cursor: null }),
        both({ validationID: first!.validationID, kinds: ["ranOut"] }, { ...history, events: [], cursor: null }),
      ],
      "omitted parameters": [missing("validationID", refusalText(`fetching L1 validator "${EMPTY}" failed: not found`))],
      errors: [unknown(NOWHERE), badCursor({ validationID: first!.validationID })],
    },
  }
}
