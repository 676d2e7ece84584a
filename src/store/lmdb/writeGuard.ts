import { isFinalFailure } from "../errors.js"
import { lmdbFailure } from "./lmdbFailure.js"
import type { LmdbStats } from "./lmdbTable.js"
import { commitBytes, DiskRoom } from "./room.js"
import { type StoreFiles, systemFiles } from "./storeFiles.js"

/** What a write may add to an LMDB file. */
export interface GuardedWrite {
  /** The statistics of the file, and of the database in it that is written. */
  readonly file: Pick<LmdbStats, "pageSize" | "lastPageNumber">
  readonly stats: LmdbStats
  readonly rows: number
  /** The bytes of the keys and values. */
  readonly bytes: number
}

/** Guards an LMDB file that is no store, such as the database of a plugin, against a disk that is full or fails, as a store guards its own. */
export class WriteGuard {
  readonly #dir: string
  readonly #room: DiskRoom
  readonly #onFinal: (error: unknown) => void
  #final: Error | undefined

  /** `onFinal` is called with the failure after which the memory of the process cannot be trusted. */
  constructor(dir: string, onFinal: (error: unknown) => void, files: StoreFiles = systemFiles) {
    this.#dir = dir
    this.#room = new DiskRoom(dir, files)
    this.#onFinal = onFinal
  }

  /** Checks that a write can be done before LMDB begins it. Throws `store.*`. */
  require({ file: { pageSize, lastPageNumber }, stats, rows, bytes }: GuardedWrite): void {
    if (this.#final) throw this.#final
    const added = commitBytes([{ table: { stats }, rows: { length: rows }, bytes }], pageSize)
    try {
      this.#room.require((lastPageNumber + 1) * pageSize, added)
    } catch (error) {
      throw lmdbFailure(error, this.#dir)
    }
  }

  /** Returns the refusal of a write that failed in LMDB. */
  failed(error: unknown): Error {
    const failure = lmdbFailure(error, this.#dir) as Error
    if (isFinalFailure(failure)) {
      this.#final = failure
      this.#onFinal(failure)
    }
    return failure
  }

  close(): void {
    this.#room.close()
  }
}
