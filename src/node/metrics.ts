import { statSync } from "node:fs"
import { join } from "node:path"
import { txsOf } from "../core/blocks/block.js"
import { networkNameOf } from "../core/networks/names.js"
import { chainTimeOf } from "../core/rules/context.js"
import { chainDir } from "../datadir/places.js"
import { backendNames } from "../platform/backends.js"
import { DATA_FILE } from "../store/lmdb/directory.js"
import { systemFiles } from "../store/lmdb/storeFiles.js"
import type { Store } from "../store/store.js"
import type { NodeApi } from "./api.js"
import type { NodeOptions } from "./options.js"
import { version } from "./version.js"

/** Adds the metrics of the build, the chain's time and its lag, accepted blocks and transactions, the database, the disk, and health. */
export function registerNodeMetrics(api: NodeApi, store: Store, options: Pick<NodeOptions, "dataDir" | "wall">): void {
  const { dataDir, wall } = options
  const { metrics, node, health, isReady } = api
  const chainTime = () => (isReady() ? Number(chainTimeOf(store.latest)) : undefined)
  metrics.info("serac_build_info", "Version of Serac, of Node.js, and the network", () => ({
    version,
    node: process.versions.node,
    network: networkNameOf(node.networkID),
  }))
  metrics.info("serac_crypto_info", "The implementations of secp256k1 and BLS: wasm, native or noble", backendNames)
  const isHealthy = () => Number(health.report("health", []).healthy)
  metrics.gauge("serac_healthy", "1 where /ext/health answers 200, otherwise 0", isHealthy)
  metrics.gauge("serac_chain_time_seconds", "Time of the last accepted block, Unix seconds", chainTime)
  const now = () => Number(node.now())
  metrics.gauge("serac_clock_seconds", "The node's clock, Unix seconds; a private chain may have moved it", now)
  const lag = () => (isReady() ? wall() / 1000 - Number(chainTimeOf(store.latest)) : undefined)
  const lagHelp = "Time from the last accepted block to the machine's clock; below 0 after time travel"
  metrics.gauge("serac_chain_lag_seconds", lagHelp, lag)
  countAccepted(api)
  const isWritable = () => Number(store.failure === undefined)
  metrics.gauge("serac_database_writable", "1 where the last write succeeded, otherwise 0", isWritable)
  if (dataDir === undefined) return
  const bytes = () => whereThere(() => statSync(join(chainDir(dataDir), DATA_FILE)).size)
  metrics.gauge("serac_database_bytes", "Size of the data file", bytes)
  const freeBytes = () => whereThere(() => systemFiles.freeBytes(dataDir))
  metrics.gauge("serac_disk_free_bytes", "Bytes that the disk of the data has left", freeBytes)
}

/** Returns a number about a file; `undefined` if the file was removed while the node runs, so that the other metrics are still reported. */
function whereThere(read: () => number): number | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function countAccepted({ metrics, node }: NodeApi): void {
  const blocks = metrics.counter("serac_blocks_accepted_total", "Blocks accepted since the start")({})
  const byKind: Record<string, number> = {}
  const help = "Transactions accepted since the start, by kind"
  metrics.gauges("serac_transactions_accepted_total", help, "kind", () => byKind, "counter")
  node.onAccepted((event) => {
    if (event.kind !== "block") return
    blocks.value++
    for (const { unsignedTx } of txsOf(event.block)) byKind[unsignedTx.kind] = (byKind[unsignedTx.kind] ?? 0) + 1
  })
}
