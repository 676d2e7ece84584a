import { concatBytes } from "../../core/lib/bytes.js"
import type { PluginDatabase, Row, RowsOfMoment } from "../database/pluginDatabase.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { Database, Error as DatabaseError } from "../proto/rpcdb_pb.js"

/** The maximum number of iterators that a plugin has open at a time. */
const MAX_ITERATORS = 256

/** The size of the keys and values in one answer of an iterator, bytes, as of AvalancheGo. */
const ITERATOR_BYTES = 128 << 10

/**
 * Serves a database to its plugin. After `Close`, and when the plugin is gone, every call is answered with "closed", and no iterator is open:
 * one would keep a database on the disk from using its old pages again.
 */
export function databaseService(database: PluginDatabase, gone: AbortSignal): ServedService {
  const iterators = new Iterators(database)
  let isClosed = false
  const close = () => {
    isClosed = true
    iterators.close()
  }
  gone.addEventListener("abort", close)
  const closed = { err: DatabaseError.CLOSED }
  const unlessClosed = <T>(action: () => T): T | typeof closed => (isClosed ? closed : action())
  const write = (changes: Parameters<PluginDatabase["write"]>[0]) => () => {
    try {
      database.write(changes)
    } catch (error) {
      throw new GrpcError(
        grpcStatus.unknown,
        `the host cannot write to the database, is its disk full? ${(error as Error).message}`,
      )
    }
    return {}
  }
  return serve(Database, {
    has: ({ key }) => unlessClosed(() => ({ has: database.get(key) !== undefined })),
    get: ({ key }) =>
      unlessClosed(() => {
        const value = database.get(key)
        return value === undefined ? { err: DatabaseError.NOT_FOUND } : { value }
      }),
    put: (row) => unlessClosed(write({ puts: [row], deletes: [] })),
    delete: (row) => unlessClosed(write({ puts: [], deletes: [row] })),
    writeBatch: (changes) => unlessClosed(write(changes)),
    compact: () => unlessClosed(() => ({})),
    close: () => {
      close()
      return {}
    },
    healthCheck: () => ({ details: Buffer.from("null") }),
    newIteratorWithStartAndPrefix: ({ start, prefix }) => ({ id: iterators.open(start, prefix) }),
    iteratorNext: ({ id }) => ({ data: iterators.next(id).map(([key, value]) => ({ key, value })) }),
    iteratorError: () => unlessClosed(() => ({})),
    iteratorRelease: ({ id }) => {
      iterators.release(id)
      return {}
    },
  })
}

/** An iterator: the rows of the moment at which it was opened, and where it continues. */
interface OpenIterator {
  readonly view: RowsOfMoment
  readonly prefix: Uint8Array
  next: Uint8Array
}

/** The open iterators of a plugin by number. */
class Iterators {
  readonly #database: PluginDatabase
  readonly #open = new Map<bigint, OpenIterator>()
  #last = 0n
  #isClosed = false

  constructor(database: PluginDatabase) {
    this.#database = database
  }

  open(start: Uint8Array, prefix: Uint8Array): bigint {
    if (this.#open.size >= MAX_ITERATORS) {
      throw new GrpcError(grpcStatus.resourceExhausted, `the plugin has ${MAX_ITERATORS} open iterators`)
    }
    if (!this.#isClosed) this.#open.set(++this.#last, { view: this.#database.view(), prefix, next: start })
    return this.#last
  }

  /** Returns the next rows; none at the end. Each call begins to read anew, so that no read is open between two calls. */
  next(id: bigint): readonly Row[] {
    const iterator = this.#open.get(id)
    if (!iterator) throw new GrpcError(grpcStatus.unknown, `there is no iterator ${id}`)
    const { view, prefix, next } = iterator
    const rows: Row[] = []
    let size = 0
    for (const row of view.rows(next, prefix)) {
      rows.push(row)
      size += row[0].length + row[1].length
      if (size >= ITERATOR_BYTES) break
    }
    const last = rows.at(-1)?.[0]
    // The first key that can follow.
    if (last) iterator.next = concatBytes(last, new Uint8Array(1))
    return rows
  }

  release(id: bigint): void {
    this.#open.get(id)?.view.release()
    this.#open.delete(id)
  }

  close(): void {
    this.#isClosed = true
    for (const id of [...this.#open.keys()]) this.release(id)
  }
}
