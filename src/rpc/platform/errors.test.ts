import { expect, test } from "vitest"
import { askedChain } from "../../../test/fixtures/askedChain.js"
import { testNode } from "../../../test/fixtures/rpcNode.js"
import type { Json } from "../../lib/json.js"
import { typeError } from "../../types/errors.js"
import { idText } from "../../types/id.js"
import { platformError } from "./errors.js"
import { platformMethods } from "./index.js"

const chain = askedChain()
const refusing = { issueTx: async () => Promise.reject(typeError("types.zero_output")) }
const node = testNode({ ...chain, methods: platformMethods, port: refusing })
const id = (name: keyof typeof chain.names) => idText(chain.names[name].id)
const nowhere = "2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ"
const empty = "11111111111111111111111111111111LpoYY"
const unmarshal =
  "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"
const friend = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const bad = (address: string, reason: string) => `couldn't parse address "${address}": ${reason}`

type Refusal = readonly [method: string, params: Json, code: string, reference: string]

/** Every error that api.md §2.2 lists, with AvalancheGo's words. */
const refusals: readonly Refusal[] = [
  ["getBalance", { addresses: ["nope"] }, "platform.bad_address", bad("nope", "no separator found in address")],
  ["getBalance", { addresses: ["Q-nope"] }, "platform.bad_address", bad("Q-nope", "invalid bech32 string length 4")],
  [
    "getBalance",
    { addresses: [friend.replace("P-", "nope-")] },
    "platform.bad_address",
    bad(friend.replace("P-", "nope-"), "there is no ID with alias: nope"),
  ],
  [
    "getStake",
    { addresses: [friend.replace("P-", "X-")] },
    "platform.bad_address",
    bad(
      friend.replace("P-", "X-"),
      `mismatched chainIDs: expected "${empty}" but got "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed"`,
    ),
  ],
  [
    "getBalance",
    { addresses: ["P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t"] },
    "platform.bad_address",
    bad("P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t", 'expected hrp "local" but got "fuji"'),
  ],
  [
    "getBalance",
    { addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5U00z96u"] },
    "platform.bad_address",
    bad("P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5U00z96u", "string not all lowercase or all uppercase"),
  ],
  [
    "getTxsByAddress",
    { address: "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u" },
    "platform.bad_address",
    bad(
      "P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
      "invalid checksum (expected (bech32=6wmu4t, bech32m=6wmu4t0jtssf), got 00z96u)",
    ),
  ],
  ["getUTXOs", {}, "platform.no_addresses", "no addresses provided"],
  ["getUTXOs", { addresses: [] }, "platform.no_addresses", "no addresses provided"],
  [
    "getUTXOs",
    { addresses: Array(1025).fill(friend) },
    "platform.too_many_addresses",
    "number of addresses given, 1025, exceeds maximum, 1024",
  ],
  [
    "getUTXOs",
    { addresses: [friend], sourceChain: "nope" },
    "platform.unknown_source_chain",
    'problem parsing source chainID "nope": there is no ID with alias: nope',
  ],
  [
    "getUTXOs",
    { addresses: [friend], startIndex: { address: friend } },
    "platform.bad_start_index",
    "couldn't parse start index utxo: base58 decoding error: zero length string",
  ],
  [
    "getUTXOs",
    { addresses: [friend], startIndex: { utxo: empty } },
    "platform.bad_start_index",
    `couldn't parse start index address "": ${bad("", "no separator found in address")}`,
  ],
  ["getUTXOs", { addresses: "x" }, "rpc.bad_param", unmarshal],
  ["getUTXOs", { addresses: [friend], limit: -1 }, "rpc.bad_param", unmarshal],
  [
    "getStake",
    { addresses: Array(257).fill(friend) },
    "platform.too_many_addresses",
    "257 addresses provided but this method can take at most 256",
  ],
  ["getBlock", { blockID: nowhere }, "platform.unknown_block", `couldn't get block with id ${nowhere}: not found`],
  ["getBlock", { blockID: "abc" }, "rpc.bad_param", unmarshal],
  ["getBlock", { blockID: empty, encoding: "cb58" }, "rpc.bad_param", unmarshal],
  ["getBlockByHeight", { height: 1037 }, "platform.unknown_block", "couldn't get block at height 1037: not found"],
  ["getBlockByHeight", { height: -1 }, "rpc.bad_param", unmarshal],
  ["getTx", { txID: nowhere }, "platform.unknown_tx", "couldn't get tx: not found"],
  ["getTxInfo", { txID: nowhere }, "platform.unknown_tx", "couldn't get tx: not found"],
  ["getBlockchainStatus", {}, "platform.no_blockchain", "argument 'blockchainID' not given"],
  ["getBlockchainStatus", { blockchainID: "" }, "platform.no_blockchain", "argument 'blockchainID' not given"],
  [
    "getBlockchainStatus",
    { blockchainID: "nope" },
    "platform.bad_blockchain",
    'problem parsing blockchainID "nope": input string is smaller than the checksum size',
  ],
  ["getCurrentSupply", { subnetID: id("subnet") }, "platform.no_supply", "fetching current supply failed: not found"],
  [
    "getMinStake",
    { subnetID: id("subnet") },
    "platform.not_elastic",
    `failed fetching subnet transformation for ${id("subnet")}: not found`,
  ],
  [
    "getStakingAssetID",
    { subnetID: id("l1") },
    "platform.not_elastic",
    `failed fetching subnet transformation for ${id("l1")}: not found`,
  ],
  [
    "getL1Validator",
    { validationID: nowhere },
    "platform.unknown_l1_validator",
    `fetching L1 validator "${nowhere}" failed: not found`,
  ],
  ["getL1Validator", { validationID: [nowhere] }, "rpc.bad_param", unmarshal],
  ["getSubnet", { subnetID: empty }, "platform.primary_network", "the primary network isn't a subnet"],
  ["getSubnet", { subnetID: nowhere }, "platform.unknown_subnet", "not found"],
  ["getSubnet", { subnetID: id("payment") }, "platform.not_a_subnet", `"${id("payment")}" is not a subnet`],
  ["getSubnets", { ids: [id("payment")] }, "platform.not_a_subnet", `"${id("payment")}" is not a subnet`],
  ["validates", { subnetID: nowhere }, "platform.unknown_subnet", `problem retrieving subnet "${nowhere}": not found`],
  ["validates", { subnetID: id("payment") }, "platform.not_a_subnet", `"${id("payment")}" is not a subnet`],
  [
    "validatedBy",
    { blockchainID: nowhere },
    "platform.unknown_blockchain",
    `problem retrieving blockchain "${nowhere}": not found`,
  ],
  ["validatedBy", { blockchainID: id("payment") }, "platform.not_a_blockchain", `"${id("payment")}" is not a blockchain`],
  ["validatedBy", { blockchainID: "P" }, "rpc.bad_param", unmarshal],
  [
    "getValidatorsAt",
    { height: 1013 },
    "platform.future_height",
    `failed to get validator set at 1013: failed to fetch validator set at unfinalized height with SubnetID = ${empty}: current P-chain height (13) < requested P-Chain height (1013)`,
  ],
  ["getValidatorsAt", { height: "x" }, "rpc.bad_param", unmarshal],
  ["getValidatorsAt", { height: "18446744073709551615" }, "rpc.bad_param", unmarshal],
  [
    "getAllValidatorsAt",
    { height: 14 },
    "platform.future_height",
    "failed to get validator sets at 14: failed to fetch validator set at unfinalized height: current P-chain height (13) < requested P-Chain height (14)",
  ],
  [
    "sampleValidators",
    { size: 1, subnetID: nowhere },
    "platform.no_validators",
    `sampling ${nowhere} errored with missing validators`,
  ],
  [
    "sampleValidators",
    { size: 43, subnetID: id("subnet") },
    "platform.insufficient_weight",
    `sampling ${id("subnet")} errored with insufficient weight`,
  ],
  ["sampleValidators", { size: 65536 }, "rpc.bad_param", unmarshal],
  ["getCurrentValidators", { nodeIDs: ["NodeID-nope"] }, "rpc.bad_param", unmarshal],
  ["issueTx", {}, "codec.no_version", "couldn't parse tx: couldn't parse tx: couldn't unpack codec version"],
  ["issueTx", { tx: "zz" }, "types.no_hex_prefix", "problem decoding transaction: missing 0x prefix to hex encoding"],
  [
    "issueTx",
    { tx: "0x00" },
    "types.no_checksum",
    "problem decoding transaction: input string is smaller than the checksum size",
  ],
  ["issueTx", { tx: "0x0000000000" }, "types.bad_checksum", "problem decoding transaction: invalid input checksum"],
  [
    "issueTx",
    { tx: "0x0000", encoding: "hexnc" },
    "codec.truncated",
    "couldn't parse tx: couldn't parse tx: couldn't unmarshal interface: packer has insufficient length for input",
  ],
  [
    "issueTx",
    { tx: "0x0001", encoding: "hexnc" },
    "codec.unknown_version",
    "couldn't parse tx: couldn't parse tx: unknown codec version",
  ],
  [
    "issueTx",
    { tx: "0x00", encoding: "json" },
    "types.unsupported_encoding",
    "problem decoding transaction: unsupported encoding in method",
  ],
  [
    "issueTx",
    { tx: `0x${Buffer.from(chain.names.payment.bytes).toString("hex")}`, encoding: "hexnc" },
    "types.zero_output",
    "couldn't issue tx: output has no value",
  ],
]

test.each(refusals)("%s refuses %j as %s", async (name, params, code, reference) => {
  const method = `platform.${name}`
  expect(await node.call(method, params, "avalanchego")).toEqual({ error: { code: -32000, message: reference, data: null } })
  const { error } = await node.call(method, params, "contract")
  expect(error).toMatchObject({ code: code === "rpc.bad_param" ? -32602 : -32000, data: { code } })
})

test("an ID that must be named and is not is refused by name, or found nowhere", async () => {
  const asked: readonly [string, string, string][] = [
    ["getBlock", "blockID", `couldn't get block with id ${empty}: not found`],
    ["getTx", "txID", "couldn't get tx: not found"],
    ["getL1Validator", "validationID", `fetching L1 validator "${empty}" failed: not found`],
    ["getSubnet", "subnetID", "the primary network isn't a subnet"],
  ]
  for (const [name, param, reference] of asked) {
    const { error } = await node.call(`platform.${name}`, {}, "contract")
    expect(error).toMatchObject({ code: -32602, data: { code: "rpc.missing_param", param } })
    expect((await node.call(`platform.${name}`, {}, "avalanchego")).error?.message).toBe(reference)
  }
})

// AvalancheGo refuses `json` only when there is something to encode.
test.each([
  ["getUTXOs", { addresses: [friend] }, "couldn't encode UTXO J7FgM6iCgcyebvLtyc6WSyhrK5ePfCfFBDjLSgJWaWPhVv5cH as json: "],
  ["getRewardUTXOs", { txID: id("delegator") }, "couldn't encode utxo as json: "],
  [
    "getStake",
    { addresses: ["P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2"] },
    "couldn't encode output 2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe as json: ",
  ],
])("%s has no JSON form", async (name, params, begins) => {
  const method = `platform.${name}`
  const asJson = { ...params, encoding: "json" }
  expect((await node.call(method, asJson, "avalanchego")).error?.message).toMatch(
    new RegExp(`^${begins.replace(/UTXO \w+/, "UTXO \\w+")}unsupported encoding in method$`),
  )
  const nothing = { addresses: ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"], txID: nowhere, encoding: "JSON" }
  const { result } = await node.call(name === "getUTXOs" ? "platform.getStake" : method, nothing, "avalanchego")
  expect(result).toMatchObject({ encoding: "json" })
  for (const each of [asJson, nothing]) {
    expect((await node.call(method, each, "contract")).error?.data).toEqual({
      code: "platform.unsupported_encoding",
      encoding: "json",
    })
  }
})

test("the contract's refusals are sentences with what is wrong in them", async () => {
  const messageOf = async (name: string, params: Json) => (await node.call(`platform.${name}`, params, "contract")).error?.message
  expect(await messageOf("getBalance", { addresses: ["P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t"] })).toBe(
    "an address is not one of this chain (address: P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t, reason: it belongs to another network: fuji, not local)",
  )
  expect(await messageOf("getValidatorsAt", { height: 14 })).toBe(
    "the chain has not reached this height (height: 14, lastAccepted: 13)",
  )
  expect(await messageOf("getTxsByAddress", { address: friend, cursor: "x" })).toBe(
    "the cursor is not one that a page ended with (cursor: x)",
  )
})

test("every refusal of the list is met by a test", () => {
  const met = new Set(refusals.map(([, , code]) => code))
  const elsewhere = ["platform.unsupported_encoding", "platform.bad_cursor"]
  expect(Object.keys(platformError.list).filter((code) => !met.has(code) && !elsewhere.includes(code))).toEqual([])
})
