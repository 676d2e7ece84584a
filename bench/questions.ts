import { hrpOf } from "../src/core/networks/names.js"
import { addressText } from "../src/core/types/address.js"
import { idText } from "../src/core/types/id.js"
import type { BigChain } from "./fixtures/bigChain.js"

/** One kind of call, its promised speed, and the speed of AvalancheGo v1.13.0 on two such cores. */
export interface BenchQuestion {
  readonly method: string
  /** The method, and the subject of the call. */
  readonly name: string
  readonly path: string
  readonly bodies: readonly string[]
  /**
   * Cached: the same calls are repeated, and no block is accepted. Fresh: no call is repeated between two blocks, and there are more calls
   * about the past than the cache holds. Cold: there is no cache.
   */
  readonly how: How
  /** A share of the yardstick's rate. */
  readonly share?: number
  readonly perSecond?: number
  /** Answers a second. */
  readonly avalanchego?: number
}

/** The state of the caches when a question is asked. */
export type How = "cached" | "fresh" | "cold"

type PromisedSpeed = Pick<BenchQuestion, "share" | "perSecond" | "avalanchego">

/** Methods that are called without parameters. */
const PLAIN = [
  "platform.getHeight",
  "platform.getTimestamp",
  "platform.getFeeState",
  "platform.getFeeConfig",
  "platform.getValidatorFeeState",
  "platform.getCurrentSupply",
  "platform.getMinStake",
  "platform.getStakingAssetID",
  "platform.getTotalStake",
  "platform.getProposedHeight",
  "info.getNetworkID",
  "info.getNodeVersion",
  "info.getTxFee",
  "info.upgrades",
  "info.peers",
]

/** The number of different questions that are asked in turn where answers are cached. */
const FEW = 100

/** The small reads, whose cost is mostly HTTP. */
export const plainQuestions: readonly BenchQuestion[] = PLAIN.map((method) => cachedOf(method, [{}], { share: 0.6 }))

/** Reads that search the state. */
export function questions(chain: BigChain): readonly BenchQuestion[] {
  const { addresses, height, fullFrom, txIDs, rules } = chain
  const owners = addresses.map((each) => addressText(each, hrpOf(rules.networkID)))
  const byOwner = (more: object = {}) => owners.map((each) => ({ addresses: [each], ...more }))
  const heights = scattered(Array.from({ length: Number(height - fullFrom) }, (_, i) => Number(fullFrom) + i))
  const byHeight = (more: object = {}) => heights.map((each) => ({ height: each, ...more }))
  const byTx = (more: object) => scattered(txIDs).map((txID) => ({ txID: idText(txID), ...more }))
  const perSecond = 5000
  return [
    ...all("platform.getStake", byOwner(), { perSecond, avalanchego: 227 }),
    ...all("platform.getBalance", byOwner(), { perSecond, avalanchego: 3220 }),
    ...all("platform.getUTXOs", byOwner({ limit: 100 }), { perSecond, avalanchego: 1557 }),
    ...all("platform.getValidatorsAt", byHeight(), { perSecond, avalanchego: 243 }),
    ...all("platform.getAllValidatorsAt", byHeight()),
    ...all("platform.getBlockByHeight", byHeight()),
    ...all("platform.getBlockByHeight", byHeight({ encoding: "json" })),
    ...all("platform.getTx", byTx({ encoding: "hex" })),
    ...all("platform.getTx", byTx({ encoding: "json" }), { avalanchego: 12_900 }),
    cachedOf("platform.sampleValidators", [{ size: 10 }]),
    cachedOf("platform.getSubnets", [{}]),
    cachedOf("platform.getBlockchains", [{}]),
    cachedOf("platform.getCurrentValidators", [{}], { share: 0.8, avalanchego: 40 }),
  ]
}

function all(method: string, params: readonly object[], promised: PromisedSpeed = {}): readonly BenchQuestion[] {
  return [
    cachedOf(method, params.slice(0, FEW), promised),
    asked(method, params, "fresh", promised),
    asked(method, params, "cold", promised),
  ]
}

function cachedOf(method: string, params: readonly object[], promised: PromisedSpeed = {}): BenchQuestion {
  return asked(method, params, "cached", promised)
}

function asked(method: string, params: readonly object[], how: How, promised: PromisedSpeed): BenchQuestion {
  const bodies = params.map((each) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: each }))
  const { height, txID, addresses, ...shown } = params[0] as Record<string, unknown>
  const more = Object.values(shown)
  const name = more.length === 0 ? method : `${method} (${more.join(", ")})`
  return { method, name, path: method.startsWith("info.") ? "/ext/info" : "/ext/bc/P", bodies, how, ...promised }
}

/** The same items in an order in which neighbours are far apart. */
function scattered<T>(items: readonly T[]): readonly T[] {
  // A prime, so that the steps meet every item once.
  return items.map((_, i) => items[(i * 7919) % items.length] as T)
}
