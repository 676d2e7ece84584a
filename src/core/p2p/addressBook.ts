import { wholeSeconds } from "../lib/wholeSeconds.js"
import { type NodeID, nodeIDText } from "../types/id.js"
import { BloomFilter, bloomSize } from "./bloomFilter.js"
import { type Claim, gossipID, type UncheckedClaim, verifyClaim } from "./claim.js"
import { p2pError } from "./errors.js"
import type { IpPort } from "./ipPort.js"
import type { PeerSettings } from "./peerSettings.js"
import { type Random, sampleOf } from "./random.js"

/** A validator of the primary network, as far as its peers care. */
export interface ValidatorInfo {
  readonly weight: bigint
  /** Compressed BLS key, if it registered one. */
  readonly publicKey: Uint8Array | undefined
}

/** A node that the operator names to begin with. */
export interface BootstrapNode {
  readonly nodeID: NodeID
  readonly address: IpPort
}

const MIN_FILTER_COUNT = 128
const FILTER_FALSE_POSITIVES = 0.001
const SALT_SIZE = 32
const SEEDS_SIZE = 16 * 8

interface BookOptions {
  readonly nodeID: NodeID
  readonly bootstrappers: readonly BootstrapNode[]
  readonly random: Random
  canConnect?(certificate: Uint8Array): boolean
}

/** The nodes that are worth a connection, and the newest address that each of them signed. */
export class AddressBook {
  readonly #own: NodeID
  readonly #settings: PeerSettings
  readonly #bootstrappers: ReadonlyMap<NodeID, IpPort>
  readonly #claims = new Map<NodeID, Claim>()
  readonly #options: BookOptions
  /** The nodes whose certificates the TLS of this node cannot read. */
  readonly #unreachable = new Set<NodeID>()
  #validators: ReadonlyMap<NodeID, ValidatorInfo> = new Map()
  #totalStake = 0
  #filter: { readonly filter: BloomFilter; readonly madeAt: number; readonly capacity: number } | undefined

  constructor(options: BookOptions, settings: PeerSettings) {
    this.#options = options
    this.#own = options.nodeID
    this.#settings = settings
    this.#bootstrappers = new Map(options.bootstrappers.map(({ nodeID, address }) => [nodeID, address]))
  }

  get validators(): ReadonlyMap<NodeID, ValidatorInfo> {
    return this.#validators
  }

  setValidators(validators: ReadonlyMap<NodeID, ValidatorInfo>): void {
    this.#validators = validators
    this.#totalStake = 0
    for (const { weight } of validators.values()) this.#totalStake += Number(weight)
    for (const nodeID of this.#claims.keys()) {
      if (this.isWanted(nodeID)) continue
      this.#claims.delete(nodeID)
      this.#unreachable.delete(nodeID)
    }
  }

  /** True if this node's ID is that of a validator of the primary network. */
  get validates(): boolean {
    return this.#validators.has(this.#own)
  }

  /** The part of all stake that a node has, 0 to 1. */
  stakeShareOf(nodeID: NodeID | undefined): number {
    const weight = nodeID === undefined ? undefined : this.#validators.get(nodeID)?.weight
    return weight === undefined ? 0 : Number(weight) / this.#totalStake
  }

  /** With `--network-require-validator-to-connect`, a node that does not validate has no other peers than these. Throws `p2p.not_a_validator`. */
  checkWelcome(nodeID: NodeID): void {
    const isWelcome = this.validates || this.#validators.has(nodeID) || this.#bootstrappers.has(nodeID)
    if (this.#settings.requiresValidators && !isWelcome) throw p2pError("p2p.not_a_validator", { nodeID: nodeIDText(nodeID) })
  }

  /** Returns whether a node is worth a connection: a validator or bootstrapper other than this node itself. */
  isWanted(nodeID: NodeID): boolean {
    return nodeID !== this.#own && (this.#validators.has(nodeID) || this.#bootstrappers.has(nodeID))
  }

  isBootstrapper(nodeID: NodeID): boolean {
    return this.#bootstrappers.has(nodeID)
  }

  /** The nodes that can be dialed, with the newest address known of each. */
  *dialable(): Iterable<readonly [NodeID, IpPort]> {
    for (const [nodeID, address] of this.#bootstrappers) {
      if (nodeID !== this.#own) yield [nodeID, this.#claims.get(nodeID) ?? address]
    }
    for (const [nodeID, claim] of this.#claims) {
      if (!this.#bootstrappers.has(nodeID) && !this.#unreachable.has(nodeID)) yield [nodeID, claim]
    }
  }

  /** Stores the claims of wanted nodes that are newer than the known ones. Throws `p2p.*` if one of these is false. */
  take(claims: readonly UncheckedClaim[], nowSeconds: bigint): void {
    const latest = nowSeconds + wholeSeconds(this.#settings.maxClockDifferenceMs)
    for (const claim of claims) if (this.#isNews(claim)) this.keep(verifyClaim(claim, latest))
  }

  /** Stores a claim that was checked. */
  keep(claim: Claim): void {
    if (!this.#isNews(claim)) return
    this.#claims.set(claim.nodeID, claim)
    if (this.#options.canConnect?.(claim.certificate) === false) this.#unreachable.add(claim.nodeID)
    this.#filter?.filter.add(gossipID(claim))
  }

  /**
   * Returns claims for a peer that knows those of the filter, up to the size of a list: of the connected nodes, and of those that other nodes
   * can connect to and this one cannot.
   */
  claimsFor(peer: NodeID, known: BloomFilter | undefined, connected: Iterable<NodeID>): readonly Claim[] {
    const unknown: Claim[] = []
    for (const nodeID of [...connected, ...this.#unreachable]) {
      const claim = nodeID === peer || !this.#validators.has(nodeID) ? undefined : this.#claims.get(nodeID)
      if (claim && !known?.has(gossipID(claim))) unknown.push(claim)
    }
    return sampleOf(this.#options.random, unknown, this.#settings.peerListSize)
  }

  /** Returns a filter of all known claims. It is made again at intervals, so that no claim stays hidden by chance. */
  knownFilter(now: number): BloomFilter {
    const isFresh =
      this.#filter && now - this.#filter.madeAt < this.#settings.filterAgeMs && this.#claims.size <= this.#filter.capacity
    if (this.#filter && isFresh) return this.#filter.filter
    const capacity = Math.max(MIN_FILTER_COUNT, 2 * this.#claims.size)
    const size = bloomSize(capacity, FILTER_FALSE_POSITIVES)
    const { random } = this.#options
    const filter = BloomFilter.empty(size, random.bytes(SEEDS_SIZE), random.bytes(SALT_SIZE))
    for (const claim of this.#claims.values()) filter.add(gossipID(claim))
    this.#filter = { filter, madeAt: now, capacity }
    return filter
  }

  #isNews({ nodeID, timestamp }: Claim): boolean {
    return this.isWanted(nodeID) && timestamp > (this.#claims.get(nodeID)?.timestamp ?? -1n)
  }
}
