import { type GenesisChoice, genesisFor, localStartTimeFor } from "../core/genesis/forNetwork.js"
import { decodeGenesis, type Genesis } from "../core/genesis/genesis.js"
import { type ChainIdentity, networkChainID } from "../core/networks/chainIdentity.js"
import type { FlagValue } from "../core/networks/flagValue.js"
import { paramsFor, upgradesFor } from "../core/networks/index.js"
import { isProduction, LOCAL_ID } from "../core/networks/names.js"
import { applyRuleFlags, checkFeesLast } from "../core/networks/ruleFlags.js"
import type { Upgrades } from "../core/networks/upgrades.js"
import type { Rules } from "../core/rules/context.js"
import { idText } from "../core/types/id.js"
import { crypto } from "../platform/backends.js"
import { nodeError } from "./errors.js"
import { type RequestedChain, type RequestedCopy, requestedUpgrades, textsOf } from "./requestedChain.js"
import { newChainID } from "./storedIdentity.js"

/** A chain with no block but its genesis, which is not written yet. */
export interface NewChain {
  readonly identity: ChainIdentity
  readonly genesis: Genesis
  /** The text of its genesis file; `undefined` if it has none. */
  readonly genesisText: string | undefined
  readonly rules: Rules
  /** The flags that set rules, as they were given. */
  readonly ruleFlags: Readonly<Record<string, string>>
  /** True if a test has verified the proofs of possession of its genesis, which is built in. */
  readonly isProven: boolean
}

/** The rules of a new private chain if no others are requested. */
export interface DefaultRules {
  readonly upgrades: Upgrades
  /** Flags that set rules, in addition to the given ones. */
  readonly ruleFlags: Readonly<Record<string, FlagValue>>
  /** The ID of the chain that is continued; a new one by default. */
  readonly id?: string | undefined
}

/** Makes a private chain. Without default rules it has those of its network. */
export function newPrivateChain(request: RequestedChain, defaults?: DefaultRules): NewChain {
  const terms = termsOf(request, defaults)
  const genesis = genesisOf(request, terms, {})
  return newChain(request, terms, genesis, { kind: "private", id: defaults?.id ?? newChainID() })
}

/** Makes the chain of a network that is joined. `published` is the genesis of Mainnet or Fuji. */
export function newNetworkChain(request: RequestedChain, published: Uint8Array | undefined): NewChain {
  const terms = termsOf(request)
  return newChain(request, terms, genesisOf(request, terms, { publishedBytes: published }), { kind: "joined" })
}

/** Makes the copy of a chain. Throws `node.other_genesis` and `node.not_genesis` if its genesis block is not the required one. */
export function newCopy(request: RequestedCopy): NewChain {
  const { genesisBytes: bytes, identity = { kind: "followed" } } = request
  const terms = termsOf(request)
  if (bytes && !isProduction(terms.networkID)) {
    return { ...newChain(request, terms, copiedGenesis(terms.networkID, bytes, request), identity), isProven: false }
  }
  const startTime = startTimeOf(terms.networkID, request)
  return newChain(request, terms, genesisOf(request, terms, { publishedBytes: bytes, startTime }), identity)
}

/** The network of a new chain, its rules, and the flags that set them. */
type Terms = Pick<Rules, "networkID" | "upgrades" | "params"> & Pick<NewChain, "ruleFlags">

function termsOf(request: RequestedChain, defaults?: DefaultRules): Terms {
  const networkID = request.networkID ?? LOCAL_ID
  const requested = requestedUpgrades(networkID, request)
  const byDefault = requested === undefined ? defaults : undefined
  const ruleFlags = textsOf({ ...byDefault?.ruleFlags, ...request.ruleFlags })
  const upgrades = requested ?? byDefault?.upgrades ?? upgradesFor(networkID)
  return { networkID, upgrades, params: applyRuleFlags(paramsFor(networkID), ruleFlags), ruleFlags }
}

function genesisOf(
  { genesisText: configText, now }: RequestedChain,
  { networkID, params }: Terms,
  builtIn: Pick<GenesisChoice, "publishedBytes" | "startTime">,
): Genesis {
  const { maxStakeDuration } = params.staking
  return genesisFor({ crypto, networkID, configText, now, maxStakeDuration, ...builtIn })
}

function newChain(
  { genesisText }: RequestedChain,
  { networkID, upgrades, params, ruleFlags }: Terms,
  genesis: Genesis,
  { kind, id = networkChainID(networkID, genesis.block.id) }: NonNullable<RequestedCopy["identity"]>,
): NewChain {
  if (kind === "private") checkFeesLast(params, genesis.timestamp)
  const rules = { crypto, networkID, avaxAssetID: genesis.avaxAssetID, params, upgrades }
  return { identity: { kind, id }, genesis, genesisText, rules, ruleFlags, isProven: genesisText === undefined }
}

/** Returns the genesis that is copied from another node or an export. Throws `node.other_genesis` if it is not the required one. */
function copiedGenesis(networkID: number, bytes: Uint8Array, { genesisBlockID }: RequestedCopy): Genesis {
  const genesis = decodeGenesis(bytes)
  if (genesis.networkID !== networkID) throw nodeError("node.other_network", { expected: networkID, got: genesis.networkID })
  const id = genesis.block.id
  if (genesisBlockID !== undefined && id !== genesisBlockID) {
    throw nodeError("node.other_genesis", { expected: idText(genesisBlockID), got: idText(id) })
  }
  return genesis
}

/** Returns the start time of a built-in genesis whose block is required; `undefined` for AvalancheGo's. Throws `node.not_genesis`. */
function startTimeOf(networkID: number, { genesisBlockID, genesisText }: RequestedCopy): bigint | undefined {
  if (genesisBlockID === undefined || genesisText !== undefined || isProduction(networkID)) return undefined
  const found = localStartTimeFor(genesisBlockID, networkID)
  if (found === undefined) throw nodeError("node.not_genesis", { parentID: idText(genesisBlockID) })
  return found
}
