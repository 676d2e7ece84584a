import { expect, test } from "vitest"
import { parseConfig } from "../../platform/genesis.js"
import { Invalid } from "../lib/invalid.js"
import { type Json, printJson } from "../lib/json.js"
import { type GenesisConfig, initialSupplyOf } from "./config.js"
import { configToJson } from "./configJson.js"
import { localConfig } from "./local.js"

const file = configToJson(localConfig(9999))
const address = "X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const staker = { nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", rewardAddress: address, delegationFee: 20000 }

const parsed = (changes: { readonly [key: string]: Json }): GenesisConfig => parseConfig(printJson({ ...file, ...changes }))

test("a genesis file is read back as it was spelled", () => {
  expect(parseConfig(printJson(file))).toEqual(localConfig(9999))
  expect(parseConfig(printJson(file, 2))).toEqual(localConfig(9999))
})

test("a missing or null member of a genesis file is zero, and an unknown one is ignored", () => {
  const empty: GenesisConfig = {
    networkID: 0,
    allocations: [],
    startTime: 0n,
    initialStakeDuration: 0n,
    initialStakeDurationOffset: 0n,
    initialStakedFunds: [],
    initialStakers: [],
    cChainGenesis: "",
    message: "",
  }
  for (const text of ["{}", "null", ' {"networkID":null,"allocations":null,"message":null,"future":{"a":[1e999]}} ']) {
    expect(parseConfig(text)).toEqual(empty)
  }
})

test("a staker without node ID is the empty node, and one without signer has none", () => {
  const { initialStakers } = parsed({ initialStakers: [{ rewardAddress: address, signer: null }] })
  expect(initialStakers).toEqual([
    { nodeID: "00".repeat(20), rewardAddress: "3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c", delegationFee: 0 },
  ])
})

test.each([
  ["the case of keys does not matter", '{"NETWORKID":7}', 7],
  ["nor do the letters that fold to ASCII ones", '{"networ\u212aID":7}', 7],
  ["of doubled keys the last counts", '{"networkID":1,"NETWORKid":7}', 7],
  ["a later null leaves a number alone", '{"networkID":7,"networkID":null}', 7],
])("in a genesis file %s", (_, text, networkID) => {
  expect(parseConfig(text).networkID).toBe(networkID)
})

test("a later null empties a list of a genesis file", () => {
  expect(parseConfig(`{"initialStakedFunds":["${address}"],"initialStakedFunds":null}`).initialStakedFunds).toEqual([])
})

test("amounts of a genesis file stay exact past 2^53", () => {
  const unlockSchedule = [{ amount: 18446744073709551615n, locktime: 9007199254740993n }]
  const [allocation] = parsed({
    allocations: [{ ethAddr: `0x${"AB".repeat(20)}`, avaxAddr: address, unlockSchedule }],
  }).allocations
  expect(allocation).toEqual({
    ethAddr: "ab".repeat(20),
    avaxAddr: "3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c",
    initialAmount: 0n,
    unlockSchedule,
  })
})

test("chain and network of an address in a genesis file are not looked at, nor the first two bytes of an Ethereum address", () => {
  const avaxAddr = "anything-avax18jma8ppw3nhx5r4ap8clazz0dps7rv5ukulre5"
  for (const start of ["0x", "zz", "é"]) {
    const [allocation] = parsed({ allocations: [{ ethAddr: start + "ab".repeat(20), avaxAddr }] }).allocations
    expect(allocation).toMatchObject({ ethAddr: "ab".repeat(20), avaxAddr: "3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c" })
  }
})

test("half a surrogate pair in a genesis file becomes the replacement character", () => {
  expect(parseConfig('{"message":"\\ud800A\\ud83d\\ude00\\udc00"}').message).toBe("\ufffdA😀\ufffd")
})

test("a proof of possession in a genesis file is brought to 96 bytes, whatever its size", () => {
  const { publicKey } = (file.initialStakers as { signer: { publicKey: string } }[])[0]!.signer
  const proofOf = (proofOfPossession: string) =>
    parsed({ initialStakers: [{ ...staker, signer: { publicKey, proofOfPossession } }] }).initialStakers[0]!.signer!
      .proofOfPossession
  expect(proofOf("")).toEqual(new Uint8Array(96))
  expect(proofOf("0x01")).toEqual(Uint8Array.of(1, ...new Uint8Array(95)))
  expect(proofOf(`0x${"07".repeat(97)}`)).toEqual(new Uint8Array(96).fill(7))
})

test.each(["", "{", "{}x", "{} {}", '{"a":}', "\ufeff{}"])("a genesis file %j is refused as malformed", (text) => {
  expect(() => parseConfig(text)).toThrow(expect.objectContaining({ code: "genesis.malformed" }))
})

const allocation = { ethAddr: `0x${"ab".repeat(20)}`, avaxAddr: address }
const badFields: readonly [field: string, reason: string, changes: { readonly [key: string]: Json }][] = [
  ["networkID", "above 4294967295", { networkID: 4294967296 }],
  ["networkID", "not an integer in plain digits", { networkID: "1" }],
  ["startTime", "above 18446744073709551615", { startTime: 2n ** 64n }],
  ["startTime", "not an integer in plain digits", { startTime: 1.5 }],
  ["startTime", "not an integer in plain digits", { startTime: -1 }],
  ["allocations", "not an array", { allocations: {} }],
  ["allocations[1]", "not an object", { allocations: [allocation, 5] }],
  ["allocations[0].ethAddr", "shorter than two characters", { allocations: [null] }],
  ["allocations[0].ethAddr", "the text encodes the wrong number of bytes", { allocations: [{ ...allocation, ethAddr: "0x" }] }],
  ["allocations[0].ethAddr", "a character is not a hex digit", { allocations: [{ ...allocation, ethAddr: "0xzz" }] }],
  [
    "allocations[0].avaxAddr",
    "the address has no chain and dash in front, such as P-",
    { allocations: [{ ...allocation, avaxAddr: "" }] },
  ],
  ["allocations[0].avaxAddr", "the address is not bech32", { allocations: [{ ...allocation, avaxAddr: `${address}q` }] }],
  [
    "allocations[1].unlockSchedule[0].amount",
    "not an integer in plain digits",
    { allocations: [allocation, { ...allocation, unlockSchedule: [{ amount: "5" }] }] },
  ],
  ["initialStakedFunds[0]", "the address has no chain and dash in front, such as P-", { initialStakedFunds: [null] }],
  ["initialStakers[0].nodeID", "the node ID does not start with NodeID-", { initialStakers: [{ ...staker, nodeID: "" }] }],
  ["initialStakers[0].nodeID", "the checksum does not match", { initialStakers: [{ ...staker, nodeID: `${staker.nodeID}1` }] }],
  ["initialStakers[0].delegationFee", "above 4294967295", { initialStakers: [{ ...staker, delegationFee: 4294967296 }] }],
  ["initialStakers[0].signer.publicKey", "the bytes are not a BLS public key", { initialStakers: [{ ...staker, signer: {} }] }],
  ["cChainGenesis", "not a string", { cChainGenesis: { config: {} } }],
]

test.each(badFields)("a genesis file whose %s is %s is refused by that name", (field, reason, changes) => {
  expect(() => parsed(changes)).toThrow(
    expect.objectContaining({ code: "genesis.bad_field", data: expect.objectContaining({ field, reason }) }),
  )
})

test.each(["1e3", "1.0", "-0", "-5"])("an integer written %s in a genesis file is refused", (digits) => {
  expect(() => parseConfig(`{"startTime":${digits}}`)).toThrow(expect.objectContaining({ code: "genesis.bad_field" }))
})

test("a bad field is also reported with AvalancheGo's text", () => {
  const refusal = (changes: { readonly [key: string]: Json }) => {
    try {
      parsed(changes)
    } catch (error) {
      if (error instanceof Invalid) return error.avalanchegoMessage
    }
    return undefined
  }
  expect(refusal({ allocations: [null] })).toBe("unable to parse config: invalid eth address")
  expect(refusal({ initialStakedFunds: [""] })).toBe("unable to parse config: no separator found in address")
  expect(refusal({ initialStakers: [{ ...staker, signer: {} }] })).toBe(
    "could not unmarshal genesis JSON: couldn't decompress public key",
  )
  expect(refusal({ networkID: "1" })).toBe("could not unmarshal genesis JSON")
})

test("the initial supply is all that any chain has, and must fit in 64 bits", () => {
  expect(initialSupplyOf(localConfig())).toBe(360_000_000_000_000_000n)
  const [first] = localConfig().allocations
  const allocations = [first!, { ...first!, initialAmount: 2n ** 64n - 1n }]
  expect(() => initialSupplyOf({ allocations })).toThrow(expect.objectContaining({ code: "genesis.supply_overflow" }))
})
