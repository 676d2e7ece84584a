import { bytes, i64, u32 } from "../core/codec/primitives.js"
import type { Codec, TypeOf } from "../core/codec/schema.js"
import { utf8 } from "../core/lib/bytes.js"
import { id } from "../core/types/id.js"

/** The tables and codecs that this version writes. A change that old rows do not follow raises it, and is a step in `upgrade.ts`. */
export const SCHEMA = 4

/** Text of any length, in UTF-8. */
const text: Codec<string> = {
  minSize: bytes.minSize,
  jsonSchema: { type: "string" },
  read: (r) => new TextDecoder().decode(bytes.read(r)),
  write: (w, value) => bytes.write(w, utf8(value)),
  toJson: (value) => value,
  fromJson: (json) => String(json),
}

/** The small values that a store keeps beside its rows. A new one is one line here. */
export const metaValues = {
  /** which tables and codecs the rows were written with */
  schema: u32,
  /** the schema that an upgrade began with; there until it is finished */
  upgradingFrom: u32,
  networkID: u32,
  /** the genesis the chain grew from, and the ID of its block */
  genesis: bytes,
  genesisID: id,
  /** the facts of that genesis which a start needs, as JSON; see `keptGenesis.ts` */
  genesisFacts: text,
  /** the ID of a genesis whose proofs of possession hold, and of one whose proofs have yet to be verified */
  provenGenesis: id,
  unprovenGenesis: id,
  /** the rules and upgrade schedule that the chain was made with, as JSON */
  rules: text,
  upgrades: text,
  /** how far the private chain's clock is ahead of the machine's, seconds */
  clockOffset: i64,
  /** what else the private chain's producer remembers, as JSON */
  producer: text,
  /** the tables whose rows lie in the second of their databases, since a state was loaded; see `tablePlaces.ts` */
  secondPlaces: text,
  /** what a repair is making anew, as long as it has not ended */
  repair: text,
  /** which projections the read model's rows were made by */
  readModel: text,
  /** the chain that a fork begins with, as JSON */
  fork: text,
  /** names of the tables of which an overlay shows no rows of the store below it */
  hiddenTables: text,
} as const

export type Meta = { readonly [N in keyof typeof metaValues]: TypeOf<(typeof metaValues)[N]> }

/** New values by name; `undefined` removes one. */
export type MetaChanges = { readonly [N in keyof Meta]?: Meta[N] | undefined }
