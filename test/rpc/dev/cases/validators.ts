import { expect } from "vitest"
import type { Json } from "../../../../src/core/lib/json.js"
import { AVAX } from "../../../../src/core/networks/params.js"
import { idText } from "../../../../src/core/types/id.js"
import { after, both, type Call, type Case, missing, refusalText, refused, type Table } from "../../methods/table.js"
import { DAY, type DevFixture, jsonNumber } from "../fixture.js"

const first = (each: Case): Case => after([], each)
const ID = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{40,52}$/)
const NODE_ID = expect.stringMatching(/^NodeID-[1-9A-HJ-NP-Za-km-z]{25,35}$/)
const hexOf = (bytes: number) => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`))
const listOf = (count: number, each: unknown) => Array.from({ length: count }, () => each)

/** Cases of added validators and of their keys. */
export function validatorCases(facts: DevFixture): Table {
  return { ...addingCases(), ...renewingCases(facts), ...identityCases(facts), ...signingCases(facts) }
}

function addingCases(): Table {
  const added = (params: { [name: string]: Json }, count: number, txs: number, seconds: unknown = "0") =>
    first(
      both(params, {
        nodeIDs: listOf(count, NODE_ID),
        blsKeys: listOf(count, { publicKey: hexOf(48), secret: hexOf(32) }),
        txIDs: listOf(txs, ID),
        seconds,
      }),
    )
  const badCount = (params: Json, param: string, value: number, least: number) =>
    refused(params, "dev.bad_count", { param, value, least, most: 20_000 }, "the number is out of bounds")
  const least = 2_000n * AVAX
  return {
    "dev.addValidators": {
      takes: { count: "u32", weight: "u64", duration: "u64", delegators: "u32", autoRenew: "autoRenew" },
      normal: [added({ count: 2 }, 2, 2), added({ count: "1" }, 1, 1)],
      "all parameters": [
        added({ count: 2, weight: String(3_000n * AVAX), duration: DAY, delegators: 1 }, 2, 4),
        added({ count: 1, delegators: 1, autoRenew: { period: 2 * DAY, compound: 30 } }, 1, 2),
        // They take more gas than there is: the clock is moved until it is back.
        added({ count: 2, delegators: 60 }, 2, 122, "11"),
      ],
      "omitted parameters": [missing("count", refusalText("the number is out of bounds"))],
      errors: [
        badCount({ count: 0 }, "count", 0, 1),
        badCount({ count: 20_001 }, "count", 20_001, 1),
        badCount({ count: 1, delegators: 20_001 }, "delegators", 20_001, 0),
        refused(
          { count: 1, autoRenew: { period: 2 * DAY, compound: 101 } },
          "dev.bad_share",
          { compound: 101 },
          "the share is not a percentage from 0 to 100",
        ),
        refused(
          { count: 1, weight: 5 },
          "rules.weight_too_small",
          { weight: 5, minimum: jsonNumber(least) },
          "weight of this validator is too low",
        ),
        refused(
          { count: 1, duration: 5 },
          "rules.stake_too_short",
          { duration: 5, minimum: 3_600 },
          "staking period is too short",
        ),
        refused(
          { count: 1, delegators: 1, duration: 7_200 },
          "rules.stake_too_short",
          { duration: 7_200, minimum: DAY },
          "staking period is too short",
        ),
        refused(
          { count: 1, autoRenew: { period: 5 } },
          "rules.stake_too_short",
          { duration: 5, minimum: 3_600 },
          "staking period is too short",
        ),
        refused(
          { count: 1, duration: DAY, autoRenew: { period: DAY } },
          "dev.duration_or_auto_renew",
          {},
          "`duration` and `autoRenew` cannot be given together: an auto-renewed validator has the period of its cycles",
        ),
        refused(
          { count: 1, duration: 366 * DAY },
          "rules.stake_too_long",
          { duration: 366 * DAY, maximum: 365 * DAY },
          "staking period is too long",
        ),
        refused(
          { count: 1, delegators: 321 },
          "rules.over_delegated",
          { weight: jsonNumber(least + 321n * 25n * AVAX), limit: jsonNumber(5n * least) },
          "validator would be over delegated",
        ),
        refused(
          { count: 20_000 },
          "producer.insufficient_funds",
          {
            ...{ amount: 20_000n * least, balance: 30_000_000n * AVAX - 400_000n * AVAX - 8_419n },
            address: "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
          },
          "the funded key does not have enough spendable AVAX",
        ),
      ],
    },
  }
}

function renewingCases({ aborted: { nodeID }, five }: DevFixture): Table {
  const adding: Call[] = [["dev.addValidators", { count: 1, autoRenew: { period: 2 * DAY, compound: 30 } }]]
  const set = (params: { [name: string]: Json }) => after(adding, both({ nodeID, ...params }, { txID: ID, seconds: "0" }))
  const other = "the node is no auto-renewed validator of the primary network now"
  return {
    "dev.setAutoRenewedConfig": {
      takes: { nodeID: "NodeID", period: "u64", compound: "number" },
      normal: [set({ period: 0 })],
      "all parameters": [set({ period: 3 * DAY, compound: 50 })],
      "omitted parameters": [missing("nodeID", refusalText(other)), set({})],
      errors: [
        refused({ nodeID: five[0]!, period: 0 }, "dev.not_auto_renewed", { nodeID: five[0]! }, other),
        after(
          adding,
          refused({ nodeID, compound: -1 }, "dev.bad_share", { compound: -1 }, "the share is not a percentage from 0 to 100"),
        ),
        after(
          adding,
          refused({ nodeID, period: 5 }, "rules.stake_too_short", { duration: 5, minimum: 3_600 }, "staking period is too short"),
        ),
      ],
    },
  }
}

const PRIMARY = "11111111111111111111111111111111LpoYY"
/** The ID of no subnet. */
const NOWHERE = idText("77".repeat(32) as never)

/** A well-formed node ID that no validator has. */
const NOBODY = "NodeID-111111111111111111116DBWJs"
const NOBODY_TEXT =
  "no validator of the primary network has this node ID: check it with platform.getCurrentValidators, or add the validator first"

function identityCases({ five }: DevFixture): Table {
  const nodeID = five[0]!
  const badPercent = (percent: number) =>
    refused({ nodeID, percent }, "dev.bad_percent", { percent }, "the uptime is not a number from 0 to 100")
  return {
    "dev.newIdentity": {
      takes: {},
      normal: [
        first(both(undefined, { nodeID: NODE_ID, publicKey: hexOf(48), proofOfPossession: hexOf(96), secret: hexOf(32) })),
      ],
    },
    "dev.takeValidatorKeys": {
      takes: { subnetID: "ID", nodeIDs: "NodeIDs" },
      normal: [first(both({}, { validators: listOf(5, { nodeID: NODE_ID, publicKey: hexOf(48) }) }))],
      "all parameters": [
        first(
          both(
            { subnetID: PRIMARY, nodeIDs: [nodeID, nodeID, five[1]!] },
            { validators: [nodeID, five[1]!].map((each) => ({ nodeID: each, publicKey: hexOf(48) })) },
          ),
        ),
      ],
      "omitted parameters": [first(both(undefined, { validators: listOf(5, { nodeID: NODE_ID, publicKey: hexOf(48) }) }))],
      errors: [
        refused(
          { nodeIDs: [NOBODY] },
          "producer.unknown_member",
          { subnetID: PRIMARY, nodeID: NOBODY },
          "the validator set of the subnet has no active validator with this node ID",
        ),
        refused({ nodeIDs: [] }, "producer.no_validators", { subnetID: PRIMARY }, "the subnet has no active validator"),
        refused({ subnetID: NOWHERE }, "producer.no_validators", { subnetID: NOWHERE }, "the subnet has no active validator"),
      ],
    },
    "dev.setUptime": {
      takes: { nodeID: "NodeID", percent: "number" },
      normal: [first(both({ nodeID, percent: 75 }, {}))],
      "all parameters": [0, 79.999999, 100, null].map((percent) => first(both({ nodeID, percent }, {}))),
      "omitted parameters": [missing("nodeID", refusalText(NOBODY_TEXT)), first(both({ nodeID }, {}))],
      errors: [
        badPercent(100.5),
        badPercent(-1),
        ...[50, null].map((percent) =>
          refused({ nodeID: NOBODY, percent }, "producer.unknown_validator", { nodeID: NOBODY }, NOBODY_TEXT),
        ),
      ],
    },
  }
}

function signingCases({ five, message, stranger }: DevFixture): Table {
  const unsignedMessage = message()
  const unchecked = "the call has no justification, so nobody checked whether this message of the P-Chain is true"
  const signed = (params: Json) =>
    first(both(params, { signedMessage: expect.stringMatching(new RegExp(`^${unsignedMessage}`)), unchecked }))
  const by = (signers: readonly string[]) => ({ unsignedMessage, signers: [...signers] })
  const badHex = (text: string, data: { readonly [name: string]: Json } = {}) =>
    refused(
      { unsignedMessage: text },
      "dev.bad_hex",
      { param: "unsignedMessage", ...data },
      "the bytes are not written as 0x and hex",
    )
  const badSigner = (signer: string, data: { readonly [name: string]: Json }) =>
    refused(by([signer]), "dev.bad_signer", data, "a signer is a node ID, or a BLS secret as 32 bytes of hex")
  const notHere = "no member of the validator set at this height has this node ID or key"
  const nobody = "there is no signer: none is named, or the node has none of the validator set's keys"
  const validating: readonly Call[] = [["platform.issueTx", { tx: stranger.hex }]]
  return {
    "dev.signWarpMessage": {
      takes: {
        ...{ unsignedMessage: "string", subnetID: "ID", signers: "strings" },
        ...{ quorum: "u32", pChainHeight: "u64", justification: "string" },
      },
      normal: [signed({ unsignedMessage }), signed(by(five)), signed(by(five.slice(0, 4))), signed(by([five[0]!, ...five]))],
      "all parameters": [
        signed({ ...by(five), subnetID: PRIMARY, quorum: 100, pChainHeight: 1 }),
        signed({ ...by(five.slice(0, 3)), quorum: "60", pChainHeight: "0" }),
      ],
      "omitted parameters": [missing("unsignedMessage", refusalText("the bytes are not written as 0x and hex"))],
      errors: [
        refused(
          by(five.slice(0, 3)),
          "rules.warp_weight",
          {
            ...{ signed: jsonNumber(6_000_000n * AVAX), total: 10_000_000n * AVAX, numerator: 67, denominator: 100 },
            missing: [...five.slice(3)].reverse(),
          },
          "signature weight is insufficient: 67*10000000000000000 > 100*6000000000000000",
        ),
        ...[0, 101].map((quorum) =>
          refused({ unsignedMessage, quorum }, "dev.bad_quorum", { quorum }, "the quorum is not a percentage from 1 to 100"),
        ),
        refused(
          { unsignedMessage, pChainHeight: 2 },
          "producer.height_too_large",
          { height: 2, lastAccepted: 1 },
          "the height is above the last accepted block",
        ),
        refused(
          { unsignedMessage, justification: "0x" },
          "rules.sign_bad_call",
          { reason: "wrong payload type: *payload.Hash" },
          "failed to parse warp addressed call: wrong payload type: *payload.Hash",
        ),
        badSigner("0x12", { signer: "0x12" }),
        badSigner("NodeID-x", { signer: "NodeID-x", reason: "the text is too short to hold its checksum" }),
        refused(
          by(["NodeID-111111111111111111116DBWJs"]),
          "producer.unknown_signer",
          { nodeID: "NodeID-111111111111111111116DBWJs" },
          notHere,
        ),
        refused(
          by(["01".repeat(32)]),
          "producer.unknown_signer",
          { publicKey: "0xaa1a1c26055a329817a5759d877a2795f9499b97d6056edde0eea39512f24e8bc874b4471f0501127abb1ea0d9f68ac1" },
          notHere,
        ),
        after(
          validating,
          refused(
            by([stranger.nodeID]),
            "producer.key_not_held",
            { nodeID: stranger.nodeID },
            "the node does not have the key of this signer",
          ),
        ),
        refused(by([]), "producer.no_signers", { subnetID: PRIMARY, pChainHeight: 1, members: 5 }, nobody),
        refused(
          { unsignedMessage, subnetID: NOWHERE },
          "producer.no_signers",
          { subnetID: NOWHERE, pChainHeight: 1, members: 0 },
          nobody,
        ),
        refused(by([`0x${"ff".repeat(32)}`]), "crypto.bls_bad_secret", {}, "couldn't deserialize secret key"),
        badHex("12"),
        badHex("0x1", { reason: "the hex has an odd number of digits" }),
        badHex("0xzz", { reason: "a character is not a hex digit" }),
        refused(
          { unsignedMessage: "0x0000" },
          "codec.truncated",
          { path: "networkID", offset: 2, wanted: 4, left: 0 },
          "packer has insufficient length for input",
        ),
        refused(
          { unsignedMessage: message(1) },
          "producer.wrong_network",
          { expected: 12345, got: 1 },
          "the message is for another network",
        ),
        refused(
          { unsignedMessage: message(12345, "77".repeat(32) as never) },
          "rules.unknown_chain",
          { chainID: NOWHERE },
          `problem retrieving blockchain "${NOWHERE}": not found`,
        ),
      ],
    },
  }
}
