import { Buffer } from "node:buffer"
import { signedTxOf } from "../../../../src/core/txs/tx.js"
import { toHexText } from "../../../../src/core/types/hexText.js"
import { type ID, idText } from "../../../../src/core/types/id.js"
import { EMPTY, type MethodsFixture, NOWHERE } from "../fixture.js"
import { after, both, type Call, type Case, differ, missing, refusalText, refused, type Table } from "../table.js"

/** Cases of the methods about single transactions: their content, their status, and issuing them. */
export function txCases(facts: MethodsFixture): Table {
  return { ...singleCases(facts), ...statusCases(facts), ...issueCases(facts) }
}

function singleCases({ id, made, hex, decisionOn, unissued }: MethodsFixture): Table {
  const unknown = (txID: string) => refused({ txID }, "platform.unknown_tx", { txID }, "couldn't get tx: not found")
  const { bytes } = made.txs.payment
  const decision = { unsignedTx: { txID: id("validator") }, credentials: [], id: decisionOn("validator") }
  return {
    "platform.getTx": {
      takes: { txID: "ID", encoding: "encoding" },
      normal: [both({ txID: id("payment") }, { tx: hex("payment"), encoding: "hex" })],
      "all parameters": [
        // D21: every encoding, in any letter case.
        ...(["hex", "hexc", "hexnc"] as const).map((encoding) =>
          both({ txID: id("payment"), encoding }, { tx: toHexText(bytes, encoding), encoding }),
        ),
        both({ txID: id("payment"), encoding: "HexC" }, { tx: hex("payment"), encoding: "hexc" }),
        both({ txID: decisionOn("validator"), encoding: "JSON" }, { tx: decision, encoding: "json" }),
      ],
      "omitted parameters": [missing("txID", refusalText("couldn't get tx: not found"))],
      errors: [unknown(NOWHERE), unknown(EMPTY), after(unissued.payment.waits, unknown(unissued.payment.id))],
    },
  }
}

function statusCases(facts: MethodsFixture): Table {
  const { id, decisionOn, unissued, genesisTx } = facts
  const is = (status: string) => (txID: string) => both({ txID }, { status })
  const reason = "the transaction was proposed and the network decided against it: its proposal was aborted"
  const { payment, chain } = unissued
  const refused: readonly Call[] = [["platform.issueTx", { tx: chain.hex }]]
  return {
    "platform.getTxStatus": {
      takes: { txID: "ID" },
      normal: [id("payment"), genesisTx, decisionOn("validator")].map(is("Committed")),
      "all parameters": [
        // D18
        differ({ txID: decisionOn("refused"), includeReason: true }, { status: "Dropped", reason }, { status: "Aborted" }),
        after(payment.waits, is("Processing")(payment.id)),
        after([...payment.waits, ["dev.mine", {}]], is("Committed")(payment.id)),
        after(refused, both({ txID: chain.id }, { status: "Dropped", reason: dropReason(facts) })),
        // An accepted transaction stays accepted when it is sent again.
        after(
          [
            ["platform.issueTx", { tx: payment.hex }],
            ["platform.issueTx", { tx: payment.hex }],
          ],
          is("Committed")(payment.id),
        ),
        is("Unknown")(payment.id),
      ],
      "omitted parameters": [both({}, { status: "Unknown" }), both(undefined, { status: "Unknown" })],
      errors: [is("Unknown")(NOWHERE)],
    },
  }
}

/** The reason why the waiting CreateChainTx is refused: its subnet was opened to stakers. */
const dropReason = ({ unissued: { chain }, id }: MethodsFixture) =>
  `failed execution: standard tx ${chain.id} failed execution: "${id("open")}" is immutable`

function issueCases(facts: MethodsFixture): Table {
  const { unissued, id, hex, made } = facts
  const { payment, rival, chain, empty } = unissued
  const hexnc = (bytes: Uint8Array) => ({ tx: toHexText(bytes, "hexnc"), encoding: "hexnc" })
  const issued = (params: Case["params"]) => both(params, { txID: payment.id })
  const undecoded = (params: object, code: string, data: object, problem: string) =>
    refused(params as never, code, data as never, `problem decoding transaction: ${problem}`)
  const unparsed = (params: object, code: string, data: object, problem: string) =>
    refused(params as never, code, data as never, `couldn't parse tx: couldn't parse tx: ${problem}`)
  const nothing = (params: object) =>
    unparsed(params, "codec.no_version", { offset: 0, wanted: 2, left: 0 }, "couldn't unpack codec version")
  const unknownType = Buffer.from(payment.bytes)
  unknownType.writeUInt32BE(255, 2)
  const size = payment.bytes.length
  const reward = signedTxOf({ kind: "RewardValidatorTx", txID: made.txs.staying.id }, [])
  const advance = signedTxOf({ kind: "AdvanceTimeTx", time: 1n }, [])
  const { txID, outputIndex } = (made.txs.payment.unsignedTx as { inputs: readonly { txID: ID; outputIndex: number }[] })
    .inputs[0]!
  const spent = `${idText(txID)}:${outputIndex}`
  const unexecuted = (params: object, txID: string, code: string, data: object, problem: string) => {
    const reference = `couldn't issue tx: failed verification: failed execution: standard tx ${txID} failed execution: ${problem}`
    return after([], refused(params as never, code, data as never, reference))
  }
  const immutable = (calls: readonly Call[], step: string) =>
    after(
      calls,
      refused(
        { tx: chain.hex },
        "rules.subnet_immutable",
        { subnetID: id("open") },
        `couldn't issue tx: ${step}${dropReason(facts)}`,
      ),
    )
  const unmetered = (bytes: Uint8Array, kind: string) => {
    const reference = "couldn't issue tx: failed verification: failed to calculate tx complexity: unsupported transaction type"
    return after([], refused({ tx: toHexText(bytes) }, "tx.unmetered", { kind }, reference))
  }
  return {
    "platform.issueTx": {
      takes: { tx: "string", encoding: "encoding" },
      normal: [after([], issued({ tx: payment.hex }))],
      "all parameters": [
        after([], issued({ tx: payment.hex, encoding: "hex" })),
        after([], issued(hexnc(payment.bytes))),
        // A waiting transaction can be issued again.
        after(payment.waits, issued({ tx: payment.hex })),
      ],
      "omitted parameters": [nothing({}), { ...nothing({}), params: undefined as never }],
      errors: [
        nothing({ tx: "" }),
        // An empty text is refused before the encoding is checked.
        nothing({ tx: "", encoding: "json" }),
        undecoded({ tx: "zz" }, "types.no_hex_prefix", { text: "zz" }, "missing 0x prefix to hex encoding"),
        undecoded({ tx: "0X00" }, "types.no_hex_prefix", { text: "0X00" }, "missing 0x prefix to hex encoding"),
        undecoded({ tx: "0x0" }, "types.odd_hex", { digits: 1 }, "encoding/hex: odd length hex string"),
        undecoded({ tx: "0x0z" }, "types.bad_hex", { code: 122, position: 1 }, "encoding/hex: invalid byte: U+007A 'z'"),
        undecoded({ tx: "0x00" }, "types.no_checksum", { size: 1 }, "input string is smaller than the checksum size"),
        undecoded({ tx: "0x0000000000" }, "types.bad_checksum", {}, "invalid input checksum"),
        undecoded({ tx: payment.hex, encoding: "json" }, "types.unsupported_encoding", {}, "unsupported encoding in method"),
        unparsed(
          { tx: "0x0001", encoding: "hexnc" },
          "codec.unknown_version",
          { offset: 0, version: 1 },
          "unknown codec version",
        ),
        unparsed(
          hexnc(payment.bytes.subarray(0, -1)),
          "codec.list_too_long",
          { path: "credentials.0.signatures", offset: size - 69, length: 1, left: 64 },
          "packer has insufficient length for input",
        ),
        unparsed(
          hexnc(Buffer.concat([payment.bytes, Buffer.alloc(1)])),
          "codec.trailing",
          { offset: size, read: size, provided: size + 1 },
          `trailing buffer space: read ${size} provided ${size + 1}`,
        ),
        unparsed(
          hexnc(unknownType),
          "codec.unknown_type",
          { path: "unsignedTx", offset: 2, typeID: 255 },
          "couldn't unmarshal interface: unknown type ID 255",
        ),
        unparsed(
          { tx: "0x0000", encoding: "hexnc" },
          "codec.truncated",
          { path: "unsignedTx", offset: 2, wanted: 4, left: 0 },
          "couldn't unmarshal interface: packer has insufficient length for input",
        ),
        unexecuted({ tx: empty.hex }, empty.id, "types.zero_output", {}, "output failed verification: output has no value"),
        unexecuted(
          { tx: hex("payment") },
          id("payment"),
          "rules.unknown_utxo",
          { utxo: spent },
          `failed to read consumed UTXO ${spent} due to: not found`,
        ),
        immutable([], "failed verification: "),
        // The reason of a dropped transaction is answered again.
        immutable([["platform.issueTx", { tx: chain.hex }]], ""),
        after(
          payment.waits,
          refused({ tx: rival.hex }, "chain.conflicting_tx", {}, "couldn't issue tx: tx conflicts with other tx"),
        ),
        unmetered(reward.bytes, "RewardValidatorTx"),
        unmetered(advance.bytes, "AdvanceTimeTx"),
        unmetered(made.txs.keyless.bytes, "AddValidatorTx"),
      ],
    },
  }
}
