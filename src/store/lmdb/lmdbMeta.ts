import type { Buffer } from "node:buffer"
import type { Database, RootDatabase } from "lmdb"
import { encode } from "../../core/codec/decode.js"
import type { Codec } from "../../core/codec/schema.js"
import { type Meta, type MetaChanges, metaValues } from "../meta.js"
import { type ReadOptions, stored } from "./lmdbTable.js"

/** Name of the database of the meta values. Every store of Serac has it, and other LMDB files do not. */
export const META_DATABASE = "serac"

/** The meta values of a store on the disk. */
export class LmdbMeta {
  readonly #database: Database<Buffer, string>

  constructor(root: RootDatabase) {
    this.#database = root.openDB<Buffer, string>(META_DATABASE, { encoding: "binary" })
  }

  get<N extends keyof Meta>(name: N, options?: ReadOptions): Meta[N] | undefined {
    const bytes = this.#database.get(name, options)
    return bytes && stored(name, metaValues[name] as Codec<Meta[N]>, bytes)
  }

  /** Writes values. It must be called inside a transaction. */
  put(changes: MetaChanges): void {
    for (const name of Object.keys(changes) as (keyof Meta)[]) {
      const value = changes[name]
      if (value === undefined) this.#database.remove(name)
      else this.#database.put(name, encode(metaValues[name] as Codec<unknown>, value, sizeOf(value)) as Buffer)
    }
  }
}

/** Returns the size of a value that may be large. A genesis may have many megabytes. */
const sizeOf = (value: unknown): number | undefined => (value instanceof Uint8Array ? value.length + 4 : undefined)
