import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { encode } from "../../src/codec/decode.js"
import { hexToBytes, toHex } from "../../src/lib/bytes.js"
import { type Json, parseJson, printJson } from "../../src/lib/json.js"
import { AVAX } from "../../src/networks/params.js"
import { type PrivateChain, startPrivateChain } from "../../src/node/privateChain.js"
import { type Parts, Purse } from "../../src/producer/funds/wallet.js"
import { accountsOf } from "../../src/producer/keys/accounts.js"
import { blankTx } from "../../src/producer/keys/credentials.js"
import { silent } from "../../src/producer/ports.js"
import { devMethods } from "../../src/rpc/dev/index.js"
import { tables } from "../../src/state/tables.js"
import type { Tx } from "../../src/txs/tx.js"
import { topLevelUnsignedTx, type UnsignedTx } from "../../src/txs/unsignedTx.js"
import { type Address, addressText } from "../../src/types/address.js"
import { fromHexText, toHexText } from "../../src/types/hexText.js"
import { idText, nodeIDText, P_CHAIN_ID } from "../../src/types/id.js"
import { decodeSignedMessage, unsignedMessage } from "../../src/types/warp/message.js"
import { encodePayload } from "../../src/types/warp/payload.js"

const START = 1_900_000_000n
const DAY = 86_400

/** A private chain over HTTP whose clock stands still. */
async function start(changes: Partial<Parameters<typeof startPrivateChain>[0]> = {}): Promise<PrivateChain> {
  return startPrivateChain({
    isEphemeral: true,
    choice: { now: START },
    dialect: "contract",
    isPublic: false,
    http: { port: 0 },
    producer: { startTime: START, isFrozen: true, accounts: { count: 4 } },
    log: silent as never,
    wall: () => Number(START) * 1000,
    ...changes,
  })
}

interface Answer {
  readonly result?: Json
  readonly error?: { readonly code: number; readonly message: string; readonly data: { readonly code: string } }
}

let chain: PrivateChain
beforeAll(async () => {
  chain = await start()
})
afterAll(() => chain.stop())

async function post(url: string, method: string, params: Json, headers: Record<string, string> = {}): Promise<Response> {
  const path = method.startsWith("dev.") ? "/ext/dev" : "/ext/bc/P"
  const body = printJson({ jsonrpc: "2.0", id: 1, method, params })
  return fetch(url + path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body })
}

async function ask(method: string, params: Json = {}): Promise<Answer> {
  const response = await post(chain.listening!.url, method, params)
  expect(response.status).toBe(200)
  return parseJson(await response.text()) as Answer
}

async function call<T = Record<string, never>>(method: string, params: Json = {}): Promise<T> {
  const { result, error } = await ask(method, params)
  expect(error).toBeUndefined()
  return result as T
}

/** The code that a call is refused with. */
async function refused(method: string, params: Json = {}): Promise<string | undefined> {
  return (await ask(method, params)).error?.data.code
}

const keys = accountsOf({ count: 4 })
const addressOf = (index: number) => addressText(keys[index]!.address, "local")
const STRANGER = addressText("ab".repeat(20) as Address, "local")

/** A transaction of an account at the price of now. */
function made(index: number, kind: UnsignedTx["kind"] = "BaseTx", fields: object = {}): Tx {
  const { producer, data } = chain
  const now = producer!.now()
  const { latest } = producer!.options.store
  const make = (parts: Parts) => ({ kind, ...parts, ...fields }) as unknown as UnsignedTx
  return new Purse(latest, keys[index]!, data.rules, { now }).pay({ amount: 0n, make }, producer!.treasury.price(now))
}

/** Puts everything back after a test. */
async function undone(action: () => Promise<void>): Promise<void> {
  const { id } = await call<{ id: number }>("dev.snapshot")
  try {
    await action()
  } finally {
    await call("dev.revert", { id })
  }
}

const each = (name: string, action: () => Promise<void>) => test(name, () => undone(action))

each("dev.status says how the chain stands", async () => {
  expect(await call("dev.status")).toMatchObject({
    clock: String(START),
    offset: "0",
    frozen: true,
    chainTime: String(START),
    height: "1",
    blockMode: { mode: "auto" },
    overrides: 0,
    mempool: 0,
  })
  await call("dev.setBlockMode", { mode: "interval", seconds: 0.5 })
  expect(await call("dev.status")).toMatchObject({ blockMode: { mode: "interval", seconds: 0.5 } })
})

each("dev.advanceTime goes forward, by seconds or to a time, and brings chain time along if asked", async () => {
  const none = { blocks: 0, rewarded: 0, aborted: 0, deactivated: 0 }
  const at = (seconds: bigint) => String(START + seconds)
  expect(await call("dev.advanceTime", { seconds: 10 })).toEqual({ ...none, clock: at(10n), chainTime: at(0n), height: "1" })
  const settled = { ...none, clock: at(20n), chainTime: at(20n), height: "2", blocks: 1 }
  expect(await call("dev.advanceTime", { to: at(20n), settle: true })).toEqual(settled)
  expect(await call("dev.advanceTime", { to: "2030-03-17T17:47:10Z" })).toMatchObject({ clock: at(30n) })
  expect(await refused("dev.advanceTime", { to: Number(START) })).toBe("producer.time_in_the_past")
  expect(await refused("dev.advanceTime", { to: "2020-01-01T00:00:00Z" })).toBe("producer.time_in_the_past")
  expect(await refused("dev.advanceTime", { seconds: 300_000_000_000 })).toBe("producer.time_too_far")
  expect(await refused("dev.advanceTime")).toBe("dev.seconds_or_to")
  expect(await refused("dev.advanceTime", { seconds: 1, to: 1 })).toBe("dev.seconds_or_to")
  expect(await refused("dev.advanceTime", { seconds: -1 })).toBe("rpc.bad_param")
  expect(await refused("dev.advanceTime", { to: "tomorrow" })).toBe("rpc.bad_param")
})

each("dev.setTime freezes the clock or lets it run", async () => {
  expect(await call("dev.setTime", { to: Number(START) + 5, frozen: false })).toMatchObject({ clock: String(START + 5n) })
  expect(await call("dev.status")).toMatchObject({ frozen: false, offset: "5" })
  expect(await call("dev.setTime", { to: Number(START) + 6 })).toMatchObject({ clock: String(START + 6n) })
  expect(await call("dev.status")).toMatchObject({ frozen: false })
  expect(await refused("dev.setTime", {})).toBe("rpc.missing_param")
  expect(await refused("dev.setTime", { to: 5 })).toBe("producer.time_in_the_past")
})

each("dev.mine packs what waits, and fills blocks if asked", async () => {
  expect(await call("dev.mine")).toEqual({ height: "1", blocks: 0 })
  expect(await call("dev.mine", { blocks: 3, filler: true })).toEqual({ height: "4", blocks: 3 })
  await call("dev.setBlockMode", { mode: "manual" })
  await call("platform.issueTx", { tx: toHexText(made(0).bytes) })
  expect(await call("dev.mine", { blocks: 5 })).toEqual({ height: "5", blocks: 1 })
  expect(await refused("dev.mine", { blocks: 0 })).toBe("dev.bad_count")
  expect(await refused("dev.mine", { blocks: 100_001 })).toBe("dev.bad_count")
})

each("dev.setBlockMode takes three modes", async () => {
  for (const mode of ["interval", "manual", "auto"]) expect(await call("dev.setBlockMode", { mode })).toEqual({})
  expect(await refused("dev.setBlockMode", { mode: "never" })).toBe("rpc.bad_param")
  expect(await refused("dev.setBlockMode", { mode: "interval", seconds: 0 })).toBe("dev.bad_interval")
  expect(await refused("dev.setBlockMode", {})).toBe("rpc.missing_param")
})

each("dev.snapshot and dev.revert go back", async () => {
  const { id, height } = await call<{ id: number; height: string }>("dev.snapshot")
  expect(height).toBe("1")
  await call("dev.mine", { filler: true })
  expect(await call("dev.revert", { id })).toEqual({ height: "1" })
  expect(await call("platform.getHeight")).toEqual({ height: "1" })
  expect(await refused("dev.revert", { id: id + 1 })).toBe("producer.unknown_snapshot")
})

each("dev.fund pays out of the well-known key, and conjures what cannot be paid", async () => {
  const paid = await call<{ txID: string; utxoID: string }>("dev.fund", { address: STRANGER, amount: 5 })
  expect(await call("platform.getTxStatus", { txID: paid.txID })).toEqual({ status: "Committed" })
  const shared = { addresses: [STRANGER, addressOf(0)], threshold: 2, amount: "7", locktime: "2031-01-01T00:00:00Z" }
  expect(Object.keys(await call("dev.fund", shared)).sort()).toEqual(["txID", "utxoID"])
  const locked = await call<{ txID?: string }>("dev.fund", {
    address: STRANGER,
    amount: 9,
    stakeableLocktime: Number(START) + 100,
  })
  expect(locked.txID).toBeUndefined()
  const balance = await call<Record<string, string>>("platform.getBalance", { addresses: [STRANGER] })
  expect([balance.unlocked, balance.lockedStakeable, balance.lockedNotStakeable]).toEqual(["5", "9", "7"])
  expect(await call("dev.status")).toMatchObject({ overrides: 1, height: "3" })
  expect(await refused("dev.fund", { amount: 5 })).toBe("dev.address_or_addresses")
  expect(await refused("dev.fund", { address: STRANGER, addresses: [STRANGER], amount: 5 })).toBe("dev.address_or_addresses")
  expect(await refused("dev.fund", { addresses: [], amount: 5 })).toBe("dev.no_addresses")
  expect(await refused("dev.fund", { address: "nobody", amount: 5 })).toBe("platform.bad_address")
  expect(await refused("dev.fund", { address: STRANGER })).toBe("rpc.missing_param")
  expect(await refused("dev.fund", { address: STRANGER, amount: 0 })).toBe("types.zero_output")
  expect(await refused("dev.fund", { address: STRANGER, amount: 1, threshold: 2 })).toBe("types.owner_unspendable")
  expect(await refused("dev.fund", { address: STRANGER, amount: "99000000000000000" })).toBe("producer.insufficient_funds")
})

each("dev.creditAtomic leaves something to import", async () => {
  const { utxo } = await call<{ utxo: string }>("dev.creditAtomic", {
    sourceChain: "X",
    address: addressOf(0),
    amount: String(AVAX),
  })
  const waiting = { addresses: [addressOf(0)], sourceChain: "X" }
  expect(await call("platform.getUTXOs", waiting)).toMatchObject({ utxos: [utxo] })
  const { txID, outputIndex, assetID } = [...chain.producer!.options.store.latest.rows(tables.atomicUtxos)].map(([key]) => ({
    ...utxoOf(utxo),
    key,
  }))[0]!
  const input = { kind: "TransferInput" as const, amount: AVAX, signatureIndices: [0] }
  const importedInputs = [{ txID, outputIndex, assetID, input }]
  const tx = made(0, "ImportTx", { sourceChain: chain.data.genesis.xChainID, importedInputs })
  await call("platform.issueTx", { tx: toHexText(tx.bytes) })
  expect(await call("platform.getUTXOs", waiting)).toMatchObject({ utxos: [] })
  expect(await refused("dev.creditAtomic", { sourceChain: "P", address: STRANGER, amount: 1 })).toBe("dev.not_a_source")
  expect(await refused("dev.creditAtomic", { sourceChain: "Q", address: STRANGER, amount: 1 })).toBe("dev.not_a_source")
  expect(await refused("dev.creditAtomic", { sourceChain: "X", address: "x", amount: 1 })).toBe("platform.bad_address")
  expect(await refused("dev.creditAtomic", { sourceChain: "X", address: STRANGER, amount: 0 })).toBe("types.zero_output")
})

function utxoOf(text: string) {
  const bytes = fromHexText(text)
  const at = (from: number, to: number) => toHex(bytes.subarray(from, to)) as never
  return { txID: at(2, 34), outputIndex: new DataView(bytes.buffer, bytes.byteOffset).getUint32(34), assetID: at(38, 70) }
}

interface Added {
  readonly nodeIDs: readonly string[]
  readonly blsKeys: readonly { readonly publicKey: string; readonly secret: string }[]
  readonly txIDs: readonly string[]
  readonly seconds: string
}

each("dev.addValidators stakes by real transactions, and moves the clock where gas runs out", async () => {
  const added = await call<Added>("dev.addValidators", { count: 2, delegators: 1, duration: DAY })
  expect([added.nodeIDs.length, added.blsKeys.length, added.txIDs.length, added.seconds]).toEqual([2, 2, 4, "0"])
  const { validators } = await call<{ validators: { nodeID: string; uptime: string; connected: boolean }[] }>(
    "platform.getCurrentValidators",
    { nodeIDs: added.nodeIDs },
  )
  expect(validators.map(({ nodeID }) => nodeID).sort()).toEqual([...added.nodeIDs].sort())
  expect(validators.map(({ uptime, connected }) => [uptime, connected])).toEqual([
    ["100.0000", true],
    ["100.0000", true],
  ])
  const many = await call<Added>("dev.addValidators", { count: 5, delegators: 60, weight: String(3_000n * AVAX) })
  expect(Number(many.seconds)).toBeGreaterThan(0)
  expect(await call("dev.status")).toMatchObject({ clock: String(START + BigInt(many.seconds)) })
  expect(await refused("dev.addValidators", { count: 0 })).toBe("dev.bad_count")
  expect(await refused("dev.addValidators", { count: 20_001 })).toBe("dev.bad_count")
  expect(await refused("dev.addValidators", { count: 1, delegators: 20_001 })).toBe("dev.bad_count")
  expect(await refused("dev.addValidators", { count: 1, weight: 5 })).toBe("rules.weight_too_small")
  expect(await refused("dev.addValidators", { count: 1, duration: 5 })).toBe("rules.stake_too_short")
  expect(await refused("dev.addValidators", { count: 20_000 })).toBe("producer.insufficient_funds")
  expect(await refused("dev.addValidators", {})).toBe("rpc.missing_param")
})

each("dev.setUptime decides on rewards", async () => {
  const { nodeIDs } = await call<Added>("dev.addValidators", { count: 1, duration: DAY })
  const nodeID = nodeIDs[0]!
  const seen = async () => {
    const { validators } = await call<{ validators: { uptime: string; connected: boolean }[] }>("platform.getCurrentValidators", {
      nodeIDs,
    })
    return [validators[0]?.uptime, validators[0]?.connected]
  }
  expect(await call("dev.setUptime", { nodeID, percent: 0 })).toEqual({})
  expect(await seen()).toEqual(["0.0000", false])
  await call("dev.setUptime", { nodeID, percent: null })
  expect(await seen()).toEqual(["100.0000", true])
  await call("dev.setUptime", { nodeID, percent: 79.99 })
  expect(await call("dev.advanceTime", { seconds: DAY })).toMatchObject({ rewarded: 0, aborted: 1 })
  expect(await refused("dev.setUptime", { nodeID, percent: 101 })).toBe("dev.bad_percent")
  expect(await refused("dev.setUptime", { nodeID, percent: -1 })).toBe("dev.bad_percent")
  expect(await refused("dev.setUptime", { nodeID: "NodeID-x", percent: 1 })).toBe("rpc.bad_param")
  expect(await refused("dev.setUptime", { percent: 1 })).toBe("rpc.missing_param")
})

each("dev.signWarpMessage signs as the validators would", async () => {
  const payload = encodePayload({ kind: "Hash", hash: "ab".repeat(32) as never })
  const message = encode(unsignedMessage, { networkID: 12345, sourceChainID: P_CHAIN_ID, payload })
  const five = chain.data.genesis.validators.map(({ unsignedTx }) => nodeIDText(unsignedTx.validator.nodeID))
  const unsigned = `0x${toHex(message)}`
  const { signedMessage } = await call<{ signedMessage: string }>("dev.signWarpMessage", { unsignedMessage: unsigned })
  expect(toHex(decodeSignedMessage(hexToBytes(signedMessage.slice(2))).signature.signers)).toBe("1f")
  const checked = { unsignedMessage: toHexText(message), signers: five.slice(0, 4) }
  expect(await call("dev.signWarpMessage", checked)).not.toEqual({ signedMessage })
  expect(await refused("dev.signWarpMessage", { unsignedMessage: unsigned, signers: five.slice(0, 3) })).toBe("rules.warp_weight")
  const identity = await call<{ nodeID: string; secret: string }>("dev.newIdentity")
  const strangers = (signers: Json) => refused("dev.signWarpMessage", { unsignedMessage: unsigned, signers })
  expect(await strangers([identity.nodeID])).toBe("producer.unknown_signer")
  expect(await strangers([identity.secret])).toBe("producer.unknown_signer")
  expect(await strangers(["0x12"])).toBe("dev.bad_signer")
  expect(await strangers(["NodeID-x"])).toBe("dev.bad_signer")
  expect(await strangers([])).toBe("producer.no_signers")
  expect(await strangers([`0x${"ff".repeat(32)}`])).toBe("crypto.bls_bad_secret")
  expect(await refused("dev.signWarpMessage", { unsignedMessage: "12" })).toBe("dev.bad_hex")
  expect(await refused("dev.signWarpMessage", { unsignedMessage: "0x1" })).toBe("dev.bad_hex")
  expect(await refused("dev.signWarpMessage", { unsignedMessage: "0x0000" })).toMatch(/^codec\./)
  const foreign = encode(unsignedMessage, { networkID: 1, sourceChainID: P_CHAIN_ID, payload })
  expect(await refused("dev.signWarpMessage", { unsignedMessage: `0x${toHex(foreign)}` })).toBe("producer.wrong_network")
  const nowhere = { unsignedMessage: unsigned, subnetID: idText("77".repeat(32) as never) }
  expect(await refused("dev.signWarpMessage", nowhere)).toBe("producer.no_signers")
})

each("dev.newIdentity makes another one each time, with a proof that holds", async () => {
  const first = await call<Record<string, string>>("dev.newIdentity")
  expect(Object.entries(first).map(([name, value]) => [name, value.length])).toEqual([
    ["nodeID", first.nodeID!.length],
    ["publicKey", 98],
    ["proofOfPossession", 194],
    ["secret", 66],
  ])
  expect(await call("dev.newIdentity")).not.toEqual(first)
})

each("dev.impersonate lets anyone act for an owner, until it is stopped", async () => {
  const tx = toHexText(blankTx(made(1).unsignedTx).bytes)
  expect(await refused("platform.issueTx", { tx })).toMatch(/^crypto\./)
  await call("dev.advanceTime", { seconds: 1 })
  expect(await call("dev.impersonate", { addresses: [addressOf(1)] })).toEqual({})
  await call("platform.issueTx", { tx })
  expect(await call("dev.stopImpersonating", { addresses: [addressOf(1)] })).toEqual({})
  expect(await refused("platform.issueTx", { tx: toHexText(blankTx(made(1).unsignedTx).bytes) })).toMatch(/^crypto\./)
  for (const method of ["dev.impersonate", "dev.stopImpersonating"]) {
    expect(await refused(method, { addresses: [] })).toBe("dev.no_addresses")
    expect(await refused(method, { addresses: ["x"] })).toBe("platform.bad_address")
    expect(await refused(method, {})).toBe("rpc.missing_param")
  }
})

interface Simulated {
  readonly ok: boolean
  readonly error?: { readonly message: string; readonly data: { readonly code: string } }
  readonly fee: string
  readonly complexity: Record<string, string>
  readonly consumed: readonly Json[]
  readonly produced: readonly Json[]
  readonly changes: readonly { readonly table: string; readonly before: Json; readonly after: Json }[]
}

each("dev.simulateTx tells what a transaction would do, signed or not, and keeps nothing", async () => {
  const owner = { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [keys[2]!.address] }
  const tx = made(2, "CreateSubnetTx", { owner })
  const signed = await call<Simulated>("dev.simulateTx", { tx: toHexText(tx.bytes) })
  expect(signed).toMatchObject({ ok: true, complexity: { dbRead: "1", dbWrite: "3", compute: "200" } })
  expect([signed.consumed.length, signed.produced.length]).toEqual([1, 1])
  expect(signed.changes.map(({ table, before }) => [table, before])).toEqual([
    ["subnets", null],
    ["subnetOwners", null],
  ])
  const unsigned = encode(topLevelUnsignedTx, tx.unsignedTx)
  const { ok, fee, complexity, consumed } = await call<Simulated>("dev.simulateTx", { tx: `0x${toHex(unsigned)}` })
  expect({ ok, fee, complexity, consumed }).toEqual({
    ok,
    fee: signed.fee,
    complexity: signed.complexity,
    consumed: signed.consumed,
  })
  expect(ok).toBe(true)
  const forged = await call<Simulated>("dev.simulateTx", { tx: toHexText(blankTx(tx.unsignedTx).bytes) })
  expect(forged).toMatchObject({ ok: false, fee: signed.fee, consumed: [], produced: [], changes: [] })
  expect(forged.error?.data.code).toMatch(/^crypto\./)
  expect(await call("platform.getHeight")).toEqual({ height: "1" })
  expect(await refused("dev.simulateTx", { tx: "12" })).toBe("dev.bad_hex")
  expect(await refused("dev.simulateTx", { tx: "0x00" })).toMatch(/^codec\./)
  expect(await refused("dev.simulateTx", {})).toBe("rpc.missing_param")
})

each("dev.mempool shows what waits, and dev.dropTx drops it", async () => {
  await call("dev.setBlockMode", { mode: "manual" })
  const tx = made(3)
  await call("platform.issueTx", { tx: toHexText(tx.bytes) })
  const { txs } = await call<{ txs: { txID: string; gas: string; burned: string }[] }>("dev.mempool")
  expect(txs).toEqual([{ txID: idText(tx.id), kind: "BaseTx", gas: txs[0]!.gas, burned: txs[0]!.gas, size: tx.bytes.length }])
  expect(await call("dev.dropTx", { txID: idText(tx.id) })).toEqual({})
  expect(await call("dev.mempool")).toEqual({ txs: [] })
  expect(await call("platform.getTxStatus", { txID: idText(tx.id) })).toMatchObject({ status: "Dropped" })
  expect(await refused("dev.dropTx", { txID: idText(tx.id) })).toBe("producer.not_waiting")
  expect(await refused("dev.dropTx", { txID: "x" })).toBe("rpc.bad_param")
})

each("dev.waitForTx answers when something became of a transaction, or when time is up", async () => {
  await call("dev.setBlockMode", { mode: "manual" })
  const [tx, other] = [made(3), made(2)]
  for (const each of [tx, other]) await call("platform.issueTx", { tx: toHexText(each.bytes) })
  const txID = idText(tx.id)
  expect(await call("dev.waitForTx", { txID, timeout: 0 })).toEqual({ status: "Processing" })
  const dropped = call("dev.waitForTx", { txID: idText(other.id) })
  await call("dev.dropTx", { txID: idText(other.id) })
  expect(await dropped).toMatchObject({ status: "Dropped" })
  const waiting = call("dev.waitForTx", { txID })
  await call("dev.mine")
  expect(await waiting).toEqual({ status: "Committed", height: "2" })
  expect(await call("dev.waitForTx", { txID })).toEqual({ status: "Committed", height: "2" })
  const unknown = { txID: idText("77".repeat(32) as never), timeout: 0.001 }
  expect(await call("dev.waitForTx", unknown)).toEqual({ status: "Unknown" })
  expect(await refused("dev.waitForTx", { txID, timeout: 26 })).toBe("dev.bad_timeout")
  expect(await refused("dev.waitForTx", { txID, timeout: -1 })).toBe("dev.bad_timeout")
  expect(await refused("dev.waitForTx", {})).toBe("rpc.missing_param")
})

test("dev.dumpState and dev.loadState carry a whole chain over, and dev.reset begins anew", async () => {
  const source = await start()
  const target = chain
  try {
    chain = source
    await call("dev.addValidators", { count: 1, duration: DAY })
    await call("dev.setBlockMode", { mode: "manual" })
    const tx = made(0)
    await call("platform.issueTx", { tx: toHexText(tx.bytes) })
    await call("dev.fund", { address: STRANGER, amount: 9, stakeableLocktime: Number(START) + 100 })
    await call("dev.setTime", { to: Number(START) + 77 })
    const { state } = await call<{ state: string }>("dev.dumpState")
    const status = await call<Record<string, Json>>("dev.status")
    chain = target
    // In the mode of this node, which is auto, what waited gets its block.
    expect(await call("dev.loadState", { state })).toEqual({ height: String(Number(status.height) + 1) })
    const loaded = await call<Record<string, Json>>("dev.status")
    expect(loaded).toMatchObject({ clock: String(START + 77n), overrides: 1, blockMode: { mode: "auto" } })
    expect(await call("dev.waitForTx", { txID: idText(tx.id) })).toMatchObject({ status: "Committed" })
    expect(await call("platform.getBalance", { addresses: [STRANGER] })).toMatchObject({ balance: "9" })

    expect(await refused("dev.loadState", { state: "!!" })).toBe("dev.bad_base64")
    expect(await refused("dev.loadState", { state: "aGVsbG8gd29ybGQh" })).toBe("producer.bad_dump")
    expect(await refused("dev.loadState", {})).toBe("rpc.missing_param")
    const bytes = Buffer.from(state, "base64")
    bytes[11] = 9
    expect(await refused("dev.loadState", { state: bytes.toString("base64") })).toBe("producer.newer_dump")
    bytes[11] = 1
    bytes[40]! ^= 0xff
    expect(await refused("dev.loadState", { state: bytes.toString("base64") })).toBe("producer.bad_dump")

    expect(await call("dev.reset")).toEqual({ height: "1" })
    expect(await call("dev.status")).toMatchObject({ clock: String(START), overrides: 0, mempool: 0, snapshots: [] })
    const other = await start({ choice: { now: START, ruleFlags: { "min-stake-duration": "5s" } } })
    try {
      chain = other
      expect(await refused("dev.loadState", { state })).toBe("producer.other_dump")
    } finally {
      await other.stop()
    }
  } finally {
    chain = target
    await source.stop()
  }
})

describe("who may call", () => {
  const status = (url: string, headers: Record<string, string> = {}) =>
    post(url, "dev.status", {}, headers).then((response) => response.status)

  test("pages of this machine may, foreign ones may not", async () => {
    const { url } = chain.listening!
    expect(await status(url, { origin: "http://localhost:3000" })).toBe(200)
    expect(await status(url, { origin: "https://evil.example" })).toBe(403)
  })

  test("a public node has no dev interface", async () => {
    const open = await start({ isPublic: true })
    expect(await status(open.listening!.url)).toBe(404)
    await open.stop()
  })
})

test("the examples are true, one after the other, where the clock stands still", async () => {
  const target = chain
  chain = await start({ producer: { startTime: START, isFrozen: true } })
  try {
    for (const { name, examples } of devMethods) {
      for (const { params, result } of examples) expect([name, await call(name, params)]).toEqual([name, result])
    }
  } finally {
    await chain.stop()
    chain = target
  }
})

test("every method has a test here that calls it", async () => {
  const { readFileSync } = await import("node:fs")
  const text = readFileSync(new URL(import.meta.url), "utf8")
  expect(devMethods.map(({ name }) => name).filter((name) => !text.includes(`"${name}"`))).toEqual([])
})
