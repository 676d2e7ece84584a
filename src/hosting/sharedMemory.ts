import { decode } from "../core/codec/decode.js"
import { utf8 } from "../core/lib/bytes.js"
import { Invalid } from "../core/lib/invalid.js"
import { tables } from "../core/state/tables.js"
import type { Address } from "../core/types/address.js"
import type { ID } from "../core/types/id.js"
import { topLevelUtxo, type Utxo } from "../core/types/utxo.js"
import { type AtomicTx, atomicTxsIn } from "../evm/atomicTx.js"
import type { Override } from "../producer/tables.js"
import type { Store } from "../store/store.js"
import type { Changes } from "../vmhost/database/pluginDatabase.js"
import type { MemoryPage, MemoryQuery, MemoryRequest, SharedMemoryPort } from "../vmhost/services/sharedMemory.js"
import { checkRequests, effectOf, lie, type MemoryRules } from "./blockMemory.js"
import type { HostedDatabase } from "./hostedDatabase.js"

export interface SharedMemoryOptions extends Omit<MemoryRules, "utxoOf"> {
  /** The store of the P-Chain, with its table of what chains have put for each other. */
  readonly store: Pick<Store, "latest">
  readonly database: HostedDatabase
  /** The AVAX of the chain's accounts at genesis, nAVAX rounded up. */
  readonly genesisFunds: bigint
}

/**
 * The memory that the C-Chain shares with the P-Chain. A block of the C-Chain changes it in one commit with the rows of its VM, as far as the
 * transactions of the block do.
 */
export class SharedMemory implements SharedMemoryPort {
  readonly #options: SharedMemoryOptions
  /** The transactions of the block that is being accepted; `undefined` between two blocks, and once they are applied. */
  #due: readonly AtomicTx[] | undefined

  constructor(options: SharedMemoryOptions) {
    this.#options = options
  }

  get(peer: ID, key: ID): Uint8Array | undefined {
    const { store, chainID } = this.#options
    return store.latest.get(tables.atomicUtxos, { receiver: chainID, sender: peer, utxoID: key })?.value
  }

  find(sender: ID, { addresses, startAddress, startKey, limit }: MemoryQuery): MemoryPage {
    const { store, chainID: receiver } = this.#options
    const values = new Map<ID, Uint8Array>()
    let [lastAddress, lastKey] = [startAddress, startKey]
    for (const address of addresses.filter((each) => each >= startAddress)) {
      lastAddress = address
      lastKey = ""
      const from = address === startAddress ? { from: { utxoID: startKey.padEnd(64, "0").slice(0, 64) as ID } } : {}
      for (const [{ utxoID }] of store.latest.rows(tables.atomicByAddress, {
        under: { receiver, sender, address: address as Address },
        ...from,
      })) {
        if (values.size === limit) return { values: [...values.values()], lastAddress, lastKey }
        lastKey = utxoID
        values.set(utxoID, this.get(sender, utxoID) as Uint8Array)
      }
    }
    return { values: [...values.values()], lastAddress, lastKey }
  }

  async accepting(block: Uint8Array, accept: () => Promise<void>): Promise<void> {
    this.#due = txsOf(block)
    try {
      await accept()
      if (this.#due && this.#due.length > 0) throw lie("the VM has accepted a block without applying its transactions")
    } finally {
      // A VM that failed may not apply them later, to another block.
      this.#due = undefined
    }
  }

  apply(requests: readonly MemoryRequest[], changes: readonly Changes[]): void {
    const txs = this.#due
    if (!txs) throw lie("the VM changes the memory of the chains without accepting a block")
    const utxoOf = (peer: ID, key: ID): Utxo | undefined => {
      const value = this.get(peer, key)
      return value && decode(topLevelUtxo, value)
    }
    const { changes: done, toAccounts } = effectOf(txs, { ...this.#options, utxoOf })
    checkRequests(requests, done)
    const funds = this.#fundsAfter(toAccounts)
    const { database, chainID } = this.#options
    database.write(united(changes), {
      overrides: done.map((change): Override => ({ kind: "sharedMemory", chainID, ...change })),
      funds: done.length > 0 ? utf8(String(funds)) : undefined,
    })
    this.#due = undefined
  }

  /** The AVAX of the chain's accounts after a block, nAVAX: that of its genesis and of its imports, without its exports. Throws `vm.lied`. */
  #fundsAfter(toAccounts: bigint): bigint {
    const { database, genesisFunds } = this.#options
    const funds = (fundsIn(database) ?? genesisFunds) + toAccounts
    if (funds < 0n) throw lie(`the chain would put out ${-funds} nAVAX more than it has ever had`)
    return funds
  }
}

/** Returns the atomic transactions of a block. Throws `vm.lied` if it cannot be read. */
function txsOf(block: Uint8Array): readonly AtomicTx[] {
  try {
    return atomicTxsIn(block)
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof Invalid)) throw error
    throw lie(`its block cannot be read: ${error.message}`)
  }
}

/** Returns the AVAX that the accounts of a C-Chain have by its ledger, nAVAX; `undefined` if no transaction has moved AVAX between chains yet. */
export function fundsIn(database: Pick<HostedDatabase, "note">): bigint | undefined {
  const noted = database.note("funds")
  return noted && BigInt(Buffer.from(noted).toString())
}

/** Returns the changes of several writes as one, in which a key occurs once. */
function united(changes: readonly Changes[]): Changes {
  const values = new Map<string, { readonly key: Uint8Array; readonly value: Uint8Array | undefined }>()
  for (const { puts, deletes } of changes) {
    for (const { key } of deletes) values.set(Buffer.from(key).toString("hex"), { key, value: undefined })
    for (const { key, value } of puts) values.set(Buffer.from(key).toString("hex"), { key, value })
  }
  const all = [...values.values()]
  return {
    puts: all.flatMap(({ key, value }) => (value ? [{ key, value }] : [])),
    deletes: all.filter(({ value }) => value === undefined),
  }
}
