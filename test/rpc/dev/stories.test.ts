import { afterEach, beforeEach, expect, test } from "vitest"
import { decode } from "../../../src/core/codec/decode.js"
import { hexToBytes, toHex } from "../../../src/core/lib/bytes.js"
import { printRfc3339 } from "../../../src/core/lib/go/rfc3339.js"
import type { Json } from "../../../src/core/lib/json.js"
import { neverPausing } from "../../../src/core/lib/pace.js"
import { AVAX } from "../../../src/core/networks/params.js"
import { signedTxOf } from "../../../src/core/txs/tx.js"
import { fromHexText, toHexText } from "../../../src/core/types/hexText.js"
import { topLevelUtxo } from "../../../src/core/types/utxo.js"
import { decodeSignedMessage } from "../../../src/core/types/warp/message.js"
import { dumpState } from "../../../src/producer/methods/dumpState.js"
import { stateHash } from "../../../src/store/maintenance/stateHash.js"
import { undone } from "../methods/checks/answers.js"
import type { RunningNode } from "../methods/runningNode.js"
import { account, DAY, START, STRANGER, startDevNode, written } from "./fixture.js"

type CallResult = Record<string, Json>

let node: RunningNode
beforeEach(async () => {
  node = await startDevNode("contract")
})
afterEach(() => node.stop())

/** A test whose changes of the chain are reverted at its end. */
const story = (name: string, action: () => Promise<void>) => test(name, () => undone(node, action))

const call = <T = CallResult>(method: string, params?: Json) => node.call<T>(method, params)
const statusOf = (txID: string) => call("platform.getTxStatus", { txID })
const codeOf = async (method: string, params: Json, at = node) =>
  ((await at.ask(method, params)).error?.data as { code: string } | undefined)?.code
const issue = (hex: string) => call("platform.issueTx", { tx: hex })

story("what is funded is owned, locked as it was asked for", async () => {
  const { txID } = await call("dev.fund", { address: STRANGER, amount: 5 })
  expect(await statusOf(txID as string)).toEqual({ status: "Committed" })
  await call("dev.fund", { addresses: [STRANGER, account(0)], threshold: 2, amount: "7", locktime: "2031-01-01T00:00:00Z" })
  const { utxoID } = await call("dev.fund", { address: STRANGER, amount: 9, stakeableLocktime: Number(START) + 100 })
  const balance = await call("platform.getBalance", { addresses: [STRANGER] })
  expect([balance.unlocked, balance.lockedStakeable, balance.lockedNotStakeable]).toEqual(["5", "9", "7"])
  expect(utxoID).toEqual(expect.any(String))
  expect(await call("dev.status")).toMatchObject({ overrides: 1, height: "3" })
  await call("dev.advanceTime", { seconds: 101 })
  expect(await call("platform.getBalance", { addresses: [STRANGER] })).toMatchObject({ unlocked: "14" })
})

story("what is credited from another chain is imported once", async () => {
  const { utxo } = await call("dev.creditAtomic", { sourceChain: "X", address: account(0), amount: String(AVAX) })
  const waiting = { addresses: [account(0)], sourceChain: "X" }
  expect(await call("platform.getUTXOs", waiting)).toMatchObject({ utxos: [utxo] })
  const { txID, outputIndex, assetID } = decode(topLevelUtxo, fromHexText(utxo as string))
  const input = { kind: "TransferInput", amount: AVAX, signatureIndices: [0] }
  const fields = { sourceChain: node.chain.data.genesis.xChainID, importedInputs: [{ txID, outputIndex, assetID, input }] }
  const { hex } = written(node, 0, "ImportTx", fields)
  const { ok, changes } = await call("dev.simulateTx", { tx: hex })
  expect([ok, changes]).toEqual([
    true,
    [expect.objectContaining({ table: "atomicUtxos", before: expect.anything(), after: null })],
  ])
  await issue(hex)
  expect(await call("platform.getUTXOs", waiting)).toMatchObject({ utxos: [] })
  expect(await codeOf("platform.issueTx", { tx: hex })).toBe("rules.not_waiting")
})

story("validators that are added validate, and uptimes decide on their rewards", async () => {
  const { nodeIDs } = await call("dev.addValidators", { count: 2, delegators: 1, duration: DAY })
  const [good, bad] = nodeIDs as [string, string]
  const seen = async () => {
    const { validators } = await call<{ validators: CallResult[] }>("platform.getCurrentValidators", { nodeIDs: [good, bad] })
    return Object.fromEntries(validators.map(({ nodeID, uptime, connected }) => [nodeID, [uptime, connected]]))
  }
  expect(await seen()).toEqual({ [good]: ["100.0000", true], [bad]: ["100.0000", true] })
  await call("dev.setUptime", { nodeID: bad, percent: 0 })
  expect(await seen()).toEqual({ [good]: ["100.0000", true], [bad]: ["0.0000", false] })
  await call("dev.setUptime", { nodeID: bad, percent: null })
  expect(await seen()).toMatchObject({ [bad]: ["100.0000", true] })
  await call("dev.setUptime", { nodeID: bad, percent: 89.99 })
  await call("dev.setUptime", { nodeID: good, percent: 90 })
  expect(await call("dev.advanceTime", { seconds: DAY })).toMatchObject({ rewarded: 2, aborted: 2 })
})

story("the node's own uptime is what it is told to be", async () => {
  const full = { rewardingStakePercentage: "100.0000", weightedAveragePercentage: "100.0000" }
  expect(await call("info.uptime")).toEqual(full)
  const { nodeID } = await call("info.getNodeID")
  await call("dev.setUptime", { nodeID: nodeID as string, percent: 50 })
  // Four of five saw it half of the time, and it sees itself.
  expect(await call("info.uptime")).toEqual({ rewardingStakePercentage: "20.0000", weightedAveragePercentage: "60.0000" })
  expect(await call("info.peers")).toMatchObject({ numPeers: "0", peers: [] })
})

story("who is impersonated needs as many signatures as ever, and nothing in them", async () => {
  const { forged, tx } = written(node, 1)
  const blank = new Uint8Array(65)
  const withSignatures = (count: number) => {
    const credential = { kind: "Credential" as const, signatures: Array.from({ length: count }, () => blank) }
    return { tx: toHexText(signedTxOf(tx.unsignedTx, [credential]).bytes) }
  }
  expect(await codeOf("platform.issueTx", { tx: forged })).toBe("crypto.signature_invalid")
  await call("dev.impersonate", { addresses: [account(1)] })
  for (const count of [0, 2]) expect(await codeOf("platform.issueTx", withSignatures(count))).toBe("rules.signature_count")
  // A refused transaction is verified again after a move of the clock.
  expect(await codeOf("platform.issueTx", { tx: forged })).toBe("crypto.signature_invalid")
  await call("dev.advanceTime", { seconds: 1 })
  await issue(forged)
  expect(await codeOf("platform.issueTx", { tx: written(node, 2).forged })).toBe("crypto.signature_invalid")
  await call("dev.stopImpersonating", { addresses: [account(1)] })
  expect(await codeOf("platform.issueTx", { tx: written(node, 1).forged })).toBe("crypto.signature_invalid")
})

story("the five sign with their own keys, and identities with theirs once they validate", async () => {
  const { unsignedTx } = node.chain.data.genesis.body().validators[0]!
  expect(unsignedTx.validator.weight).toBe(2_000_000n * AVAX)
  const unsigned = "0x000000003039000000000000000000000000000000000000000000000000000000000000000000000001ab"
  const signersOf = async () => {
    const { signedMessage } = await call("dev.signWarpMessage", { unsignedMessage: unsigned })
    return toHex(decodeSignedMessage(hexToBytes((signedMessage as string).slice(2))).signature.signers)
  }
  expect(await signersOf()).toBe("1f")
  await call("dev.addValidators", { count: 2 })
  expect(await signersOf()).toBe("7f")
})

story("every identity is another one", async () => {
  const identities = [await call("dev.newIdentity"), await call("dev.newIdentity")]
  const { nodeIDs } = await call("dev.addValidators", { count: 1 })
  expect(new Set([...identities.map(({ nodeID }) => nodeID), ...(nodeIDs as string[])]).size).toBe(3)
})

story("a simulation keeps nothing", async () => {
  const { options } = node.chain.privateChain!
  const before = [stateHash(options.store.latest, options.tables), await call("dev.status")]
  const { hex, forged, unsigned } = written(node, 0)
  for (const tx of [hex, forged, unsigned]) await call("dev.simulateTx", { tx })
  expect([stateHash(options.store.latest, options.tables), await call("dev.status")]).toEqual(before)
  await issue(hex)
})

story("by hand only dev.mine makes blocks of what waits, but stakers change and dev pays as ever", async () => {
  await call("dev.addValidators", { count: 1, duration: DAY })
  await call("dev.setBlockMode", { mode: "manual" })
  const { hex, id } = written(node, 0)
  await issue(hex)
  const { height } = await call("dev.status")
  await call("dev.fund", { address: STRANGER, amount: 1 })
  expect(await call("dev.advanceTime", { seconds: DAY, settle: true })).toMatchObject({ blocks: 2, rewarded: 1 })
  expect(await call("dev.status")).toMatchObject({ mempool: 1, height: String(Number(height) + 3) })
  expect(await statusOf(id)).toEqual({ status: "Processing" })
  expect(await call("dev.mine", { blocks: 3 })).toMatchObject({ blocks: 1 })
  expect(await statusOf(id)).toEqual({ status: "Committed" })
})

story("who waits hears of a block, of a drop, and of the end of their patience", async () => {
  await call("dev.setBlockMode", { mode: "manual" })
  const [tx, other] = [written(node, 3), written(node, 2)]
  for (const { hex } of [tx, other]) await issue(hex)
  const dropped = call("dev.waitForTx", { txID: other.id })
  const accepted = call("dev.waitForTx", { txID: tx.id })
  expect(await call("dev.waitForTx", { txID: tx.id, timeout: 0.01 })).toEqual({ status: "Processing" })
  await call("dev.dropTx", { txID: other.id })
  expect(await dropped).toEqual({ status: "Dropped", reason: "the transaction was dropped with dev.dropTx" })
  await call("dev.mine")
  expect(await accepted).toEqual({ status: "Committed", height: "2" })
})

test("a revert restores everything except the keystore, removes later snapshots, and keeps its own", async () => {
  const { options } = node.chain.privateChain!
  const stand = async () => {
    const { snapshots: _, ...status } = await call("dev.status")
    return {
      status,
      mempool: await call("dev.mempool"),
      uptime: node.chain.api.node.uptimeOf(node.chain.identity.nodeID),
      hash: stateHash(options.store.latest, options.tables),
      balance: await call("platform.getBalance", { addresses: [STRANGER] }),
      forged: await call("dev.simulateTx", { tx: written(node, 1).forged }),
    }
  }
  await call("dev.setBlockMode", { mode: "manual" })
  await issue(written(node, 0).hex)
  await call("dev.impersonate", { addresses: [account(1)] })
  const { nodeID } = await call("info.getNodeID")
  await call("dev.setUptime", { nodeID: nodeID as string, percent: 33 })
  const first = await call<{ id: number; height: string }>("dev.snapshot", { name: "first" })
  const { snapshots, clock } = await call("dev.status")
  expect(snapshots).toContainEqual({ ...first, name: "first", time: clock })
  const before = await stand()
  expect(before.forged).toMatchObject({ ok: true })
  for (const username of ["one", "two"]) {
    await call("dev.setBlockMode", { mode: "auto" })
    await call("dev.stopImpersonating", { addresses: [account(1)] })
    await call("dev.setUptime", { nodeID: nodeID as string, percent: null })
    await call("dev.fund", { address: STRANGER, amount: 5 })
    await call("dev.setTime", { to: Number(START) + 1000, frozen: false })
    await call("keystore.createUser", { username, password: "a Rather-l0ng password" })
    const later = await call<{ id: number }>("dev.snapshot")
    await call("dev.advanceTime", { seconds: 400 * DAY })
    expect(await stand()).not.toEqual(before)
    await call("dev.revert", { id: first.id })
    expect(await stand()).toEqual(before)
    expect(await codeOf("dev.revert", { id: later.id })).toBe("producer.unknown_snapshot")
  }
  expect(await call("keystore.listUsers")).toEqual({ users: ["one", "two"] })
  await call("dev.reset")
  expect(await call("keystore.listUsers")).toEqual({ users: ["one", "two"] })
  expect(await codeOf("dev.revert", { id: first.id })).toBe("producer.unknown_snapshot")
})

test("a dropped transaction is verified again after a revert, a reset, a loaded state, and a change of the clock", async () => {
  const { state } = await call<{ state: string }>("dev.dumpState")
  const deeds: Readonly<Record<string, (snapshot: number) => Json>> = {
    "dev.advanceTime": () => ({ seconds: 0 }),
    "dev.setTime": () => ({ to: Number(START) }),
    "dev.revert": (id) => ({ id }),
    "dev.reset": () => ({}),
    "dev.loadState": () => ({ state }),
  }
  const { forged } = written(node, 1)
  for (const [method, paramsFor] of Object.entries(deeds)) {
    const { id } = await call<{ id: number }>("dev.snapshot")
    expect(await codeOf("platform.issueTx", { tx: forged })).toBe("crypto.signature_invalid")
    await call("dev.impersonate", { addresses: [account(1)] })
    // The transaction is not verified again.
    expect([method, await codeOf("platform.issueTx", { tx: forged })]).toEqual([method, "crypto.signature_invalid"])
    await call(method, paramsFor(id))
    await call("dev.impersonate", { addresses: [account(1)] })
    await issue(forged)
    await call("dev.reset")
  }
})

test("a whole chain moves to another node with its state, blocks, clock, waiting transactions, overrides and keystore", async () => {
  const source = await startDevNode("contract")
  const other = await startDevNode("contract", { choice: { now: START, ruleFlags: { "min-stake-duration": "5s" } } })
  try {
    await source.call("dev.addValidators", { count: 1, duration: DAY })
    await source.call("dev.setBlockMode", { mode: "manual" })
    const { hex, id } = written(source, 0)
    await source.call("platform.issueTx", { tx: hex })
    await source.call("dev.fund", { address: STRANGER, amount: 9, stakeableLocktime: Number(START) + 100 })
    await source.call("keystore.createUser", { username: "mover", password: "a Rather-l0ng password" })
    await source.call("dev.setTime", { to: Number(START) + 77 })
    const { state } = await source.call<{ state: string }>("dev.dumpState")
    const { height } = await source.call<{ height: string }>("dev.status")
    const before = await call("dev.status")

    expect(await codeOf("dev.loadState", { state }, other)).toBe("producer.other_dump")
    const bytes = Buffer.from(state, "base64")
    bytes[40]! ^= 0xff
    expect(await codeOf("dev.loadState", { state: bytes.toString("base64") })).toBe("producer.bad_dump")
    expect(await call("dev.status")).toEqual(before)

    // In the mode of this node, which is auto, what waited gets its block.
    expect(await call("dev.loadState", { state })).toEqual({ height: String(Number(height) + 1) })
    const loaded = { clock: printRfc3339(START + 77n), overrides: 1, blockMode: { mode: "auto" }, snapshots: [], mempool: 0 }
    expect(await call("dev.status")).toMatchObject(loaded)
    expect(await call("dev.waitForTx", { txID: id })).toMatchObject({ status: "Committed" })
    expect(await call("platform.getBalance", { addresses: [STRANGER] })).toMatchObject({ balance: "9" })
    expect(await call("keystore.listUsers")).toEqual({ users: ["mover"] })
    expect(await call("platform.getBlockByHeight", { height: 1 })).toEqual(
      await source.call("platform.getBlockByHeight", { height: 1 }),
    )

    expect(await call("dev.reset")).toEqual({ height: "1" })
    expect(await call("dev.status")).toMatchObject({ clock: printRfc3339(START), overrides: 0, mempool: 0 })
  } finally {
    await source.stop()
    await other.stop()
  }
})

test("a state that is too large for an answer is refused before it is encoded", async () => {
  const chain = { turn: async () => ({ length: 2 ** 30 }) as Uint8Array }
  await expect(dumpState.handler({}, { chain } as never, { pace: neverPausing })).rejects.toMatchObject({
    code: "dev.state_too_large",
    data: { bytes: 2 ** 30 },
  })
})
