import { describe, expect, test } from "vitest"
import { blockOf, composerOf, FEE, idOfUtxo, owner, requestsOf, signed } from "../../test/fixtures/atomicBlocks.js"
import { idOfByte } from "../../test/fixtures/txs.js"
import { Random, seed } from "../../test/fuzz/random.js"
import { decode, encode } from "../core/codec/decode.js"
import { toHex } from "../core/lib/bytes.js"
import { Diff } from "../core/state/diff.js"
import { allTables, tables } from "../core/state/tables.js"
import { type ID, P_CHAIN_ID } from "../core/types/id.js"
import { innerOutput } from "../core/types/output.js"
import { topLevelUtxo, type Utxo, utxoID } from "../core/types/utxo.js"
import { atomicTxsIn } from "../evm/atomicTx.js"
import { encodeRlp } from "../evm/rlp.js"
import { overrideEdits } from "../producer/chain/overrides.js"
import { hostedTables, type Override, producerTables } from "../producer/tables.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import { HostedDatabase } from "./hostedDatabase.js"
import { SharedMemory } from "./sharedMemory.js"
import { SnapshotRoom } from "./snapshotRoom.js"

const [chainID, xChainID, avaxAssetID] = [idOfByte(3), idOfByte(4), idOfByte(5)]
const networkID = 12_345
const FUNDS = 1_000_000n
const { utxoOf, importOf, exportOf, lies, waiting, honest } = composerOf({
  networkID,
  chainID,
  xChainID,
  avaxAssetID,
  funds: FUNDS,
})

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

const row = { puts: [{ key: Uint8Array.of(1), value: Uint8Array.of(2) }], deletes: [] }

function accept({ memory }: ReturnType<typeof open>, block: Uint8Array, requests = requestsOf(block)): Promise<void> {
  return memory.accepting(block, async () => memory.apply(requests, [row, row]))
}

const LIED = expect.objectContaining({ code: "vm.lied" })

describe("the memory of the C-Chain", () => {
  test("changes by the transactions of its blocks as a model does, at random", async () => {
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
      await accept(chain, block)
    }
    const amounts = (utxos: readonly Utxo[]) => new Map(utxos.map((each) => [idOfUtxo(each), innerOutput(each.output).amount]))
    expect(amounts(chain.waiting(chainID, P_CHAIN_ID))).toEqual(new Map([...forC].sort()))
    expect(amounts(chain.waiting(P_CHAIN_ID, chainID))).toEqual(new Map([...forP].sort()))
    expect(funds).toBeGreaterThan(0n)
    // Exactly what its accounts have can still be put out.
    await expect(accept(chain, blockOf(signed(exportOf([funds - FEE + 1n]))))).rejects.toThrow(LIED)
    await accept(chain, blockOf(signed(exportOf([funds - FEE]))))
    await expect(accept(chain, blockOf(signed(exportOf([1n]))))).rejects.toThrow(LIED)
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

  const cases = lies.map(([name, txs, change]) => [name, txs, change] as const)
  test.each(cases)("a VM whose block %s is refused, and nothing has changed", async (_lie, txs, change) => {
    const chain = open()
    for (const utxo of waiting) chain.put(utxo)
    const before = chain.rows()
    const block = blockOf(...txs)
    await expect(accept(chain, block, change(requestsOf(block)))).rejects.toThrow(LIED)
    expect(chain.rows()).toEqual(before)
    expect(chain.overrides).toEqual([])
  })

  test("a VM that accepts a block without a word of its transactions is refused, and so is a word without a block", async () => {
    const { memory, put } = open()
    put(waiting[0]!)
    const block = blockOf(...honest)
    await expect(memory.accepting(block, async () => {})).rejects.toThrow(LIED)
    const failed = memory.accepting(block, () => Promise.reject(new Error("the plugin has ended")))
    await expect(failed).rejects.toThrow("the plugin has ended")
    // The block was not accepted, so nothing can be applied for it any more.
    expect(() => memory.apply(requestsOf(block), [row])).toThrow(LIED)
    const silent = open()
    expect(() => silent.memory.apply([], [row])).toThrow(LIED)
    for (const bytes of [Uint8Array.of(0xc1), encodeRlp([[], [], [], new Uint8Array(0), Uint8Array.of(1, 2, 3)])])
      await expect(silent.memory.accepting(bytes, async () => {})).rejects.toThrow(LIED)
  })
})
