import { encode } from "../core/codec/decode.js"
import { printJson } from "../core/lib/json.js"
import type { Log } from "../core/lib/log.js"
import { hrpOf, networkNameOf } from "../core/networks/names.js"
import { READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import type { PublishedOverride } from "../core/sql/overrideRows.js"
import { textsOf } from "../core/sql/texts.js"
import type { View } from "../core/state/view.js"
import { idText } from "../core/types/id.js"
import { checkUrl } from "../postgres/connection.js"
import type { ChainRow } from "../postgres/publication.js"
import { Publisher, type PublisherOptions } from "../postgres/publisher.js"
import { devTables } from "../producer/tables.js"
import type { Store } from "../store/store.js"
import { type ChainData, genesisEdits } from "./chainData.js"
import { currentNodeTables } from "./nodeTables.js"
import { upgradesText } from "./upgradesOfChain.js"

/** Options of publishing the chain of a store. */
export interface OpenPublisher extends Pick<PublisherOptions, "canRevert" | "limits"> {
  /** The URL of the database. */
  readonly url: string
  readonly store: Store
  readonly data: ChainData
  /** Number of blocks between two snapshots for read servers; none is written by default. */
  readonly snapshotEvery?: number | undefined
  readonly log: Log
}

/** Makes the publisher of the chain in a store. `start` begins its work. */
export function openPublisher({ data, snapshotEvery: every, ...options }: OpenPublisher): Publisher {
  checkUrl(options.url)
  const { genesis, rules } = data
  const { avaxAssetID, upgrades } = rules
  const facts = { genesis, genesisEdits: genesisEdits(data), avaxAssetID, upgrades, texts: textsOf(hrpOf(rules.networkID)) }
  const snapshots = every === undefined ? undefined : { every, tables: currentNodeTables, readModel: READ_MODEL_VERSION }
  const overrides = options.canRevert ? { overridesOf: publishedOverrides } : {}
  return new Publisher({ ...options, ...overrides, chain: chainRowOf(data), facts, snapshots })
}

function chainRowOf({ genesis, rules, ruleFlags }: ChainData): ChainRow {
  const { networkID, upgrades, avaxAssetID } = rules
  return {
    network_id: BigInt(networkID),
    network: networkNameOf(networkID),
    genesis_id: idText(genesis.block.id),
    genesis: genesis.bytes,
    upgrades: upgradesText(upgrades),
    rules: printJson(ruleFlags),
    avax_asset_id: idText(avaxAssetID),
    hrp: hrpOf(networkID),
  }
}

/** Returns the overrides of a private chain, in their order. */
function publishedOverrides(view: View): PublishedOverride[] {
  return [...view.rows(devTables.overrides)].map(([, row]) => ({
    height: row.height,
    utxo: row.override.kind === "utxo" ? row.override.utxo : undefined,
    bytes: encode(devTables.overrides.value, row),
  }))
}
