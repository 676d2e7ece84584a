import { describe, expect, test } from "vitest"
import { keyOf } from "../../test/fixtures/keys.js"
import { idOfByte } from "../../test/fixtures/txs.js"
import { Random, seed } from "../../test/fuzz/random.js"
import { decode, encode, versioned } from "../core/codec/decode.js"
import { list } from "../core/codec/list.js"
import { hexToBytes, toHex } from "../core/lib/bytes.js"
import { Diff } from "../core/state/diff.js"
import { allTables, tables } from "../core/state/tables.js"
import { type ID, idOf, P_CHAIN_ID } from "../core/types/id.js"
import { innerOutput } from "../core/types/output.js"
import { topLevelUtxo, type Utxo, utxoID } from "../core/types/utxo.js"
import { type AtomicTx, atomicTx, atomicTxsIn, unsignedAtomicTx } from "../evm/atomicTx.js"
import { encodeRlp } from "../evm/rlp.js"
import { secp256k1 } from "../platform/backends.js"
import { overrideEdits } from "../producer/chain/overrides.js"
import { hostedTables, type Override, producerTables } from "../producer/tables.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import type { MemoryRequest } from "../vmhost/services/sharedMemory.js"
import { HostedDatabase } from "./hostedDatabase.js"
import { SharedMemory } from "./sharedMemory.js"
import { SnapshotRoom } from "./snapshotRoom.js"

const [chainID, xChainID, avaxAssetID] = [idOfByte(3), idOfByte(4), idOfByte(5)]
const networkID = 12_345
const FUNDS = 1_000_000n
/** What a transaction burns. */
const FEE = 3n
const owner = keyOf(1)
const account = new Uint8Array(20)

/** A C-Chain without a VM: its memory, over a store with the P-Chain's tables. */
function open() {
  const store = new MemoryStore({ tables: [...allTables, ...producerTables] })
  const start = new Diff(store.latest)
  start.put(tables.lastAccepted, null, { id: idOfByte(9), height: 7n })
  store.commit(start.edits)
  const overrides: Override[] = []
  const commit = (edits: Parameters<typeof store.commit>[0], made: readonly Override[]) => {
    store.commit(new Map([...overrideEdits(store.latest, made, overrides.length), ...edits]))
    overrides.push(...made)
  }
  const database = new HostedDatabase({ chainID, store, commit, room: new SnapshotRoom(1, () => {}), maxBytes: 1 << 20 })
  const memory = new SharedMemory({ chainID, networkID, avaxAssetID, store, database, genesisFunds: FUNDS })
  /** Puts a UTXO as a block of the P-Chain does. */
  const put = (utxo: Utxo) => {
    const diff = new Diff(store.latest)
    const key = { receiver: chainID, sender: P_CHAIN_ID, utxoID: idOfUtxo(utxo) }
    diff.put(tables.atomicUtxos, key, { value: encode(topLevelUtxo, utxo), traits: [owner.address] })
    store.commit(diff.edits)
  }
  const waiting = (receiver: ID, sender: ID) =>
    [...store.latest.rows(tables.atomicUtxos, { under: { receiver, sender } })].map(([, { value }]) =>
      decode(topLevelUtxo, value),
    )
  /** All rows of the tables that a block of the C-Chain may change. */
  const rows = () =>
    [tables.atomicUtxos, hostedTables.rows, hostedTables.notes].map((table) => [
      ...store.latest.rows<unknown, unknown>(table as never),
    ])
  return { memory, put, waiting, rows, overrides }
}

const idOfUtxo = ({ txID, outputIndex }: Utxo) => utxoID(txID, outputIndex)
const output = (amount: bigint, addresses = [owner.address]) =>
  ({ kind: "TransferOutput", amount, locktime: 0n, threshold: addresses.length, addresses }) as const
const utxoOf = (number: number, amount: bigint): Utxo => ({
  txID: idOfByte(number % 200),
  outputIndex: number,
  assetID: avaxAssetID,
  output: output(amount),
})

type Unsigned = AtomicTx["unsignedTx"]

function importOf(utxos: readonly Utxo[], change: object = {}): Unsigned {
  const inputs = utxos.map(({ txID, outputIndex, assetID, output: made }) => {
    const { amount } = innerOutput(made)
    return { txID, outputIndex, assetID, input: { kind: "TransferInput", amount, signatureIndices: [0] } as const }
  })
  const paid = utxos.reduce((sum, { output: made }) => sum + innerOutput(made).amount, 0n)
  const outputs = paid > FEE ? [{ address: account, amount: paid - FEE, assetID: avaxAssetID }] : []
  return { kind: "import", networkID, chainID, sourceChain: P_CHAIN_ID, inputs, outputs, ...change } as Unsigned
}

function exportOf(amounts: readonly bigint[], change: object = {}): Unsigned {
  const amount = amounts.reduce((a, b) => a + b, FEE)
  const inputs = [{ address: account, amount, assetID: avaxAssetID, nonce: 0n }]
  const outputs = amounts.map((amount) => ({ assetID: avaxAssetID, output: output(amount) }))
  return { kind: "export", networkID, chainID, destinationChain: P_CHAIN_ID, inputs, outputs, ...change } as Unsigned
}

function signed(unsignedTx: Unsigned, { secret } = owner) {
  const signature = secp256k1().sign(hexToBytes(idOf(encode(versioned(unsignedAtomicTx), unsignedTx))), secret)
  const credentials = unsignedTx.inputs.map(() => ({ kind: "Credential" as const, signatures: [signature] }))
  return { unsignedTx, credentials }
}

/** A block of the C-Chain, of which the host reads the atomic transactions alone. */
function blockOf(...txs: ReturnType<typeof signed>[]): Uint8Array {
  const empty = new Uint8Array(0)
  return encodeRlp([[empty], [], [], empty, txs.length === 0 ? empty : encode(versioned(list(atomicTx)), txs)])
}

/** What a true VM says that a block does. */
function requestsOf(block: Uint8Array): MemoryRequest[] {
  const requests = new Map<
    ID,
    { peer: ID; removes: Uint8Array[]; puts: { key: Uint8Array; value: Uint8Array; traits: Uint8Array[] }[] }
  >()
  for (const { id, unsignedTx } of atomicTxsIn(block)) {
    const peer = unsignedTx.kind === "import" ? unsignedTx.sourceChain : unsignedTx.destinationChain
    const request = requests.get(peer) ?? { peer, removes: [], puts: [] }
    requests.set(peer, request)
    if (unsignedTx.kind === "import")
      for (const { txID, outputIndex } of unsignedTx.inputs) request.removes.push(hexToBytes(utxoID(txID, outputIndex)))
    else
      for (const [outputIndex, made] of unsignedTx.outputs.entries()) {
        const value = encode(topLevelUtxo, { txID: id, outputIndex, ...made })
        request.puts.push({ key: hexToBytes(utxoID(id, outputIndex)), value, traits: [hexToBytes(owner.address)] })
      }
  }
  return [...requests.values()]
}

const row = { puts: [{ key: Uint8Array.of(1), value: Uint8Array.of(2) }], deletes: [] }

function accept({ memory }: ReturnType<typeof open>, block: Uint8Array, requests = requestsOf(block)): void {
  memory.accepting(block)
  memory.apply(requests, [row, row])
  memory.accepted()
}

const LIED = expect.objectContaining({ code: "vm.lied" })

describe("the memory of the C-Chain", () => {
  test("changes by the transactions of its blocks as a model does, at random", () => {
    const random = new Random(seed("memory of the C-Chain"))
    const chain = open()
    const [forC, forP] = [new Map<ID, bigint>(), new Map<ID, bigint>()]
    let funds = FUNDS
    for (let round = 0; round < 300; round++) {
      const utxo = utxoOf(round, BigInt(1 + random.below(1000)))
      chain.put(utxo)
      forC.set(idOfUtxo(utxo), innerOutput(utxo.output).amount)
      const txs: ReturnType<typeof signed>[] = []
      const taken = chain.waiting(chainID, P_CHAIN_ID).filter(() => random.below(3) === 0)
      if (taken.length > 0) txs.push(signed(importOf(taken)))
      for (const each of taken) forC.delete(idOfUtxo(each))
      const imported = taken.reduce((sum, each) => sum + innerOutput(each.output).amount, 0n)
      if (imported > FEE) funds += imported - FEE
      if (random.below(2) === 0) txs.push(signed(exportOf([BigInt(1 + random.below(500)), BigInt(1 + random.below(500))])))
      const block = blockOf(...txs)
      for (const { id, unsignedTx } of atomicTxsIn(block))
        if (unsignedTx.kind === "export") {
          funds -= FEE
          for (const [i, { output: made }] of unsignedTx.outputs.entries()) {
            forP.set(utxoID(id, i), innerOutput(made).amount)
            funds -= innerOutput(made).amount
          }
        }
      accept(chain, block)
    }
    const amounts = (utxos: readonly Utxo[]) => new Map(utxos.map((each) => [idOfUtxo(each), innerOutput(each.output).amount]))
    expect(amounts(chain.waiting(chainID, P_CHAIN_ID))).toEqual(new Map([...forC].sort()))
    expect(amounts(chain.waiting(P_CHAIN_ID, chainID))).toEqual(new Map([...forP].sort()))
    expect(funds).toBeGreaterThan(0n)
    // Exactly what its accounts have can still be put out.
    expect(() => accept(chain, blockOf(signed(exportOf([funds - FEE + 1n]))))).toThrow(LIED)
    accept(chain, blockOf(signed(exportOf([funds - FEE]))))
    expect(() => accept(chain, blockOf(signed(exportOf([1n]))))).toThrow(LIED)
  })

  test("is found by addresses, page by page, from the first of a page on", () => {
    const { memory, put } = open()
    const utxos = Array.from({ length: 5 }, (_, i) => utxoOf(i, 9n)).sort((a, b) => (idOfUtxo(a) < idOfUtxo(b) ? -1 : 1))
    for (const utxo of utxos) put(utxo)
    const from = { startAddress: "00".repeat(20), startKey: "00".repeat(32) }
    const query = { addresses: ["ff".repeat(20), owner.address].sort(), ...from, limit: 3 }
    const first = memory.find(P_CHAIN_ID, query)
    expect(first.values.map(toHex)).toEqual(utxos.slice(0, 3).map((each) => toHex(encode(topLevelUtxo, each))))
    expect(first).toMatchObject({ lastAddress: owner.address, lastKey: idOfUtxo(utxos[2]!) })
    const second = memory.find(P_CHAIN_ID, { ...query, startAddress: first.lastAddress, startKey: first.lastKey })
    expect(second.values.map(toHex)).toEqual(utxos.slice(2).map((each) => toHex(encode(topLevelUtxo, each))))
    expect(memory.find(xChainID, query)).toEqual({ values: [], lastAddress: "ff".repeat(20), lastKey: "" })
    expect(memory.get(P_CHAIN_ID, idOfUtxo(utxos[0]!))).toEqual(encode(topLevelUtxo, utxos[0]!))
    expect(memory.get(xChainID, idOfUtxo(utxos[0]!))).toBeUndefined()
  })

  const [mine, more] = [utxoOf(1, 50n), utxoOf(2, 60n)]
  const multisig: Utxo = { ...utxoOf(3, 70n), output: output(70n, [owner.address, keyOf(2).address]) }
  const foreign: Utxo = { ...utxoOf(4, 80n), assetID: idOfByte(6) }
  const other = { ...mine, outputIndex: 99 }
  const wrongly = (requests: MemoryRequest[], change: (request: MemoryRequest) => MemoryRequest) => requests.map(change)
  type Lie = readonly [lie: string, txs: ReturnType<typeof signed>[], change?: (requests: MemoryRequest[]) => MemoryRequest[]]
  const both = [signed(importOf([mine])), signed(exportOf([40n]))]
  const paidTo = (amount: bigint, assetID = avaxAssetID) => [{ address: account, amount, assetID }]
  const paidBy = (amount: bigint, assetID = avaxAssetID) => [{ address: account, amount, assetID, nonce: 0n }]
  const puts = ({ puts: [first] }: MemoryRequest) => first!

  const lies: readonly Lie[] = [
    ["imports what is not there", [signed(importOf([other]))]],
    ["imports a UTXO twice in a transaction", [signed(importOf([mine, mine]))]],
    ["imports a UTXO in two transactions", [signed(importOf([mine])), signed(importOf([mine, more]))]],
    ["imports from a chain that has put nothing", [signed(importOf([mine], { sourceChain: xChainID }))]],
    ["imports with the signature of another", [signed(importOf([mine]), keyOf(2))]],
    ["imports without a signature", [{ ...signed(importOf([mine])), credentials: [] }]],
    ["imports of two owners with one signature", [signed(importOf([multisig]))]],
    ["imports another asset", [signed(importOf([foreign]))]],
    ["imports more than the UTXO has", [signed(importOf([{ ...mine, output: output(51n) }]))]],
    ["pays accounts more than it imports", [signed(importOf([mine], { outputs: paidTo(51n) }))]],
    ["exports more than accounts pay", [signed(exportOf([40n], { inputs: paidBy(39n) }))]],
    ["exports what accounts pay in another asset", [signed(exportOf([40n], { inputs: paidBy(40n, idOfByte(6)) }))]],
    ["is of another network", [signed(importOf([mine], { networkID: 1 }))]],
    ["is of another chain", [signed(exportOf([1n], { chainID: xChainID }))]],
    ["exports another asset", [signed(exportOf([1n], { outputs: [{ assetID: idOfByte(6), output: output(1n) }] }))]],
    ["exports more than the chain has", [signed(exportOf([FUNDS + 1n]))]],
    [
      "asks for a remove that no import makes",
      both,
      (all) => wrongly(all, (each) => ({ ...each, removes: [...each.removes, hexToBytes(idOfUtxo(more))] })),
    ],
    ["asks for no remove", both, (all) => wrongly(all, (each) => ({ ...each, removes: [] }))],
    ["asks for no put", both, (all) => wrongly(all, (each) => ({ ...each, puts: [] }))],
    ["asks for a put twice", both, (all) => wrongly(all, (each) => ({ ...each, puts: [puts(each), puts(each)] }))],
    [
      "puts under another key",
      both,
      (all) => wrongly(all, (each) => ({ ...each, puts: [{ ...puts(each), key: new Uint8Array(32) }] })),
    ],
    [
      "puts a larger amount",
      both,
      (all) => wrongly(all, (each) => ({ ...each, puts: [{ ...puts(each), value: encode(topLevelUtxo, mine) }] })),
    ],
    [
      "puts for another owner",
      both,
      (all) => wrongly(all, (each) => ({ ...each, puts: [{ ...puts(each), traits: [account] }] })),
    ],
    ["puts for another chain", both, (all) => wrongly(all, (each) => ({ ...each, peer: xChainID }))],
    ["asks for nothing", both, () => []],
    ["asks for puts in a block without exports", [], () => requestsOf(blockOf(...both))],
  ]
  const same = (all: MemoryRequest[]) => all
  const cases = lies.map(([name, txs, change = same]) => [name, txs, change] as const)
  test.each(cases)("a VM whose block %s is refused, and nothing has changed", (_lie, txs, change) => {
    const chain = open()
    for (const utxo of [mine, more, multisig, foreign]) chain.put(utxo)
    const before = chain.rows()
    const block = blockOf(...txs)
    expect(() => accept(chain, block, change(requestsOf(block)))).toThrow(LIED)
    expect(chain.rows()).toEqual(before)
    expect(chain.overrides).toEqual([])
  })

  test("a VM that accepts a block without a word of its transactions is refused, and so is a word without a block", () => {
    const { memory, put } = open()
    put(mine)
    memory.accepting(blockOf(...both))
    expect(() => memory.accepted()).toThrow(LIED)
    const silent = open()
    expect(() => silent.memory.apply([], [row])).toThrow(LIED)
    expect(() => silent.memory.accepting(Uint8Array.of(0xc1))).toThrow(LIED)
    expect(() => silent.memory.accepting(encodeRlp([[], [], [], new Uint8Array(0), Uint8Array.of(1, 2, 3)]))).toThrow(LIED)
  })
})
