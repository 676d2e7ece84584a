import { Diff } from "../core/state/diff.js"
import type { Range } from "../core/state/range.js"
import type { Table } from "../core/state/table.js"
import type { PrimaryEdits, View } from "../core/state/view.js"
import type { CommitThread } from "./commitThread.js"
import type { Store } from "./store.js"

/** Calls a function that writes until it has succeeded. */
export type Retry = (write: () => Promise<void>) => Promise<void>

/**
 * The state of a store whose commits a thread writes while the next changes are made. Reads show a commit from its beginning. One commit is
 * written at a time, so a killed process leaves the state of an earlier commit, as without the thread.
 */
export class WriteBehind {
  readonly latest: View
  readonly #store: Store
  readonly #thread: CommitThread
  readonly #retry: Retry
  /** The commit that is being written, above the rows of the store. */
  #layer: View | undefined
  #written: Promise<void> | undefined

  /** `retry` calls a function that writes again if it failed; by default a failure is final. */
  constructor(store: Store, thread: CommitThread, retry: Retry = (write) => write()) {
    this.#store = store
    this.#thread = thread
    this.#retry = retry
    this.latest = new TopView(() => this.#layer ?? store.latest)
  }

  /** Resolves when the last commit is written, and rejects if it failed; `undefined` if none is being written. */
  get written(): Promise<void> | undefined {
    return this.#written
  }

  /** Begins to write changes. The last commit must be written. */
  commit(edits: PrimaryEdits): void {
    if (this.#written) throw new Error("the last commit is not written yet")
    if (!this.#thread.isReady || !this.#store.commitInThread) {
      this.#store.commit(edits)
      return
    }
    const write = async () => this.#store.commitInThread?.(edits, this.#thread)
    this.#written = this.#retry(write).then(() => {
      this.#layer = undefined
      this.#written = undefined
    })
    // A failure is thrown by the caller, which waits for the commit before the next one.
    this.#written.catch(() => {})
    this.#layer = Diff.of(this.#store.latest, edits)
  }
}

/** A view of whatever is on top. */
class TopView implements View {
  readonly #top: () => View

  constructor(top: () => View) {
    this.#top = top
  }

  get<K, V>(table: Table<K, V>, key: K): V | undefined {
    return this.#top().get(table, key)
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    return this.#top().first(table)
  }

  rows<K, V>(table: Table<K, V>, range?: Range<K>): Iterable<readonly [K, V]> {
    return this.#top().rows(table, range)
  }

  values<K, V>(table: Table<K, V>, range?: Range<K>): Iterable<V> {
    return this.#top().values(table, range)
  }
}
