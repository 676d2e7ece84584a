import type { BlockPlace, Removals } from "../../core/state/removedBlocks.js"
import { type ID, parseID } from "../../core/types/id.js"
import type { Database } from "../connection.js"
import { postgresError } from "../errors.js"
import { hasSchema } from "../schema.js"

/** The facts about a database's chain that a server needs before it reads blocks. */
export interface PublishedChain {
  readonly networkID: number
  readonly genesis: Uint8Array
  readonly upgrades: string
  readonly rules: string
  /** The ID of the chain. */
  readonly identity: string
}

/** Reads which chain a database has. Throws `postgres.no_chain` if it has none, `postgres.older_schema`, `postgres.newer_schema` and `postgres.foreign`. */
export async function readPublishedChain(database: Database): Promise<PublishedChain> {
  if (!(await hasSchema(database))) throw postgresError("postgres.no_chain")
  const [row] = await database<(Omit<PublishedChain, "networkID"> & { network_id: bigint })[]>`
    select network_id, genesis, upgrades, rules, identity from serac.chain`
  if (!row) throw postgresError("postgres.no_chain")
  const { network_id, ...chain } = row
  return { networkID: Number(network_id), ...chain }
}

/** The approximate number of blocks, and of their bytes, that are read at once. */
const [BLOCKS_AT_ONCE, BYTES_AT_ONCE] = [512, 4 << 20]

/** A published block with its wrapper, if it has one, and the P-Chain height of its Warp messages if the database names it. */
export interface PublishedBlock {
  readonly bytes: Uint8Array
  readonly warp_height: bigint | null
}

/** Reads the blocks after a height, in order: as many as fit, at least one if there is one. */
export async function readBlocksAfter(database: Database, height: bigint): Promise<readonly PublishedBlock[]> {
  return database<PublishedBlock[]>`
    select coalesce(wrapper_head, '') || bytes || coalesce(wrapper_tail, '') as bytes, warp_height from (
      select height, bytes, wrapper_head, wrapper_tail, warp_height, sum(size) over (order by height) - size as before from serac.blocks
      where height > ${height} and height <= ${height + BigInt(BLOCKS_AT_ONCE)}
    ) as next where before < ${BYTES_AT_ONCE} order by height`
}

/** Reads the IDs of the published blocks at some heights. */
export async function readBlockIDs(database: Database, heights: readonly bigint[]): Promise<ReadonlyMap<bigint, ID>> {
  const rows = await database<{ height: bigint; block_id: string }[]>`
    select height, block_id from serac.blocks where height = any(${`{${heights.join()}}`}::text::bigint[])`
  return new Map(rows.map(({ height, block_id }) => [height, parseID(block_id)]))
}

/** Reads which blocks were removed when the chain was reverted. */
export async function readRemovals(database: Database): Promise<Removals> {
  const rows = await database<RemovedRow[]>`
    select revert, height, block_id, common_height, common_id from serac.removed_blocks order by revert, height`
  const found = new Map<bigint, { common: BlockPlace; first: bigint; ids: ID[] }>()
  for (const { revert, height, block_id, common_height, common_id } of rows) {
    const common = { height: common_height, id: parseID(common_id) }
    const removal = found.get(revert) ?? { common, first: height, ids: [] }
    removal.ids.push(parseID(block_id))
    found.set(revert, removal)
  }
  return [...found.values()]
}

interface RemovedRow {
  readonly revert: bigint
  readonly height: bigint
  readonly block_id: string
  readonly common_height: bigint
  readonly common_id: string
}

/** A published override of a private chain. */
export interface OverrideInDatabase {
  readonly position: bigint
  readonly height: bigint
  readonly bytes: Uint8Array
}

/** Reads all overrides of a private chain, in their order. */
export async function readOverrides(database: Database): Promise<readonly OverrideInDatabase[]> {
  return database<OverrideInDatabase[]>`select position, height, bytes from serac.overrides order by position`
}

/** A stored snapshot whose block still belongs to the chain. */
export interface StoredSnapshot {
  readonly height: bigint
  /** The ID of the published block at its height, in cb58. */
  readonly blockID: string
  /** The first piece; `undefined` if it is longer than any that is written. */
  readonly head: Uint8Array | undefined
}

/** The maximum size of the first piece of a snapshot, and of each other one, bytes. The server reads a longer one into memory several times over. */
const [MAX_HEAD, MAX_PIECE] = [4096, 16 << 20]

/** Reads the heads of the snapshots, newest first. */
export async function readSnapshots(database: Database): Promise<readonly StoredSnapshot[]> {
  const rows = await database<{ height: bigint; block_id: string; bytes: Uint8Array | null }[]>`
    select height, block_id, case when octet_length(snapshots.bytes) <= ${MAX_HEAD} then snapshots.bytes end as bytes
    from serac.snapshots join serac.blocks using (height) where piece = 0 order by height desc`
  return rows.map(({ height, block_id, bytes }) => ({ height, blockID: block_id, head: bytes ?? undefined }))
}

/** Reads the pieces of a snapshot one after the other. */
export async function* readSnapshotPieces(database: Database, height: bigint, count: number): AsyncGenerator<Uint8Array, void> {
  for (let piece = 1; piece <= count; piece++) {
    const [row] = await database<{ size: number; bytes: Uint8Array | null }[]>`
      select octet_length(bytes) as size, case when octet_length(bytes) <= ${MAX_PIECE} then bytes end as bytes
      from serac.snapshots where height = ${height} and piece = ${piece}`
    const refuse = (reason: string) => postgresError("postgres.bad_snapshot", { height, reason: `piece ${piece} ${reason}` })
    if (!row) throw refuse("is missing")
    if (row.bytes === null) throw refuse(`has ${row.size} bytes, and at most ${MAX_PIECE} are read`)
    yield row.bytes
  }
}
