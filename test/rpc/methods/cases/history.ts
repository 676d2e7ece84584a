import { expect } from "vitest"
import { idText, type NodeID, nodeIDText } from "../../../../src/core/types/id.js"
import { utxoID } from "../../../../src/core/types/utxo.js"
import { EMPTY, FRIEND, type MethodsFixture, type Name, NOWHERE, PAYER, STRANGER, time } from "../fixture.js"
import { both, missing, refusalText, refused, type Table } from "../table.js"
import { GRANITE, HOUR, START } from "../when.js"
import { badAddressCases } from "./addresses.js"

/** Cases of the extensions about past transactions and the history of an address. They are the same in both dialects. */
export function historyCases(facts: MethodsFixture): Table {
  return { ...infoCases(facts), ...addressCases(facts) }
}

function infoCases({ id, blockAt, heightOf, decisionOn, genesisTx, members }: MethodsFixture): Table {
  const placed = (height: number, txID: string, timestamp: bigint) => ({
    ...{ txID, blockID: idText(blockAt(height).id), height: String(height), timestamp: time(timestamp) },
  })
  const committed = (name: Name, kind: string, fee: string, timestamp: bigint, about = {}) =>
    both(
      { txID: id(name) },
      { ...placed(heightOf(name), id(name), timestamp), kind, status: "Committed", fee, ...flows, ...about },
    )
  // test/golden/explorer.test.ts compares the amounts with the state.
  const flows = { inputs: expect.any(Array), outputs: expect.any(Array), effect: expect.any(String), l1Validators: [] }
  const staker = (name: Name, role: string, subnetID = EMPTY) => ({
    staker: { txID: id(name), role, subnetID, nodeID: expect.stringMatching(/^NodeID-/) },
  })
  const subnetID = id("l1")
  const [first, second, third, later1] = members.map(({ validationID, nodeID }) => ({ validationID, nodeID, subnetID }))
  const registered = (member: object | undefined, weight: string, avax: string) => ({
    ...{ ...member, weight, added: `${avax}000000000` },
  })
  const later = GRANITE + HOUR
  const refusedAt = heightOf("remaining") + 9
  const unknown = (txID: string) => refused({ txID }, "platform.unknown_tx", { txID }, "couldn't get tx: not found")
  return {
    "platform.getTxInfo": {
      takes: { txID: "ID" },
      normal: [committed("payment", "BaseTx", "15744", later)],
      "all parameters": [
        // A fee is the burned amount, without the staked, exported and deposited amounts.
        committed("subnet", "CreateSubnetTx", "100000000", START),
        committed("transformation", "TransformSubnetTx", "100000000", START),
        committed("conversion", "ConvertSubnetToL1Tx", "35379", later, {
          l1Validators: [registered(first, "100", "2"), registered(second, "50", "1"), registered(third, "30", "1")],
        }),
        committed("registration", "RegisterL1ValidatorTx", "46833", later, { l1Validators: [registered(later1, "5", "1")] }),
        committed("topUp", "IncreaseL1ValidatorBalanceTx", "10139", later, { l1Validators: [{ ...first, added: "1000000000" }] }),
        committed("removal", "SetL1ValidatorWeightTx", "39421", later, {
          l1Validators: [{ ...third, weight: "0" }],
        }),
        committed("disabling", "DisableL1ValidatorTx", "12016", later, {
          l1Validators: [second],
        }),
        committed("validator", "AddPermissionlessValidatorTx", "13691", later, staker("validator", "validator")),
        committed("delegator", "AddPermissionlessDelegatorTx", "8299", later, staker("delegator", "delegator")),
        committed("exported", "ExportTx", "5215", START + 95n * HOUR),
        both(
          { txID: decisionOn("refused") },
          {
            ...placed(refusedAt, decisionOn("refused"), later + 27n * HOUR),
            ...{ kind: "RewardValidatorTx", status: "Aborted", fee: "0", ...flows, ...staker("refused", "validator") },
          },
        ),
        both(
          { txID: genesisTx },
          {
            ...{ ...placed(0, genesisTx, START), kind: "AddPermissionlessValidatorTx", status: "Committed", fee: "0", ...flows },
            staker: expect.objectContaining({ txID: genesisTx, role: "validator" }),
          },
        ),
      ],
      "omitted parameters": [missing("txID", refusalText("couldn't get tx: not found"))],
      errors: [unknown(NOWHERE), unknown(EMPTY)],
    },
  }
}

function addressCases(facts: MethodsFixture): Table {
  const { txs, rewards, fees, last } = eventsOf(facts)
  const payment = txs.find(({ kind }) => kind === "BaseTx")
  const ended = `${payment?.height}-0`
  const lastOf = (height: number, index: number) => `${height}-${index}`
  const noAddress = refused({}, "platform.no_addresses", {}, "no addresses provided")
  const wrongCursors = ["x", "1", "1-", "-1-1", "18446744073709551616-0", "1-4294967296"].map((cursor) =>
    refused({ address: FRIEND, cursor }, "platform.bad_cursor", { cursor }, "the cursor is not the cursor of a previous page"),
  )
  const listed = { from: "bound", to: "bound", limit: "u32", cursor: "string" } as const
  const refusals = {
    "omitted parameters": [noAddress],
    errors: [...badAddressCases((address) => ({ addresses: [address] })), ...wrongCursors],
  }
  const page = (params: object, member: string, events: readonly unknown[], cursor: string | null) =>
    both({ address: FRIEND, ...params }, { [member]: events, cursor })
  return {
    "platform.getTxsByAddress": {
      takes: {
        address: "string",
        addresses: "strings",
        kinds: "kinds",
        ...listed,
      },
      normal: [page({}, "txs", txs, null), page({ address: STRANGER }, "txs", [], null)],
      "all parameters": [
        page({ limit: 2, cursor: "" }, "txs", txs.slice(0, 2), lastOf(last, 0)),
        page({ limit: "2", cursor: lastOf(last, 0) }, "txs", txs.slice(2, 4), lastOf(last - 4, 0)),
        // A cursor names a position, also one without a transaction.
        page({ limit: 2, cursor: "999999-4" }, "txs", txs.slice(0, 2), lastOf(last, 0)),
        page({ limit: 5_000, cursor: "0-0" }, "txs", [], null),
        page({ limit: 0, cursor: "" }, "txs", txs, null),
        page(
          { addresses: [STRANGER], kinds: ["BaseTx"], from: 0, to: "2100-01-01T00:00:00Z", limit: 1, cursor: "" },
          "txs",
          [payment],
          ended,
        ),
        both({ addresses: [FRIEND, FRIEND], to: "2000-01-01T00:00:00Z" }, { txs: [], cursor: null }),
      ],
      "omitted parameters": [refused({}, "platform.no_addresses", {}, "no addresses provided")],
      errors: [
        ...badAddressCases((address) => ({ addresses: [address] })),
        ...wrongCursors,
        refused(
          { addresses: Array(65).fill(FRIEND) },
          "platform.too_many_addresses",
          { addresses: 65, limit: 64 },
          "65 addresses provided but this method can take at most 64",
        ),
      ],
    },
    "platform.getRewardsByAddress": {
      takes: { address: "string", addresses: "strings", kinds: "rewardKinds", ...listed },
      normal: [
        page({}, "rewards", rewards, null),
        page({ address: PAYER }, "rewards", fees, null),
        page({ address: STRANGER }, "rewards", [], null),
      ],
      "all parameters": [
        page({ limit: 1, cursor: "" }, "rewards", rewards.slice(0, 1), lastOf(last, 2)),
        page({ limit: 3, cursor: lastOf(last, 2) }, "rewards", rewards.slice(1), lastOf(last - 6, 2)),
        page({ limit: 3, cursor: lastOf(last - 6, 2) }, "rewards", [], null),
        page(
          { addresses: [FRIEND, STRANGER], kinds: ["validation", "delegation"], from: 0, to: "9999-12-31", limit: 1, cursor: "" },
          "rewards",
          rewards.slice(0, 1),
          lastOf(last, 2),
        ),
        page({ kinds: ["delegationFee"], limit: 1 }, "rewards", [], lastOf(last, 2)),
        page({ from: last }, "rewards", rewards.slice(0, 1), null),
        page({ to: last - 1 }, "rewards", rewards.slice(1), null),
        page({ to: "2001-09-09" }, "rewards", [], null),
      ],
      ...refusals,
    },
  }
}

/** The history of the friend and of the payer, newest first. */
function eventsOf({ id, heightOf, decisionOn, made }: MethodsFixture) {
  const later = GRANITE + HOUR
  const [paid, won, lost] = [later + 25n * HOUR, later + 26n * HOUR, later + 27n * HOUR]
  const last = heightOf("remaining") + 7
  const tx = (txID: string, kind: string, height: number, at: bigint) => ({
    txID,
    kind,
    height: String(height),
    timestamp: time(at),
    effects: expect.any(Array),
  })
  const named = (name: Name, kind: string, at = later) => tx(id(name), kind, heightOf(name), at)
  const decision = (name: Name, height: number, at: bigint) => tx(decisionOn(name), "RewardValidatorTx", height, at)
  const delegator = "AddPermissionlessDelegatorTx"
  const txs = [
    named("exported", "ExportTx", START + 95n * HOUR),
    decision("validator", last, won),
    // Stakers that leave in the same second leave in the order of their transactions' IDs.
    decision("delegator", last - 2, paid),
    decision("paid", last - 4, paid),
    decision("leaving", last - 6, paid),
    ...(["remaining", "leaving", "paid", "delegator"] as const).map((name) => named(name, delegator)),
    named("disabling", "DisableL1ValidatorTx"),
    named("removal", "SetL1ValidatorWeightTx"),
    named("payment", "BaseTx"),
    named("openDelegator", delegator, START),
    named("pendingDelegator", delegator, START),
  ]
  const reward = (name: Name, kind: string, outputIndex: number, amount: string, height: number, at: bigint) => {
    const utxo = idText(utxoID(made.txs[name].id, outputIndex))
    const { validator } = made.txs[name].unsignedTx as unknown as { validator: { nodeID: NodeID } }
    const nodeID = nodeIDText(validator.nodeID)
    return { utxoID: utxo, amount, stakerTxID: id(name), nodeID, kind, height: String(height), timestamp: time(at) }
  }
  const rewards = [
    reward("validator", "validation", 2, "590024489", last, won),
    reward("delegator", "delegation", 2, "27656766", last - 2, paid),
    reward("paid", "delegation", 2, "27656766", last - 4, paid),
    reward("leaving", "delegation", 2, "27656758", last - 6, paid),
  ]
  // A validator that is refused its own reward gets the commission of its delegations.
  const fees = [
    reward("refused", "delegationFee", 2, "709148", last + 2, lost),
    reward("validator", "delegationFee", 3, "709148", last, won),
  ]
  return { txs, rewards, fees, last }
}
