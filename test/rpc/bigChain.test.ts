import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { bigChain, bigChainTables } from "../../bench/fixtures/bigChain.js"
import { u8 } from "../../src/core/codec/primitives.js"
import { compressKey } from "../../src/core/crypto/compressKey.js"
import type { Json } from "../../src/core/lib/json.js"
import { project, rebuildReadModel } from "../../src/core/readmodel/fold.js"
import { readModelTables } from "../../src/core/readmodel/index.js"
import { readTables } from "../../src/core/readmodel/tables.js"
import { validatorSetAt as walkedSetAt } from "../../src/core/rules/validatorSet.js"
import { Diff } from "../../src/core/state/diff.js"
import { recordSetChanges } from "../../src/core/state/setChanges.js"
import { deleteCurrentStaker } from "../../src/core/state/stakers.js"
import { table } from "../../src/core/state/table.js"
import { tables } from "../../src/core/state/tables.js"
import { addressText } from "../../src/core/types/address.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { type ID, idText, type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import { AnswerRoom } from "../../src/jsonrpc/answerRoom.js"
import { platformMethods } from "../../src/services/platform/index.js"
import { openLmdbStore } from "../../src/store/lmdb/openLmdbStore.js"
import type { Store } from "../../src/store/store.js"
import { memberTexts, readSetAt, readStore } from "../fixtures/readModel.js"
import { testNode } from "../fixtures/rpcNode.js"

// The chain of the benchmarks in a smaller size: their answers are checked here.
const SIZE = { validators: 30, delegators: 400, utxos: 600, addresses: 20, subnets: 5, blocks: 60 }

function smallBigChain(store: Store = readStore()) {
  const chain = bigChain(store, SIZE)
  return { store, ...chain, node: testNode({ store, ...chain, methods: platformMethods }) }
}

type Members = { readonly [name: string]: Json }

const chain = smallBigChain()
const ask = async (name: string, params: Json = {}) =>
  (await chain.node.call(`platform.${name}`, params, "contract")).result as Members
const validatorsOf = async (params: Json) => (await ask("getCurrentValidators", params)).validators as readonly Members[]

test("rebuilt rows equal the stored rows", () => {
  const { store, genesis } = smallBigChain()
  const rows = () => Object.fromEntries(readModelTables.map((table) => [table.name, [...store.latest.rows(table)]]))
  const { setSegments: _, setSegmentEnds: __, setProgress: ___, ...kept } = rows()
  rebuildReadModel(store, genesis)
  const { setSegments: ____, setSegmentEnds: _____, setProgress, ...anew } = rows()
  expect(anew).toEqual(kept)
  expect(setProgress?.length).toBe(1)
  for (let height = 0n; height <= chain.height; height++) {
    expect(readSetAt(store.latest, PRIMARY_NETWORK_ID, height)).toEqual(
      memberTexts(walkedSetAt(store.latest, PRIMARY_NETWORK_ID, height)),
    )
  }
})

test("rows of another version are rebuilt, also those that this version cannot read", async () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-big-"))
  const { name, key } = readTables.setProgress
  const theirs = table(name, key, u8)
  const older = openLmdbStore({ dir, tables: [theirs] })
  const diff = new Diff(older.latest)
  diff.put(theirs, PRIMARY_NETWORK_ID, 7)
  older.commit(diff.edits)
  await older.close()
  const store = openLmdbStore({ dir, tables: bigChainTables })
  expect(() => [...store.latest.rows(readTables.setProgress)]).toThrow("a stored value of setProgress does not decode")
  rebuildReadModel(store, chain.genesis)
  expect([...store.latest.rows(readTables.setProgress)]).toEqual([])
  await store.close()
  rmSync(dir, { recursive: true })
})

test("all validators are listed in the order in which they leave, with sums instead of delegators", async () => {
  const all = await validatorsOf({})
  expect(all.length).toBe(SIZE.validators)
  const ends = all.map(({ endTime }) => Number(endTime))
  expect(ends).toEqual([...ends].sort((a, b) => a - b))
  expect(all.reduce((sum, { delegatorCount }) => sum + Number(delegatorCount), 0)).toBe(SIZE.delegators)
  expect(all.some((record) => "delegators" in record)).toBe(false)
  const { weight } = await ask("getTotalStake")
  const summed = all.reduce((sum, each) => sum + BigInt(each.weight as string) + BigInt(each.delegatorWeight as string), 0n)
  expect(summed.toString()).toBe(weight)
})

test("a request for one node returns its delegators, also if the node is named twice, and a request for two nodes returns none", async () => {
  const [first, second] = chain.nodeIDs.map(nodeIDText) as [string, string]
  const [record, ...others] = await validatorsOf({ nodeIDs: [first, first] })
  expect(others).toEqual([])
  const delegators = record?.delegators as readonly Members[]
  expect(delegators.length).toBe(Number(record?.delegatorCount))
  const ends = delegators.map(({ endTime }) => Number(endTime))
  expect(ends).toEqual([...ends].sort((a, b) => a - b))
  expect(delegators.every(({ nodeID, rewardOwner }) => nodeID === first && rewardOwner !== undefined)).toBe(true)
  const two = await validatorsOf({ nodeIDs: [second, first, "NodeID-111111111111111111116DBWJs"] })
  expect(two.length).toBe(2)
  expect(two.some((each) => "delegators" in each)).toBe(false)
  const { delegators: _, ...rest } = record as Members
  expect(two).toContainEqual(rest)
  expect(await validatorsOf({})).toContainEqual(rest)
})

test("the validators of every height equal those that a walk from the tip finds, in any order of requests and both dialects", async () => {
  for (let i = 0n; i <= chain.height; i++) {
    const height = (i * 23n) % (chain.height + 1n)
    const members = [...walkedSetAt(chain.store.latest, PRIMARY_NETWORK_ID, height)].map(
      ([nodeID, { weight, publicKey }]) =>
        [nodeIDText(nodeID), weight, publicKey && toHexText(compressKey(publicKey), "hexnc")] as const,
    )
    const params = { height: Number(height) }
    const { validators, publicKeys } = (await ask("getValidatorsAt", params)) as Record<string, Record<string, Json>>
    expect([height, validators]).toEqual([height, Object.fromEntries(members.map(([name, weight]) => [name, Number(weight)]))])
    expect(publicKeys).toEqual(Object.fromEntries(members.flatMap(([name, , key]) => (key ? [[name, key]] : []))))
    const { result } = await chain.node.call("platform.getValidatorsAt", params)
    expect(result).toEqual(
      Object.fromEntries(members.map(([name, weight, key]) => [name, { publicKey: key ?? null, weight: weight.toString() }])),
    )
    expect(Object.keys(result as object)).toEqual(members.map(([name]) => name).sort())
  }
})

test("stakes and balances of an address equal the sums over all rows", async () => {
  const owner = chain.addresses[3]!
  const address = addressText(owner, "local")
  let staked = 0n
  for (const [, { amount }] of chain.store.latest.rows(readTables.stakesByAddress, { under: { owner } })) staked += amount
  let expected = 0n
  for (const table of [tables.currentValidators, tables.currentDelegators] as const) {
    for (const [, { txID, weight }] of chain.store.latest.rows(table as typeof tables.currentValidators)) {
      const { tx } = await ask("getTx", { txID: idText(txID), encoding: "json" })
      const { stake } = (tx as Members).unsignedTx as { stake: readonly { output: { addresses: readonly string[] } }[] }
      if (stake[0]?.output.addresses.includes(address)) expected += weight
    }
  }
  const stake = await ask("getStake", { addresses: [address] })
  expect([stake.staked, staked]).toEqual([expected.toString(), expected])
  const validatorsOnly = await ask("getStake", { addresses: [address], validatorsOnly: true })
  expect(BigInt(validatorsOnly.staked as string)).toBeLessThan(expected)
  let balance = 0n
  for (const [, { output }] of chain.store.latest.rows(tables.utxos)) {
    if (output.kind === "TransferOutput" && output.addresses.includes(owner)) balance += output.amount
  }
  expect((await ask("getBalance", { addresses: [address] })).balance).toBe(balance.toString())
})

test("a balance that names more UTXOs than an answer has room for is refused before it is made", async () => {
  const params = { addresses: [addressText(chain.addresses[3]!, "local")] }
  const size = (await chain.node.resultText("platform.getBalance", params, "contract")).length
  const askWithin = (maxAnswer: number) =>
    testNode({ ...chain, methods: platformMethods, port: { answerRoom: new AnswerRoom(maxAnswer) } }).call(
      "platform.getBalance",
      params,
      "contract",
    )
  expect((await askWithin(size)).result).toEqual(await ask("getBalance", params))
  expect((await askWithin(size - 1)).error).toEqual({
    code: -32000,
    message: `the answer would be too large: ask for less, or for fewer things in one batch (limit: ${size - 1})`,
    data: { code: "rpc.answer_too_large", limit: size - 1 },
  })
})

test("a cached answer is made again when the state has changed", async () => {
  const { store, node, nodeIDs, height } = smallBigChain()
  const call = async (name: string, params: Json = {}) =>
    (await node.call(`platform.${name}`, params, "contract")).result as Members
  const before = (await call("getCurrentValidators")).validators as readonly Members[]
  const old = await call("getValidatorsAt", { height: Number(height) })
  const [gone] = [...store.latest.rows(tables.currentDelegators)].map(([, staker]) => staker)
  const diff = new Diff(store.latest)
  deleteCurrentStaker(diff, gone!)
  recordSetChanges(diff, height + 1n)
  const block = { ...chain.genesis.block, id: "ab".repeat(32) as typeof chain.genesis.block.id, height: height + 1n }
  diff.put(tables.blockIDs, height + 1n, block.id)
  diff.put(tables.lastAccepted, null, { id: block.id, height: height + 1n })
  project(diff, [block])
  store.commit(diff.edits)
  expect((await call("getCurrentValidators")).validators).toEqual(before)
  node.changed()
  const after = (await call("getCurrentValidators")).validators as readonly Members[]
  const countOf = (records: readonly Members[]) =>
    Number(records.find(({ nodeID }) => nodeID === nodeIDText(gone!.nodeID))?.delegatorCount)
  expect(countOf(after)).toBe(countOf(before) - 1)
  expect(await call("getValidatorsAt", { height: Number(height) })).toEqual(old)
  expect(await call("getValidatorsAt", { height: Number(height) + 1 })).not.toEqual(old)
  expect(nodeIDs.length).toBe(SIZE.validators - 5)
})

test("a chain on the disk answers as one in memory", async () => {
  const dir = mkdtempSync(join(tmpdir(), "serac-big-"))
  const store = openLmdbStore({ dir, tables: bigChainTables })
  const { node } = smallBigChain(store)
  const address = addressText(chain.addresses[3]!, "local")
  const asked: readonly [string, Json][] = [
    ["getCurrentValidators", {}],
    ["getCurrentValidators", { nodeIDs: [nodeIDText(chain.nodeIDs[7]!)] }],
    ["getStake", { addresses: [address] }],
    ["getBalance", { addresses: [address] }],
    ["getUTXOs", { addresses: [address], limit: 7 }],
    ["getValidatorsAt", { height: 20 }],
    ["getAllValidatorsAt", { height: 20 }],
    ["getTxsByAddress", { address, limit: 5 }],
    ["getSubnets", {}],
    ["getBlockchains", {}],
  ]
  for (const [name, params] of asked) {
    const { result } = await node.call(`platform.${name}`, params, "contract")
    expect([name, result]).toEqual([name, await ask(name, params)])
  }
  node.changed()
  await store.close()
  rmSync(dir, { recursive: true })
})

test("measured uptimes and connections are those of the present second, without a block", async () => {
  let [now, measured] = [1_700_000_000n, { connected: false, uptime: 0.25 }]
  const { store, ...rest } = smallBigChain()
  const port = { now: () => now, uptimeOf: () => measured, measuresUptimes: true }
  const node = testNode({ store, ...rest, methods: platformMethods, port })
  const uptimes = async (params: Json) =>
    ((await node.call("platform.getCurrentValidators", params)).result as Members).validators as readonly Members[]
  const nodeIDs = (await uptimes({})).slice(0, 2).map((each) => each.nodeID as string)
  const requests: readonly Json[] = [{}, { nodeIDs: nodeIDs.slice(0, 1) }, { nodeIDs }]
  for (const next of [
    { connected: false, uptime: 0.25 },
    { connected: true, uptime: 0.5 },
  ]) {
    measured = next
    now++
    for (const request of requests) {
      // An answer is stored when it is requested for the second time.
      for (let times = 0; times < 3; times++) {
        const all = await uptimes(request)
        expect(new Set(all.map(({ uptime, connected }) => `${uptime} ${connected}`))).toEqual(
          new Set([`${(next.uptime * 100).toFixed(4)} ${next.connected}`]),
        )
      }
    }
  }
})

test("validators with more weight than 64 bits are refused as a sample and as a total", async () => {
  const { store, node } = smallBigChain()
  const subnetID = "ee".repeat(32) as ID
  const diff = new Diff(store.latest)
  for (const nodeID of ["01", "02"])
    diff.put(tables.members, { subnetID, nodeID: nodeID.repeat(20) as NodeID }, { weight: 2n ** 63n, publicKey: undefined })
  store.commit(diff.edits)
  node.changed()
  const text = idText(subnetID)
  const data = { code: "platform.weight_overflow", subnetID: text, weight: 2n ** 64n }
  const params = { subnetID: text, size: 3 }
  expect([
    await node.call("platform.sampleValidators", params, "contract"),
    await node.call("platform.getTotalStake", params, "contract"),
  ]).toMatchObject([{ error: { code: -32000, data } }, { error: { code: -32000, data } }])
  const messages = ["sampleValidators", "getTotalStake"].map(async (name) => {
    return (await node.call(`platform.${name}`, params, "avalanchego")).error?.message
  })
  expect(await Promise.all(messages)).toEqual([
    `sampling ${text} errored with overflow`,
    "couldn't get total weight: total weight is not a uint64, total weight: 18446744073709551616",
  ])
})
