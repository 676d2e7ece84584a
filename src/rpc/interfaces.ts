import { avmMethods } from "./avm/index.js"
import { devMethods } from "./dev/index.js"
import { healthMethods } from "./health/index.js"
import { infoMethods } from "./info/index.js"
import { keystoreMethods } from "./keystore/index.js"
import type { AnyMethod } from "./method.js"
import { platformMethods } from "./platform/index.js"
import { proposervmMethods } from "./proposervm/index.js"

/** One service of the API and where it is found. */
export interface Interface {
  /** What stands before the dot of its methods. */
  readonly service: string
  readonly summary: string
  /** Where it is served; the first is the one to use, the others are AvalancheGo's aliases. */
  readonly paths: readonly string[]
  readonly methods: readonly AnyMethod[]
}

const P_CHAIN_PATHS = [
  "/ext/bc/P",
  "/ext/bc/11111111111111111111111111111111LpoYY",
  "/ext/bc/platform",
  "/ext/P",
  "/ext/platform",
] as const

/** Every service. A new one is a folder and an entry here; a new method is a file and a line in its folder's list. */
export const interfaces = {
  platform: {
    service: "platform",
    summary: "The P-Chain: validators, subnets, chains, balances, blocks and transactions",
    paths: P_CHAIN_PATHS,
    methods: platformMethods,
  },
  info: {
    service: "info",
    summary: "The node and its network",
    paths: ["/ext/info"],
    methods: infoMethods,
  },
  keystore: {
    service: "keystore",
    summary: "Users and what is kept for them under a password",
    paths: ["/ext/keystore"],
    methods: keystoreMethods,
  },
  avm: {
    service: "avm",
    summary: "What wallets ask the X-Chain for before they build a P-Chain transaction",
    paths: ["/ext/bc/X", "/ext/X", "/ext/avm", "/ext/bc/avm"],
    methods: avmMethods,
  },
  proposervm: {
    service: "proposervm",
    summary: "The wrapper around P-Chain blocks",
    paths: P_CHAIN_PATHS.map((path) => `${path}/proposervm`),
    methods: proposervmMethods,
  },
  dev: {
    service: "dev",
    summary: "What developers may do to a private chain: time, blocks, snapshots, funds, validators",
    paths: ["/ext/dev"],
    methods: devMethods,
  },
  health: {
    service: "health",
    summary: "Whether the node is well",
    paths: ["/ext/health"],
    methods: healthMethods,
  },
} as const satisfies Readonly<Record<string, Interface>>

export type ServiceName = keyof typeof interfaces

/** Where blocks are announced as they are accepted. */
export const EVENT_PATHS: readonly string[] = P_CHAIN_PATHS.map((path) => `${path}/events`)
