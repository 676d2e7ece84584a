import type { Json } from "../core/lib/json.js"
import { healthMethods } from "../jsonrpc/health/index.js"
import type { AnyMethod } from "../jsonrpc/method.js"
import { openRpc } from "../jsonrpc/openrpc.js"
import type { AnyService, Service } from "../jsonrpc/service.js"
import { keystoreMethods } from "../keystore/methods/index.js"
import { devMethods } from "../producer/methods/index.js"
import { adminMethods } from "../services/admin/index.js"
import { avmMethods } from "../services/avm/index.js"
import { indexMethods } from "../services/index/index.js"
import { infoMethods } from "../services/info/index.js"
import { platformMethods } from "../services/platform/index.js"
import { proposervmMethods } from "../services/proposervm/index.js"
import { BLOCK_STREAM } from "../sync/follow/chainFrames.js"

const P_CHAIN_PATHS = [
  "/ext/bc/P",
  "/ext/bc/11111111111111111111111111111111LpoYY",
  "/ext/bc/platform",
  "/ext/P",
  "/ext/platform",
] as const

const usual = {
  onPublicServer: "open",
  needsChain: false,
  isPrivileged: false,
  isExtension: false,
  foreignOrigins: "allowed",
} as const

/** Every service. A new service is a folder and an entry here; a new method is a file and a line in its folder's list. */
export const services = {
  platform: service({
    name: "platform",
    summary: "Validators, subnets, blockchains, balances, blocks and transactions of the P-Chain",
    paths: P_CHAIN_PATHS,
    methods: platformMethods,
    needsChain: true,
  }),
  info: service({
    name: "info",
    summary: "Information about the node and its network",
    paths: ["/ext/info"],
    methods: infoMethods,
  }),
  keystore: service({
    name: "keystore",
    summary: "Users of the deprecated keystore, each protected by a password",
    paths: ["/ext/keystore"],
    methods: keystoreMethods,
    onPublicServer: "closed",
    foreignOrigins: "refused",
  }),
  avm: service({
    name: "avm",
    summary: "The X-Chain methods that wallets call before they build a P-Chain transaction",
    paths: ["/ext/bc/X", "/ext/X", "/ext/avm", "/ext/bc/avm"],
    methods: avmMethods,
  }),
  proposervm: service({
    name: "proposervm",
    summary: "The ProposerVM, which wraps the blocks of the P-Chain",
    paths: P_CHAIN_PATHS.map((path) => `${path}/proposervm`),
    methods: proposervmMethods,
    needsChain: true,
  }),
  dev: service({
    name: "dev",
    summary: "Control of a private chain: time, blocks, snapshots, funds and validators",
    paths: ["/ext/dev"],
    methods: devMethods,
    onPublicServer: "absent",
    isPrivileged: true,
    isExtension: true,
    foreignOrigins: "refused",
  }),
  index: service({
    name: "index",
    summary: "Accepted blocks of the P-Chain with their ProposerVM wrappers, by index",
    paths: ["/ext/index/P/block"],
    methods: indexMethods,
    onPublicServer: "absent",
    needsChain: true,
  }),
  admin: service({
    name: "admin",
    summary: "Administration of the node: the names of chains, and the level of the log",
    paths: ["/ext/admin"],
    methods: adminMethods,
    onPublicServer: "absent",
    foreignOrigins: "refused",
  }),
  health: service({
    name: "health",
    summary: "Health checks of the node",
    paths: ["/ext/health"],
    methods: healthMethods,
  }),
} as const

export type ServiceName = keyof typeof services

export const serviceList: readonly AnyService[] = Object.values(services)

/** Describes services of a node at this address in OpenRPC. */
export function openRpcOf(described: readonly AnyService[], version: string, url: string): Json {
  return openRpc(described, {
    title: "Serac",
    description: "An Avalanche P-Chain node. Each service has its own path, given as the server of its methods.",
    version,
    url,
  })
}

/** Paths of the event streams for accepted blocks. */
export const EVENT_PATHS: readonly string[] = P_CHAIN_PATHS.map((path) => `${path}/events`)

/** The path of the event stream for messages between L1s that were relayed. */
export const RELAY_EVENTS_PATH = "/ext/dev/events"

/** Paths of the stream of blocks, which `serac follow` reads. */
export const BLOCK_STREAM_PATHS: readonly string[] = P_CHAIN_PATHS.map((path) => path + BLOCK_STREAM)

function service<const N extends string, const L extends readonly AnyMethod[]>(
  definition: Omit<Service<N, L>, keyof typeof usual> & Partial<Service<N, L>>,
): Service<N, L> {
  return { ...usual, ...definition }
}
