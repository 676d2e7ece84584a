import { encode } from "../core/codec/decode.js"
import { printJson } from "../core/lib/json.js"
import { networkChainID } from "../core/networks/chainIdentity.js"
import { hrpOf, networkNameOf } from "../core/networks/names.js"
import { READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import type { PublishedOverride } from "../core/sql/overrideRows.js"
import { textsOf } from "../core/sql/texts.js"
import type { View } from "../core/state/view.js"
import { idText } from "../core/types/id.js"
import type { ChainClaim } from "../postgres/chainClaim.js"
import { checkUrl, requireDriver } from "../postgres/connection.js"
import { Publisher, type PublisherOptions } from "../postgres/publisher.js"
import { devTables } from "../producer/tables.js"
import type { Store } from "../store/store.js"
import { currentNodeTables } from "./nodeTables.js"
import { genesisEdits, type StoredChain } from "./storedChain.js"
import { storedIdentity } from "./storedIdentity.js"
import { upgradesText } from "./upgradesOfChain.js"

/** How a chain is published. */
export interface PublishOptions {
  /** The URL of a PostgreSQL database to which every accepted block is published; by default nothing is. */
  readonly publish?: string | undefined
  /** True if another chain in that database is removed (`--replace`). */
  readonly replaces?: boolean | undefined
  /** Number of blocks between two snapshots for read servers; none is written by default. */
  readonly snapshotEvery?: number | undefined
}

export interface OpenPublisher
  extends Pick<PublisherOptions, "url" | "log" | "canRevert" | "limits" | "reportFault">,
    Omit<PublishOptions, "publish"> {
  readonly store: Store
  readonly data: StoredChain
}

/** Makes the publisher of the chain in a store. `start` begins its work. */
export function openPublisher({ data, snapshotEvery: every, ...options }: OpenPublisher): Publisher {
  checkUrl(options.url)
  requireDriver()
  const { genesis, rules } = data
  const facts = {
    genesis,
    genesisEdits: genesisEdits(data),
    rules,
    texts: textsOf(hrpOf(rules.networkID)),
  }
  const snapshots = every === undefined ? undefined : { every, tables: currentNodeTables, readModel: READ_MODEL_VERSION }
  return new Publisher({ ...options, overridesOf: publishedOverrides, claim: claimOf(data, options), facts, snapshots })
}

/** Returns the claim of a chain on its database. */
function claimOf({ genesis, rules, ruleFlags }: StoredChain, options: Omit<OpenPublisher, "data">): ChainClaim {
  const { store, replaces = false } = options
  const { networkID, upgrades, avaxAssetID } = rules
  const { kind, id } = storedIdentity(store) ?? { kind: "followed", id: networkChainID(networkID, genesis.block.id) }
  const row = {
    network_id: BigInt(networkID),
    network: networkNameOf(networkID),
    genesis_id: idText(genesis.block.id),
    genesis: genesis.bytes(),
    upgrades: upgradesText(upgrades),
    rules: printJson(ruleFlags),
    avax_asset_id: idText(avaxAssetID),
    hrp: hrpOf(networkID),
    kind,
    identity: id,
  }
  return { row, replaces }
}

/** Returns the overrides of a private chain, in their order. */
export function publishedOverrides(view: View): PublishedOverride[] {
  return [...view.rows(devTables.overrides)].map(([position, row]) => ({
    position,
    height: row.height,
    utxo: row.override.kind === "utxo" ? row.override.utxo : undefined,
    bytes: encode(devTables.overrides.value, row),
  }))
}
