import { expect, test } from "vitest"
import { problemText } from "../../src/page/data/problems.js"
import { RpcError, Unreachable } from "../../src/page/data/rpc.js"

const unknown = "It may belong to another network, wait for its block, or be gone after a revert."

test.each([
  [
    "a parameter is not what it must be (param: txID, expected: an ID in cb58, reason: the text is not base58)",
    { code: "rpc.bad_param", param: "txID", expected: "an ID in cb58", reason: "the text is not base58" },
    "Transaction ID is not an ID in cb58: the text is not base58. Check that the text is complete, or search for it above.",
  ],
  [
    "an address does not belong to this chain (address: P-fuji1, reason: it belongs to another network: fuji, not local)",
    { code: "platform.bad_address", address: "P-fuji1", reason: "it belongs to another network: fuji, not local" },
    "An address does not belong to this chain: address P-fuji1, it belongs to another network: fuji, not local. Addresses here begin with P-local1.",
  ],
  ["there is no such block (height: 9)", { code: "platform.unknown_block", height: 9 }, `There is no such block. ${unknown}`],
  [
    "the stake is below the minimum (weight: 0.000000005 AVAX, minimum: 2,000 AVAX)",
    { code: "rules.weight_too_small", weight: 5, minimum: 2_000_000_000_000 },
    "The stake is below the minimum: weight 0.000000005 AVAX, minimum 2,000 AVAX.",
  ],
  [
    "the staking period is too short (duration: 5 seconds, minimum: 14 days)",
    { code: "rules.stake_too_short", duration: 5, minimum: 1_209_600 },
    "The staking period is too short: duration 5 seconds, minimum 14 days.",
  ],
  [
    "the funded key does not have enough spendable AVAX (amount: 10,000,000 AVAX, balance: 99,987.499994821 AVAX, address: P-local1)",
    { code: "producer.insufficient_funds", amount: 10_000_000_000_000_000, balance: 99_987_499_994_821, address: "P-local1" },
    "The funded key does not have enough spendable AVAX: amount 10,000,000 AVAX, balance 99,987.499994821 AVAX, address P-local1. Fund the address in the Lab, or take another account.",
  ],
  [
    "the time is in the past (to: 2020-01-01T00:00:00Z, earliest: 2027-01-01T00:00:02Z)",
    { code: "producer.time_in_the_past", to: 1_577_836_800, earliest: 1_798_761_602 },
    "The time is in the past: to 2020-01-01T00:00:00Z, earliest 2027-01-01T00:00:02Z.",
  ],
  [
    "the signers of the Warp message have too little weight (signed: 160, total: 260)",
    { code: "rules.warp_weight", signed: 160, total: 260 },
    "The signers of the Warp message have too little weight: signed 160, total 260.",
  ],
  [
    "the number is out of bounds (param: validators, value: 100, least: 1, most: 64)",
    { code: "dev.bad_count", param: "validators", value: 100, least: 1, most: 64 },
    "The number is out of bounds: value 100, least 1, most 64.",
  ],
  [
    "another program listens at this address (0 takes a free one) (host: ::1, port: 9650)",
    { code: "node.address_taken", host: "::1", port: 9650 },
    "Another program listens at this address (0 takes a free one): host ::1, port 9650.",
  ],
  ["the node is not ready", { code: "node.not_ready" }, "The node is not ready."],
])("%s is told to people with what to do", (message, data, text) => {
  expect(problemText(new RpcError(message, data), "P-local1")).toBe(text)
})

test("an error without a code is a sentence", () => {
  expect(problemText(new Unreachable("the node answers 503"), "P-local1")).toBe("The node answers 503.")
})
