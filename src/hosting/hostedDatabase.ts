import { decode, encode } from "../core/codec/decode.js"
import { u64 } from "../core/codec/primitives.js"
import { toHex } from "../core/lib/bytes.js"
import type { Edit, Edits } from "../core/state/view.js"
import type { ID } from "../core/types/id.js"
import { hostedTables, MAX_HOSTED_KEY, type Override } from "../producer/tables.js"
import { MemoryStore } from "../store/memory/memoryStore.js"
import type { Store } from "../store/store.js"
import type { Changes, NoteName, PluginDatabase, RowsOfMoment } from "../vmhost/database/pluginDatabase.js"
import { SnapshotRoom } from "./snapshotRoom.js"

const { rows: rowTable, notes: noteTable } = hostedTables

/** The numbers of the notes about a chain. */
const NOTES: Readonly<Record<OwnNote, number>> = { position: 0, relayed: 1, size: 2, funds: 3 }

/** The notes that the database keeps, beside those of `vmhost/`: its size, and the AVAX that the C-Chain can still put out. */
type OwnNote = NoteName | "size" | "funds"

/** What a write changes beside the rows of the VM, in the same commit. */
export interface WriteBeside {
  /** What it does to the P-Chain. */
  readonly overrides: readonly Override[]
  /** The new note about funds; `undefined` to keep the present one. */
  readonly funds: Uint8Array | undefined
}

const NOTHING_BESIDE: WriteBeside = { overrides: [], funds: undefined }

export interface HostedDatabaseOptions {
  readonly chainID: ID
  /** The store of the P-Chain. */
  readonly store: Pick<Store, "latest" | "view">
  /** Writes rows to the store, after the blocks that the P-Chain has accepted. */
  commit(edits: Edits, overrides: readonly Override[]): void
  readonly room: SnapshotRoom
  /** The maximum size of the keys and values, bytes. */
  readonly maxBytes: number
}

/**
 * The database of a hosted chain: rows in the store of the P-Chain. A write is one commit of that store, so it comes after the blocks of the
 * P-Chain that the plugin has seen, and a copy or a revert of the store is one of all chains.
 */
export class HostedDatabase implements PluginDatabase {
  readonly #options: HostedDatabaseOptions
  /** True while the chains are replaced. A plugin of before may not write to the chains that come. */
  isLocked = false

  constructor(options: HostedDatabaseOptions) {
    this.#options = options
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const { store, chainID } = this.#options
    return key.length > MAX_HOSTED_KEY ? undefined : store.latest.get(rowTable, { chainID, key })
  }

  write({ puts, deletes }: Changes, { overrides, funds }: WriteBeside = NOTHING_BESIDE): void {
    const { chainID, maxBytes, room } = this.#options
    const rows = new Map<string, Edit>()
    const before: (readonly [string, Uint8Array | undefined])[] = []
    let size = this.size()
    const change = (key: Uint8Array, value: Uint8Array | undefined) => {
      const old = this.get(key)
      const text = chainID + toHex(key)
      size += (value ? key.length + value.length : 0) - (old ? key.length + old.length : 0)
      before.push([text, old])
      rows.set(text, { value, isNew: false })
    }
    for (const { key } of deletes) if (key.length <= MAX_HOSTED_KEY) change(key, undefined)
    for (const { key, value } of puts) {
      if (key.length > MAX_HOSTED_KEY) throw new Error(`a key has ${key.length} bytes, and may have ${MAX_HOSTED_KEY}`)
      // The message of the plugin, of which the value is a part, may be large.
      change(key, Uint8Array.from(value))
    }
    if (size > maxBytes) throw new Error(`the database takes more than ${maxBytes} bytes`)
    const notes = [this.#noteEdit("size", encode(u64, BigInt(size))), ...(funds ? [this.#noteEdit("funds", funds)] : [])]
    this.#commit(
      [
        [rowTable, rows],
        [noteTable, new Map(notes)],
      ],
      overrides,
    )
    room.take(before)
  }

  view(): RowsOfMoment {
    const { store, chainID } = this.#options
    const view = store.view()
    return {
      *rows(start, prefix) {
        const first = Buffer.compare(start, prefix) > 0 ? start : prefix
        for (const [{ key }, value] of view.rows(rowTable, { under: { chainID }, from: { key: first } })) {
          if (Buffer.compare(key.subarray(0, prefix.length), prefix) !== 0) return
          yield [key, value]
        }
      },
      release: () => view.release(),
    }
  }

  note(name: OwnNote): Uint8Array | undefined {
    const { store, chainID } = this.#options
    return store.latest.get(noteTable, { chainID, note: NOTES[name] })
  }

  setNote(name: NoteName, value: Uint8Array): void {
    this.#commit([[noteTable, new Map([this.#noteEdit(name, value)])]])
  }

  size(): number {
    const size = this.note("size")
    return size ? Number(decode(u64, size)) : 0
  }

  #noteEdit(name: OwnNote, value: Uint8Array): readonly [text: string, Edit] {
    return [noteTable.key.toText({ chainID: this.#options.chainID, note: NOTES[name] }), { value, isNew: false }]
  }

  #commit(
    edits: readonly (readonly [typeof rowTable | typeof noteTable, ReadonlyMap<string, Edit>])[],
    overrides: readonly Override[] = [],
  ): void {
    if (this.isLocked) throw new Error("the chains of this node are being replaced")
    this.#options.commit(new Map<Parameters<Edits["get"]>[0], ReadonlyMap<string, Edit>>(edits), overrides)
  }
}

/** Makes a database of which nothing stays. */
export function databaseInMemory(chainID: ID, maxBytes: number): HostedDatabase {
  const store = new MemoryStore({ tables: Object.values(hostedTables) })
  const room = new SnapshotRoom(maxBytes, () => {})
  return new HostedDatabase({ chainID, store, commit: (edits) => store.commit(edits), room, maxBytes })
}
