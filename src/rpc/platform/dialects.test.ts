import { expect, test } from "vitest"
import { askedChain, friend } from "../../../test/fixtures/askedChain.js"
import { testNode } from "../../../test/fixtures/rpcNode.js"
import { nodeIDOfByte } from "../../../test/fixtures/txs.js"
import type { Json } from "../../lib/json.js"
import { tables } from "../../state/tables.js"
import { addressText, shortIDText } from "../../types/address.js"
import { toHexText } from "../../types/hexText.js"
import { type ID, idText, nodeIDText, PRIMARY_NETWORK_ID } from "../../types/id.js"
import { initialValidationIDOf } from "../../types/warp/pChainMessage.js"
import { platformMethods } from "./index.js"

const chain = askedChain()
const node = testNode({ ...chain, methods: platformMethods })
const id = (name: keyof typeof chain.names) => idText(chain.names[name].id)
const address = addressText(friend, "local")
const ewoq = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const empty = idText(PRIMARY_NETWORK_ID)
const AVAX = "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe"

type Members = { readonly [name: string]: Json }

async function contract(name: string, params: Json = {}): Promise<Members> {
  return (await node.call(`platform.${name}`, params, "contract")).result as Members
}
async function avalanchego(name: string, params: Json = {}): Promise<Members> {
  return (await node.call(`platform.${name}`, params, "avalanchego")).result as Members
}
async function both(name: string, params: Json = {}): Promise<Members> {
  const result = await contract(name, params)
  expect(await avalanchego(name, params)).toEqual(result)
  return result
}

test("D1: validators at a height are a member with numbers, or the answer itself", async () => {
  const params = { height: 6, subnetID: id("l1") }
  const key = "0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d"
  const [active, idle] = [nodeIDText(nodeIDOfByte(0x21)), "NodeID-111111111111111111116DBWJs"]
  expect(await contract("getValidatorsAt", params)).toEqual({
    validators: { [idle]: 50, [active]: 100 },
    publicKeys: { [active]: key },
  })
  expect(await avalanchego("getValidatorsAt", params)).toEqual({
    [idle]: { publicKey: null, weight: "50" },
    [active]: { publicKey: key, weight: "100" },
  })
  expect(await contract("getValidatorsAt", { height: 5, subnetID: id("l1") })).toEqual({ validators: {}, publicKeys: {} })
  expect(await avalanchego("getValidatorsAt", { height: "5", subnetID: id("l1") })).toEqual({})
  expect(await contract("getValidatorsAt")).toEqual(await contract("getValidatorsAt", { height: 0, subnetID: empty }))
  expect(await contract("getValidatorsAt", { height: "proposed" })).toEqual(await contract("getValidatorsAt", { height: 13 }))
})

test("D2: the chain's time has two names, or one", async () => {
  const timestamp = "2024-07-30T04:00:07Z"
  expect(await contract("getTimestamp")).toEqual({ time: timestamp, timestamp })
  expect(await avalanchego("getTimestamp")).toEqual({ timestamp })
})

test("D3, D11, D13, D33: validators have the contract's further members, or none but AvalancheGo's", async () => {
  const nodeID = nodeIDText(chain.genesis.validators[0]!.unsignedTx.validator.nodeID)
  const recordOf = ({ validators }: Members) => (validators as readonly Members[])[0] as Members
  const ours = recordOf(await contract("getCurrentValidators", { nodeIDs: [nodeID] }))
  const theirs = recordOf(await avalanchego("getCurrentValidators", { nodeIDs: [nodeID] }))
  const { stakeAmount, delegationFeeRate, signer, ...rest } = ours
  expect({ ...rest, signer: theirs.signer }).toEqual(theirs)
  expect([stakeAmount, delegationFeeRate]).toEqual([ours.weight, ours.delegationFee])
  const { proofOfPossession } = theirs.signer as Members
  expect(signer).toEqual({ ...(theirs.signer as Members), proofOfPosession: proofOfPossession })
  expect(theirs).toMatchObject({ uptime: "100.0000", connected: true, delegationFee: "6.2500", delegators: [] })

  const l1 = { subnetID: id("l1") }
  const [made] = (await contract("getCurrentValidators", l1)).validators as readonly Members[]
  const [plain] = (await avalanchego("getCurrentValidators", l1)).validators as readonly Members[]
  expect(made).toEqual({ ...plain, txID: id("conversion") })
  const validationID = idText(initialValidationIDOf(chain.names.l1.id, 0))
  expect(await contract("getL1Validator", { validationID })).toEqual({ ...made, ...l1, height: "13" })
  expect(await avalanchego("getL1Validator", { validationID })).toEqual({ ...plain, ...l1, height: "13" })
})

test("D4: the total stake of another subnet is its weight alone, or twice the same", async () => {
  expect(await contract("getTotalStake", { subnetID: id("l1") })).toEqual({ weight: "150" })
  expect(await avalanchego("getTotalStake", { subnetID: id("l1") })).toEqual({ stake: "150", weight: "150" })
  expect(await both("getTotalStake")).toEqual({ stake: "10000000000000000", weight: "10000000000000000" })
  expect(await contract("getTotalStake", { subnetID: AVAX })).toEqual({ weight: "0" })
})

test("D15: a subnet that its owner no longer rules shows nobody and its owner, or its owner", async () => {
  const owner = { locktime: "0", threshold: "1", addresses: [ewoq] }
  const rest = { isPermissioned: false, locktime: "0", managerAddress: "0xc0ffee" }
  const ours = await contract("getSubnet", { subnetID: id("l1") })
  expect(ours).toMatchObject({ ...rest, controlKeys: [], threshold: "0", owner })
  const { owner: _, ...others } = ours
  expect(await avalanchego("getSubnet", { subnetID: id("l1") })).toEqual({ ...others, controlKeys: [ewoq], threshold: "1" })
  const ids = [id("l1"), id("subnet"), id("l1"), empty, AVAX]
  const permissioned = { id: id("subnet"), controlKeys: [ewoq], threshold: "1" }
  const primary = { id: empty, controlKeys: [], threshold: "0" }
  expect(await contract("getSubnets", { ids })).toEqual({
    subnets: [{ id: id("l1"), controlKeys: [], threshold: "0", owner }, permissioned, primary],
  })
  expect(await avalanchego("getSubnets", { ids })).toEqual({
    subnets: [{ id: id("l1"), controlKeys: [ewoq], threshold: "1" }, permissioned, primary],
  })
  expect(await both("getSubnet", { subnetID: id("subnet") })).toMatchObject({ isPermissioned: true, managerAddress: null })
})

test("D16: what is not there is an empty list, or null", async () => {
  expect(await contract("getSubnets", { ids: [AVAX] })).toEqual({ subnets: [] })
  expect(await avalanchego("getSubnets", { ids: [AVAX] })).toEqual({ subnets: null })
  const none = { balance: "0", unlocked: "0", lockedStakeable: "0", lockedNotStakeable: "0" }
  const maps = { balances: {}, unlockeds: {}, lockedStakeables: {}, lockedNotStakeables: {} }
  expect(await contract("getBalance")).toEqual({ ...none, ...maps, utxoIDs: [] })
  expect(await avalanchego("getBalance", { addresses: [] })).toEqual({ ...none, ...maps, utxoIDs: null })
})

test("D17: the validators' fee configuration has the gas target in it, or not", async () => {
  const { targetPerSecond, ...rest } = await contract("getValidatorFeeConfig")
  expect(targetPerSecond).toBe(50_000)
  expect(await avalanchego("getValidatorFeeConfig")).toEqual(rest)
})

test("D18: a proposal that lost was dropped, or aborted", async () => {
  const params = { txID: id("proposal"), includeReason: true }
  const reason = "the transaction was proposed and the network decided against it: its proposal was aborted"
  expect(await contract("getTxStatus", params)).toEqual({ status: "Dropped", reason })
  expect(await avalanchego("getTxStatus", params)).toEqual({ status: "Aborted" })
  expect(await both("getTxInfo", params)).toMatchObject({ kind: "RewardValidatorTx", status: "Aborted", fee: "0", height: "11" })
})

test("D19, D20: the contract's blocks all have their transactions in one member", async () => {
  const at = async (height: number, ask: typeof contract) =>
    (await ask("getBlockByHeight", { height, encoding: "json" })).block as Members
  const proposal = await at(11, contract)
  expect(Object.keys(proposal)).toEqual(expect.arrayContaining(["id", "time", "parentID", "height", "txs", "tx"]))
  expect(await at(11, avalanchego)).toEqual(proposal)
  const abort = await at(12, avalanchego)
  expect(Object.keys(abort).sort()).toEqual(["height", "id", "parentID", "time"])
  expect(await at(12, contract)).toEqual({ ...abort, txs: [] })
  expect((await at(1, contract)).txs).toMatchObject([{ id: id("payment") }])
})

test("D21: bytes come in every encoding, whatever the letter case of its name", async () => {
  const { bytes } = chain.names.payment
  for (const encoding of ["hex", "HexC", "hexnc"] as const) {
    const lower = encoding.toLowerCase() as "hex"
    expect(await both("getTx", { txID: id("payment"), encoding })).toEqual({ tx: toHexText(bytes, lower), encoding: lower })
  }
  expect(await both("getTx", { txID: id("payment") })).toEqual({ tx: toHexText(bytes, "hex"), encoding: "hex" })
})

test("D22: a start index in hex is taken by the contract alone", async () => {
  const [first] = [...chain.store.latest.rows(tables.utxosByAddress, { prefix: friend })].map(([{ utxoID }]) => utxoID) as [ID]
  const at = (utxo: string) => ({ addresses: [address], limit: 1, startIndex: { address, utxo } })
  const hex = toHexText(Buffer.from(first, "hex"))
  expect(await contract("getUTXOs", at(hex))).toEqual(await contract("getUTXOs", at(idText(first))))
  expect((await node.call("platform.getUTXOs", at(hex), "avalanchego")).error?.message).toMatch(
    /^couldn't parse start index utxo: /,
  )
})

test("an address may be written in every way that names the P-Chain", async () => {
  const expected = await both("getBalance", { addresses: [address] })
  const bech32 = address.slice(2)
  const ways = [`platform-${bech32}`, `${empty}-${bech32}`, `P-${bech32.toUpperCase()}`, shortIDText(friend)]
  for (const way of ways) expect(await both("getBalance", { addresses: [way] })).toEqual(expected)
  expect(await both("getBalance", { addresses: [address, ...ways] })).toEqual(expected)
})

test("what is left out of a call is the primary network, genesis, or nothing at all", async () => {
  for (const name of ["getCurrentSupply", "getMinStake", "getStakingAssetID", "getTotalStake", "validates"]) {
    expect(await both(name)).toEqual(await both(name, { subnetID: empty }))
  }
  expect(await both("validatedBy")).toEqual({ subnetID: empty })
  expect(await both("getBlockByHeight")).toEqual(await both("getBlockByHeight", { height: "0" }))
  expect(await both("getTxStatus")).toEqual({ status: "Unknown" })
  expect(await both("getRewardUTXOs")).toEqual({ numFetched: "0", utxos: [], encoding: "hex" })
  expect(await both("getStake")).toEqual({ staked: "0", stakeds: {}, stakedOutputs: [], encoding: "hex" })
  expect(await both("sampleValidators")).toEqual({ validators: [] })
  expect(await both("getAllValidatorsAt")).toEqual(await both("getAllValidatorsAt", { height: 0 }))
  expect(await both("getCurrentValidators", { subnetID: AVAX })).toEqual({ validators: [] })
})
