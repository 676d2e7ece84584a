import type { ConnectionID } from "./inbox.js"

/** Counts the bytes that are allocated for messages that have not arrived in full, over all connections. */
export class IncompleteMessages {
  /** The bytes of each connection. The message that began first is first. */
  readonly #bytes = new Map<ConnectionID, number>()
  #total = 0

  /** The bytes of all connections together. */
  get total(): number {
    return this.#total
  }

  bytesOf(connection: ConnectionID): number {
    return this.#bytes.get(connection) ?? 0
  }

  /** Sets the bytes of a connection. `isNew` is true if its last message was completed, so that the bytes belong to a later one. */
  set(connection: ConnectionID, bytes: number, isNew: boolean): void {
    this.#total += bytes - this.bytesOf(connection)
    if (isNew || bytes === 0) this.#bytes.delete(connection)
    if (bytes > 0) this.#bytes.set(connection, bytes)
  }

  /** Forgets a connection that ended. */
  remove(connection: ConnectionID): void {
    this.set(connection, 0, true)
  }

  /** The connections with an incomplete message, in the order in which these messages began. */
  oldestFirst(): Iterable<ConnectionID> {
    return this.#bytes.keys()
  }
}
