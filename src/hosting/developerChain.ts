import { utf8 } from "../core/lib/bytes.js"
import { valueOrUndefined } from "../core/lib/invalid.js"
import { type Json, printJson } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { UNSCHEDULED } from "../core/networks/upgrades.js"
import { SUBNET_EVM } from "../core/types/id.js"
import { isCChain } from "./cChainRecord.js"
import type { ChainRecord } from "./chainRecord.js"

/** The first chain ID of developers' EVM chains. */
export const FIRST_EVM_CHAIN_ID = 99_001n

/** 2020-12-05T05:00:00Z: all upgrades are active at genesis. */
const GENESIS_TIME = 1_607_144_400

/** Ten million coins. */
const BALANCE = "0x84595161401484a000000"

/** The chains of the RPC that a developer needs beside the default ones: traces. */
const ETH_APIS = [
  "eth",
  "eth-filter",
  "net",
  "web3",
  "internal-eth",
  "internal-blockchain",
  "internal-transaction",
  "internal-tx-pool",
  "internal-debug",
  "debug",
  "debug-tracer",
]

/**
 * Makes a developer's genesis for subnet-evm: funded addresses, Warp messages, and blocks as fast as transactions come.
 * `initialMinDelayMS` is for plugins that know it; others ignore it, and need `developerUpgrades`, and blocks that cost nothing.
 */
export function developerGenesis(evmChainID: bigint, addresses: readonly string[]): Uint8Array {
  const zeros = Object.fromEntries(
    ["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople", "petersburg", "istanbul", "muirGlacier"].map(
      (name) => [`${name}Block`, 0],
    ),
  )
  return utf8(
    printJson({
      config: {
        chainId: evmChainID,
        ...zeros,
        feeConfig: {
          gasLimit: 20_000_000,
          minBaseFee: 1_000_000_000,
          targetGas: 100_000_000,
          baseFeeChangeDenominator: 48,
          minBlockGasCost: 0,
          maxBlockGasCost: 0,
          targetBlockRate: 2,
          blockGasCostStep: 0,
        },
        warpConfig: { blockTimestamp: GENESIS_TIME, quorumNumerator: 67 },
        initialMinDelayMS: 1,
      },
      alloc: Object.fromEntries(addresses.map((address) => [address, { balance: BALANCE }])),
      nonce: "0x0",
      timestamp: `0x${GENESIS_TIME.toString(16)}`,
      extraData: "0x",
      gasLimit: "0x1312d00",
      difficulty: "0x0",
      mixHash: `0x${"0".repeat(64)}`,
      coinbase: `0x${"0".repeat(40)}`,
      number: "0x0",
      gasUsed: "0x0",
      parentHash: `0x${"0".repeat(64)}`,
    }),
  )
}

/** The first version of the plugin protocol whose subnet-evm reads `initialMinDelayMS`. */
const FAST_SINCE = 46

/**
 * Since Granite a block waits two seconds for the next one. A plugin that cannot shorten this runs with the rules before Granite, and so
 * without the upgrades that follow it.
 */
export function developerUpgrades(protocol: number): Uint8Array {
  if (protocol >= FAST_SINCE) return new Uint8Array(0)
  const never = Number(UNSCHEDULED)
  return utf8(JSON.stringify({ networkUpgradeOverrides: { graniteTimestamp: never, heliconTimestamp: never } }))
}

/** The number of transactions that wait for earlier ones of their account, for each account and in all. Parallel calls arrive in any order. */
const QUEUED = 4096

const DEVELOPER_CONFIG = { "warp-api-enabled": true, "eth-apis": ETH_APIS, "pruning-enabled": false, "log-level": "info" }

/**
 * Makes the configuration of a developer's chain: the Warp API, traces, the state of past blocks, and room for transactions that arrive before
 * earlier ones. What a given configuration says takes the place of these defaults.
 */
export function developerConfig(given: Uint8Array = new Uint8Array(0)): Uint8Array {
  return mergedConfig({ ...DEVELOPER_CONFIG, "tx-pool-account-queue": QUEUED, "tx-pool-global-queue": QUEUED }, given)
}

/**
 * Returns the configuration with what a VM needs here. Subnet-evm is told to keep its data in the host's database; otherwise it loses accepted
 * blocks when its process is killed. The C-Chain has a developer's configuration, and looks for no other nodes that have its state.
 */
export function effectiveConfig(record: Pick<ChainRecord, "subnetID" | "vmID" | "config">): Uint8Array {
  const { vmID, config } = record
  if (isCChain(record)) return mergedConfig({ ...DEVELOPER_CONFIG, "state-sync-enabled": false }, config)
  return vmID === SUBNET_EVM ? mergedConfig({ "use-standalone-database": false }, config) : config
}

/** Returns a configuration with defaults for what it does not say. One that is no JSON object stays, and the VM says what is wrong with it. */
function mergedConfig(defaults: Readonly<Record<string, Json>>, config: Uint8Array): Uint8Array {
  const text = Buffer.from(config).toString("utf8").trim()
  const given = text === "" ? {} : valueOrUndefined(() => parseJson(text))
  if (typeof given !== "object" || given === null || Array.isArray(given)) return config
  return utf8(printJson({ ...defaults, ...given }))
}
