/** Properties with which the LMDB environment of a store is opened. Threads of one process must open it with the same. */
export interface RootOptions {
  readonly dir: string
  readonly readOnly?: boolean
  /** Lets the disk catch up while the next commit is made, see `LmdbOptions`. */
  readonly isLazy?: boolean
  readonly maxDatabases: number
  /** The maximum size of the file. */
  readonly maxBytes: number
}
