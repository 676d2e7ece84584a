import { expect } from "vitest"
import type { Json } from "../../../../src/core/lib/json.js"
import { after, both, type Call, differ, missing, refusal, refusalText, refused, type Table } from "../../methods/table.js"
import { account, DAY, type DevFixture, STRANGER } from "../fixture.js"

const manual: Call = ["dev.setBlockMode", { mode: "manual" }]

/** Cases of transactions: their signers, their effects, and the waiting ones. */
export function txCases(facts: DevFixture): Table {
  return { ...impersonationCases(), ...simulationCases(facts), ...poolCases(facts), ...waitingCases(facts) }
}

function impersonationCases(): Table {
  const cases = {
    takes: { addresses: "strings" },
    normal: [
      after([], both({ addresses: [account(0)] }, {})),
      after([], both({ addresses: [account(0), STRANGER, STRANGER] }, {})),
    ],
    "omitted parameters": [missing("addresses", refusalText("no address is given: name at least one"))],
    errors: [
      refused({ addresses: [] }, "dev.no_addresses", {}, "no address is given: name at least one"),
      refused(
        { addresses: [account(0), "x"] },
        "platform.bad_address",
        { address: "x", reason: "the text is too short to hold its checksum" },
        `couldn't parse address "x": no separator found in address`,
      ),
    ],
  } as const
  // stories.test.ts checks their effects.
  return { "dev.impersonate": cases, "dev.stopImpersonating": cases }
}

function simulationCases({ subnet, payments }: DevFixture): Table {
  const digits = expect.stringMatching(/^[1-9][0-9]*$/)
  const complexity = { bandwidth: digits, dbRead: "1", dbWrite: "3", compute: "200" }
  const effects = { consumed: [expect.anything()], produced: [expect.anything()] }
  const row = (table: string) => ({ table, key: expect.any(String), before: null, after: expect.anything() })
  const done = { ok: true, fee: digits, complexity, ...effects, changes: [row("subnets"), row("subnetOwners")] }
  const paid = { ...done, complexity: { ...complexity, dbWrite: "2" }, changes: [] }
  const nothing = { ok: false, fee: digits, complexity: paid.complexity, consumed: [], produced: [], changes: [] }
  const error = { code: -32000, message: expect.any(String) }
  const forged = payments[1]!.forged
  const badHex = (tx: string, data: { readonly [name: string]: Json } = {}) =>
    refused({ tx }, "dev.bad_hex", { param: "tx", ...data }, "the bytes are not written as 0x and hex")
  return {
    "dev.simulateTx": {
      takes: { tx: "string" },
      normal: [
        ...[subnet.hex, subnet.unsigned].map((tx) => both({ tx }, done)),
        ...[payments[0]!.hex, payments[0]!.unsigned].map((tx) => both({ tx }, paid)),
        // Its signature is invalid, and is refused or not verified.
        differ(
          { tx: forged },
          { ...nothing, error: { ...error, data: expect.objectContaining({ code: "crypto.signature_invalid" }) } },
          { ...nothing, error: { ...error, data: null } },
        ),
        after([["dev.impersonate", { addresses: [account(1)] }]], both({ tx: forged }, paid)),
        // Its UTXO is already spent.
        after(
          [["platform.issueTx", { tx: payments[0]!.hex }]],
          differ(
            { tx: payments[0]!.hex },
            { ...nothing, error: { ...error, data: expect.objectContaining({ code: "rules.unknown_utxo" }) } },
            { ...nothing, error: { ...error, data: null } },
          ),
        ),
      ],
      "omitted parameters": [missing("tx", refusalText("the bytes are not written as 0x and hex"))],
      errors: [
        badHex("12"),
        badHex("0x1", { reason: "the hex has an odd number of digits" }),
        refused({ tx: "0x00" }, "codec.no_version", { offset: 0, wanted: 2, left: 1 }, "couldn't unpack codec version"),
      ],
    },
  }
}

function poolCases({ payments }: DevFixture): Table {
  const [one, two] = payments as [(typeof payments)[0], (typeof payments)[0]]
  const issued = ({ hex }: { hex: string }): Call => ["platform.issueTx", { tx: hex }]
  const digits = expect.stringMatching(/^[1-9][0-9]*$/)
  const waiting = ({ id, tx }: typeof one) => ({ txID: id, kind: "BaseTx", gas: digits, burned: digits, size: tx.bytes.length })
  const [first, second] = [one, two].sort((a, b) => (a.tx.id < b.tx.id ? 1 : -1)) as [typeof one, typeof one]
  const notWaiting = (txID: string) =>
    refused({ txID }, "producer.not_waiting", { txID }, "the transaction is not in the mempool")
  return {
    "dev.mempool": {
      takes: {},
      normal: [
        both(undefined, { txs: [] }),
        // If two transactions pay the same, the one with the larger ID.
        after([manual, issued(one), issued(two)], both({}, { txs: [waiting(first), waiting(second)] })),
        after([manual, issued(one), ["dev.dropTx", { txID: one.id }]], both({}, { txs: [] })),
      ],
    },
    "dev.dropTx": {
      takes: { txID: "ID" },
      normal: [after([manual, issued(one)], both({ txID: one.id }, {}))],
      "omitted parameters": [missing("txID", refusalText("the transaction is not in the mempool"))],
      errors: [
        notWaiting(one.id),
        after([issued(one)], notWaiting(one.id)),
        after([manual, issued(one), ["dev.dropTx", { txID: one.id }]], notWaiting(one.id)),
      ],
    },
  }
}

function waitingCases({ payments, aborted }: DevFixture): Table {
  const { id: txID, hex: tx } = payments[0]!
  const issued: Call = ["platform.issueTx", { tx }]
  const badTimeout = (timeout: number) =>
    refused({ txID, timeout }, "dev.bad_timeout", { timeout }, "the timeout is not between 0 and 25 seconds")
  const reason = "the transaction was proposed and the network decided against it: its proposal was aborted"
  const refusedReward: readonly Call[] = [
    ["dev.addValidators", { count: 1, duration: DAY }],
    ["dev.setUptime", { nodeID: aborted.nodeID, percent: 0 }],
    ["dev.advanceTime", { seconds: DAY }],
  ]
  return {
    "dev.waitForTx": {
      takes: { txID: "ID", timeout: "number" },
      normal: [
        after([issued], both({ txID }, { status: "Committed", height: "2" })),
        after(
          [manual, issued, ["dev.dropTx", { txID }]],
          both({ txID }, { status: "Dropped", reason: "the transaction was dropped with dev.dropTx" }),
        ),
        after(
          refusedReward,
          differ({ txID: aborted.txID }, { status: "Dropped", reason, height: "3" }, { status: "Aborted", height: "3" }),
        ),
      ],
      "all parameters": [
        both({ txID, timeout: 0 }, { status: "Unknown" }),
        after([manual, issued], both({ txID, timeout: 0.001 }, { status: "Processing" })),
        after([issued], both({ txID, timeout: 25 }, { status: "Committed", height: "2" })),
      ],
      "omitted parameters": [
        {
          params: { timeout: 0 },
          contract: refusal("rpc.missing_param", { param: "txID" }),
          avalanchego: { result: { status: "Unknown" } },
        },
      ],
      errors: [badTimeout(25.5), badTimeout(26), badTimeout(-1)],
    },
  }
}
