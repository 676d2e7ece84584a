import { availableParallelism } from "node:os"
import type { Log } from "../core/lib/log.js"
import { defaultHttpOptions, type HttpOptions } from "../jsonrpc/http/options.js"
import type { PrivateChainChoices } from "../producer/options.js"
import { DEFAULT_CACHE_BYTES } from "../services/cache/answerCache.js"
import type { Store } from "../store/store.js"
import type { NodeApi } from "./api.js"
import { defaultWorkerCount } from "./apiWorkers/defaultWorkerCount.js"
import type { MainStatus } from "./apiWorkers/messages.js"
import { observedUptimes } from "./apiWorkers/observedUptimes.js"
import { levelOf } from "./apiWorkers/remoteLog.js"
import { openWorkerServer } from "./apiWorkers/workerServer.js"
import { type ChainData, chainDir } from "./chainData.js"
import { type NodeServer, openHttpServer } from "./httpServer.js"
import { workerProgram } from "./workerProgram.js"

/** Parts of the server of a node. */
export interface OpenServerOptions {
  readonly api: NodeApi
  readonly data: ChainData
  readonly mode: "dev" | "serve" | "join"
  readonly http: Partial<HttpOptions>
  /**
   * Number of processes that answer; 1 by default. A chain in memory has one. `auto` means `defaultWorkerCount`, started when calls keep
   * the main process busy.
   */
  readonly apiWorkers?: number | "auto" | undefined
  /** The program of a worker; by default the one that was built with this one. */
  readonly apiWorkerProgram?: string | undefined
  readonly dataDir?: string | undefined
  readonly isPublic: boolean
  /** Options of the private chain, in mode `dev`. */
  readonly producer?: Pick<PrivateChainChoices, "hasWarpLag"> | undefined
  readonly cacheBytes?: number | undefined
  readonly log: Log
  readonly store: Store
  /** Workers start when it resolves; at once by default. */
  readonly written?: Promise<void> | undefined
  onResponse(status: number): void
}

/** Opens the server of a node: in this process, or with workers that answer for it. */
export function openServer(options: OpenServerOptions): NodeServer {
  const { api, http: given, apiWorkers = 1, dataDir, log, onResponse } = options
  const startsWhenBusy = apiWorkers === "auto"
  const count = startsWhenBusy ? defaultWorkerCount(availableParallelism()) : apiWorkers
  const http = { ...defaultHttpOptions, ...given }
  // Sources that were not bundled have no program for a worker.
  const program = count > 1 ? (options.apiWorkerProgram ?? workerProgram("apiWorker")) : undefined
  if (program === undefined || dataDir === undefined) return openHttpServer(api, http, { onResponse })
  const { written } = options
  return openWorkerServer({
    api,
    http,
    count,
    startsWhenBusy,
    program,
    mode: options.mode,
    setup: () => setupOf(options, dataDir, count),
    log,
    onResponse,
    written,
    status: () => statusOf(options),
  })
}

function statusOf({ api, mode, store }: OpenServerOptions): MainStatus {
  const isReady = api.isReady()
  return mode === "join" && isReady ? { isReady, uptimes: observedUptimes(store.latest, api.node) } : { isReady }
}

function setupOf(
  { api, data, mode, isPublic, producer, cacheBytes = DEFAULT_CACHE_BYTES, log }: OpenServerOptions,
  dataDir: string,
  count: number,
) {
  const { node } = api
  const { xChainID, cChainID, avaxAssetID } = data.genesis
  return {
    dir: chainDir(dataDir),
    mode,
    dialect: api.api.dialect,
    isPublic,
    rules: data.rules,
    genesis: { xChainID, cChainID, avaxAssetID },
    version: node.version,
    identity: { ...node.identity },
    proposesLastHeight: mode === "serve" || (mode === "dev" && !producer?.hasWarpLag),
    hasIndex: node.containers !== undefined,
    hasAdmin: node.hasAdmin ?? false,
    cacheBytes: Math.floor(cacheBytes / count),
    logLevel: levelOf(log),
  }
}
