import { bytes, i64, u32 } from "../core/codec/primitives.js"
import type { Codec, TypeOf } from "../core/codec/schema.js"
import { utf8 } from "../core/lib/bytes.js"
import { removals } from "../core/state/removedBlocks.js"
import { id } from "../core/types/id.js"

/** The version of the tables and codecs that this program reads and writes. A change that does not fit old rows raises it. */
export const SCHEMA = 9

/** The oldest version that `serac upgrade` reads: the tables of `sourceTables` and `carriedTables` have had the same codecs since. */
export const OLDEST_SCHEMA = 6

/** Text of any length, in UTF-8. */
const text: Codec<string> = {
  minSize: bytes.minSize,
  jsonSchema: { type: "string" },
  read: (r) => new TextDecoder().decode(bytes.read(r)),
  write: (w, value) => bytes.write(w, utf8(value)),
  writeJson: (sink, value) => sink.json(value),
  fromJson: (json) => String(json),
}

/** The meta values that a store has beside its rows. A new one is one line here. */
export const metaValues = {
  /** the version of the tables and codecs of the rows */
  schema: u32,
  networkID: u32,
  /** the kind of the chain and its ID, as JSON; see `chainIdentity.ts` */
  identity: text,
  /** the genesis of the chain, and the ID of its block */
  genesis: bytes,
  genesisID: id,
  /** the facts about genesis that a start needs, as JSON; see `storedGenesis.ts` */
  genesisFacts: text,
  /** the ID of a genesis whose proofs of possession are verified, and of one whose proofs are not verified yet */
  provenGenesis: id,
  unprovenGenesis: id,
  /** the rules and the upgrade schedule of the chain, as JSON */
  rules: text,
  upgrades: text,
  /** seconds by which the private chain's clock is ahead of the machine's */
  clockOffset: i64,
  /** the latest blocks that were removed because the chain went back */
  removedBlocks: removals,
  /** other values of the private chain, as JSON */
  producer: text,
  /** the tables whose rows are in the second of their databases since a state was loaded; see `tablePlaces.ts` */
  secondPlaces: text,
  /** the part that a repair is rebuilding, until it has ended */
  repair: text,
  /** the version of the projections that made the read model's rows */
  readModel: text,
  /** the chain of which a fork is made, as JSON */
  fork: text,
  /** names of the tables of which an overlay shows no rows of the store below it */
  hiddenTables: text,
} as const

export type Meta = { readonly [N in keyof typeof metaValues]: TypeOf<(typeof metaValues)[N]> }

/** New values by name; `undefined` removes one. */
export type MetaChanges = { readonly [N in keyof Meta]?: Meta[N] | undefined }
