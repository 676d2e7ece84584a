import { rmSync } from "node:fs"
import { join } from "node:path"
import { storeError } from "../errors.js"
import type { Store } from "../store.js"
import { noteCleanClose } from "./cleanClose.js"
import { DATA_FILE, READERS_FILE } from "./directory.js"
import { openFailure } from "./lmdbFailure.js"
import { Lock } from "./lock.js"
import { type LmdbOptions, openLmdbStore } from "./openLmdbStore.js"
import { otherProcessesAt } from "./ownNumber.js"
import { syncDirectory, syncFile, systemFiles } from "./storeFiles.js"

/** A store that is read while another is made that takes its place. No other process has it open. */
export class ReplaceableStore {
  readonly store: Store
  readonly #dir: string
  readonly #lock: Lock

  /** Opens a store of this schema or an older one. Throws `store.*`, and `store.locked` if another process has it open. */
  constructor(options: Pick<LmdbOptions, "dir" | "tables" | "tablesBesideChain">) {
    const { dir } = options
    this.#dir = dir
    this.store = openLmdbStore({ ...options, readOnly: true, isUpgrade: true })
    try {
      this.#lock = new Lock(dir, systemFiles)
    } catch (error) {
      void this.store.close()
      throw error
    }
    const [other] = otherProcessesAt(dir)
    if (other === undefined) return
    void this.release()
    throw storeError("store.locked", { dir, pid: other })
  }

  /** The bytes that are free on the disk. */
  freeBytes(): number {
    return systemFiles.freeBytes(this.#dir)
  }

  /** Puts the data file of another store, which is closed, into the place of this one. After a kill one of the two is there, whole. */
  async replaceBy(part: string): Promise<void> {
    await this.store.close()
    try {
      const made = join(part, DATA_FILE)
      syncFile(systemFiles, made)
      // Readers register again when the new file is opened.
      systemFiles.remove(join(this.#dir, READERS_FILE))
      systemFiles.rename(made, join(this.#dir, DATA_FILE))
      syncDirectory(systemFiles, this.#dir)
    } catch (error) {
      throw openFailure(error, this.#dir)
    }
    noteCleanClose(this.#dir, systemFiles)
    rmSync(part, { recursive: true, force: true })
  }

  async release(): Promise<void> {
    await this.store.close()
    this.#lock.release()
  }
}
