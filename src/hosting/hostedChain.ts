import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toHex } from "../core/lib/bytes.js"
import type { Log } from "../core/lib/log.js"
import { min } from "../core/lib/math64.js"
import { aliasesOf, chainIDOf, type GenesisChains } from "../core/networks/aliases.js"
import { heightOf, tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { acceptedTx } from "../core/txs/execute.js"
import { type ID, idOfName, idText, type NodeID } from "../core/types/id.js"
import type { StoredChain } from "../datadir/storedChain.js"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
import type { Identity } from "../node/identity/identity.js"
import type { FaultReports } from "../node/nodeChain.js"
import type { NodeOptions } from "../node/options.js"
import { systemTimers } from "../node/timers.js"
import { bls } from "../platform/backends.js"
import type { HostedL1, PreparedVM } from "../producer/chainHosting.js"
import { secretOf } from "../producer/keys/identities.js"
import type { PrivateChain } from "../producer/privateChain.js"
import { ChainPlugin, type ChainPluginOptions } from "../vmhost/chainPlugin.js"
import type { HostPorts } from "../vmhost/chainRun.js"
import type { PluginClock } from "../vmhost/plugin/pluginClock.js"
import { requirePlugin } from "../vmhost/plugin/pluginFiles.js"
import type { PluginProtocol } from "../vmhost/plugin/pluginProtocol.js"
import { tryChain } from "../vmhost/startChain.js"
import type { StartTurns } from "../vmhost/startTurns.js"
import { type CChainChoice, fundsOfGenesis, isCChain, rulesOf } from "./cChainRecord.js"
import { type ChainRecord, vmFolder } from "./chainRecord.js"
import { effectiveConfig } from "./developerChain.js"
import { databaseInMemory, HostedDatabase } from "./hostedDatabase.js"
import { SharedMemory } from "./sharedMemory.js"
import type { SnapshotRoom } from "./snapshotRoom.js"

/** The maximum size of the rows of a plugin on the disk and in memory, bytes. */
const MAX_DISK = 64 * 2 ** 30
const MAX_MEMORY = 2 ** 30

export interface ChainHostOptions extends FaultReports, Pick<NodeOptions, "log" | "wall"> {
  readonly pluginDir: string
  readonly pluginProtocol?: PluginProtocol | undefined
  /** The directory of the L1s; `undefined` if nothing is stored. */
  readonly folder: string | undefined
  readonly data: StoredChain
  readonly identity: Identity
  readonly privateChain: PrivateChain
  /** The clock of the private chain, as plugins follow it. */
  readonly clock: PluginClock
  readonly hasWarpLag: boolean
  readonly cChain: CChainChoice
  /** True if messages between L1s are delivered by themselves. */
  readonly hasAutoRelay: boolean
}

/** A chain that the node hosts: what it is (`record`, `genesis`), that it runs (`plugin`), and what its VM stores. */
export interface HostedChain {
  readonly record: ChainRecord
  /** False for an L1. */
  readonly isCChain: boolean
  readonly plugin: ChainPlugin
  readonly database: HostedDatabase
  readonly dataDir: string
  readonly genesis: Uint8Array
}

/** The hosted chains of a node, which come and go. */
export interface ChainList {
  readonly hosted: readonly HostedChain[]
  /** Calls back when a chain is added or removed. */
  onChange(listener: () => void): void
}

export interface NamedChain {
  readonly name: string
  readonly chainID: ID
}

/** What the hosted chains of a node have in common. */
interface Surroundings {
  /** Returns all L1s of the node. */
  named(): readonly NamedChain[]
  /** The turns in which they start. */
  readonly starts: StartTurns
  readonly room: SnapshotRoom
  /** Called after each block, and when the chain runs after a start. */
  onAccepted(): void
}

/** Opens a hosted chain, and does not start it. */
export function openHostedChain(
  record: ChainRecord,
  options: ChainHostOptions,
  { named, starts, room, onAccepted }: Surroundings,
): HostedChain {
  const { folder, log, pluginDir, pluginProtocol, privateChain, clock } = options
  const dataDir = folder === undefined ? mkdtempSync(join(tmpdir(), "serac-l1-")) : vmFolder(folder, record.chainID)
  makeOwnerDirectory(dataDir)
  const database = new HostedDatabase({
    chainID: record.chainID,
    store: privateChain.options.store,
    commit: (edits, overrides) => privateChain.commitBeside(edits, overrides),
    room,
    maxBytes: folder === undefined ? MAX_MEMORY : MAX_DISK,
  })
  const genesis = genesisOf(privateChain.status.view, record.chainID)
  const { genesis: of, rules } = options.data
  const memory = { chainID: record.chainID, networkID: rules.networkID, avaxAssetID: of.avaxAssetID, database }
  const sharedMemory = isCChain(record)
    ? new SharedMemory({ ...memory, store: privateChain.options.store, genesisFunds: fundsOfGenesis(genesis) })
    : undefined
  const pluginOptions: ChainPluginOptions = {
    plugin: () => requirePlugin(pluginDir, record.vmID).path,
    starts,
    pluginProtocol,
    clock,
    setup: setupOf(record, options, { dataDir, genesis }),
    scratchDir: folder === undefined ? dataDir : undefined,
    database,
    ports: { ...portsOf(record, options, named), sharedMemory },
    onLine: (line) => logPluginLine(log, record.name, line, plugin.report().state),
  }
  const plugin: ChainPlugin = new ChainPlugin(pluginOptions, onAccepted)
  return { record, isCChain: isCChain(record), plugin, database, dataDir, genesis }
}

/** A subnet that nobody validates. That of the L1 does not exist before its files were tried. */
const TRIAL_SUBNET = idOfName("a trial of files")

/**
 * Tries whether the plugin of a VM takes the files of an L1 that is to be created. Nothing of the trial stays. Throws `vm.*`, and the reason of
 * `ending`.
 */
export async function tryFiles(prepared: PreparedVM, options: ChainHostOptions, ending: AbortSignal): Promise<void> {
  const { genesis, ...files } = prepared
  const { pluginDir, pluginProtocol, clock } = options
  const record = { ...files, subnetID: TRIAL_SUBNET, chainID: idOfName(prepared.name), rules: "", isStopped: true }
  const dataDir = mkdtempSync(join(tmpdir(), "serac-l1-trial-"))
  try {
    const vm = {
      path: requirePlugin(pluginDir, prepared.vmID).path,
      pluginProtocol,
      clock,
      setup: setupOf(record, options, { dataDir, genesis }),
      scratchDir: dataDir,
      database: databaseInMemory(record.chainID, MAX_MEMORY),
      ports: portsOf(record, options, () => []),
      ending,
      onLine: () => {},
    }
    await tryChain(vm, async () => {})
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/**
 * Tells the VM of an L1 which of its validators are online. They exist as keys only, so each is, unless `dev.setUptime` said otherwise. VMs count
 * the uptime that they sign from this. The node itself is always online.
 */
export async function tellOnline(
  { record, isCChain, plugin }: HostedChain,
  { privateChain, identity }: Pick<ChainHostOptions, "privateChain" | "identity">,
): Promise<void> {
  if (isCChain) return
  const { subnetID } = record
  const { uptimes } = privateChain.status.overrides
  const online = new Set<NodeID>()
  for (const [{ nodeID }] of privateChain.options.store.latest.rows(tables.members, { under: { subnetID } })) {
    if (nodeID !== identity.nodeID && uptimes.get(nodeID) !== 0) online.add(nodeID)
  }
  await plugin.setOnline(online)
}

/** Keeps all chains between two blocks until the returned function is called. */
export async function holdAll(hosted: readonly HostedChain[]): Promise<() => void> {
  const releases = await Promise.all(hosted.map(({ plugin }) => plugin.hold()))
  return () => {
    for (const release of releases) release()
  }
}

/** Returns the genesis in the transaction that created a chain. */
export function genesisOf(view: View, chainID: ID): Uint8Array {
  const tx = acceptedTx(view, chainID)?.unsignedTx
  if (tx?.kind !== "CreateChainTx") throw new Error(`the transaction of chain ${chainID} is missing`)
  return tx.genesisData
}

/** Returns what the VM of a chain is told. */
export function setupOf(
  record: ChainRecord,
  { data, identity }: Pick<ChainHostOptions, "data" | "identity">,
  files: Pick<HostedChain, "dataDir" | "genesis">,
) {
  const { xChainID, cChainID, avaxAssetID } = data.genesis
  const { subnetID, chainID, upgrades: upgradeBytes } = record
  const { networkID } = data.rules
  const upgrades = rulesOf(record, data.rules.upgrades)
  const { nodeID, publicKey } = identity
  const network = { networkID, upgrades, xChainID, cChainID, avaxAssetID, nodeID, publicKey }
  return { ...network, ...files, subnetID, chainID, upgradeBytes, config: effectiveConfig(record) }
}

/**
 * Returns a function that signs for a validator whose key the private chain holds: one of the chain's subnet, and for the C-Chain also one of an
 * L1, because L1s have its messages signed by their own validators.
 */
function signerOf({ status: { view } }: PrivateChain, record: ChainRecord, nodeID: NodeID) {
  const others = isCChain(record) ? [...view.rows(tables.conversions)].map(([l1]) => l1) : []
  const keyIn = (subnet: ID) => view.get(tables.members, { subnetID: subnet, nodeID })?.publicKey
  const publicKey = [record.subnetID, ...others].map(keyIn).find((key) => key !== undefined)
  const secret = publicKey && secretOf(view, bls().compressKey(publicKey))
  return secret && ((message: Uint8Array) => bls().sign(secret, message))
}

/**
 * Returns the P-Chain as VMs see it: as far as it is written. They remember the validators of a height, and the P-Chain goes back to what is
 * written after the store has failed.
 */
export function writtenPChain({ options: { store }, status, clock }: PrivateChain, hasLag: boolean): HostPorts["pChain"] {
  const height = () => heightOf(store.latest)
  const recentMinimum = () => status.wrappers.recent.minimumHeight(height(), clock.milliseconds())
  const minimumHeight = () => (hasLag ? min(recentMinimum(), height()) : height())
  return { view: () => store.latest, height, minimumHeight }
}

function portsOf(record: ChainRecord, options: ChainHostOptions, named: () => readonly NamedChain[]): HostPorts {
  const { name } = record
  const { privateChain, identity, data, hasWarpLag: hasLag, log, wall, reportFault } = options
  return {
    pChain: writtenPChain(privateChain, hasLag),
    aliases: aliasPorts(named, data.genesis),
    hasLag,
    // The key of the node's validator may have been taken over.
    sign: (message) => signerOf(privateChain, record, identity.nodeID)?.(message) ?? bls().sign(identity.secret, message),
    signerOf: (nodeID) => signerOf(privateChain, record, toHex(nodeID) as NodeID),
    blockMode: () => privateChain.blockMode,
    now: wall,
    after: systemTimers.after,
    onFault: (error, where) => reportFault(error, `L1 ${name}: ${where}`),
    log: logOf(log, name),
  }
}

/** Returns a log whose events name an L1. */
function logOf(log: Log, l1: string): Log {
  return {
    isEnabled: (level) => log.isEnabled(level),
    error: (event, data) => log.error(event, { l1, ...data }),
    warn: (event, data) => log.warn(event, { l1, ...data }),
    info: (event, data) => log.info(event, { l1, ...data }),
    debug: (event, data) => log.debug(event, { l1, ...data }),
  }
}

/** Names of all chains, for the VMs. */
export function aliasPorts(hosted: () => readonly NamedChain[], genesis: GenesisChains) {
  return {
    chainOf: (alias: string): ID | undefined =>
      chainIDOf(alias, genesis) ?? hosted().find(({ name, chainID }) => name === alias || idText(chainID) === alias)?.chainID,
    aliasesOf(chainID: ID): readonly string[] {
      const own = hosted().find((each) => each.chainID === chainID)
      return own ? [own.name, idText(chainID)] : aliasesOf(chainID, genesis)
    },
  }
}

/** A line of subnet-evm and most other VMs: time, level, chain, file, text. */
const LINE = /^\[[\d|:.-]+\]\s+([A-Z]+)\s+(?:<[^>]*>\s+)?(?:\S+\.go:\d+\s+)?(.*)$/

/**
 * Writes a line of a plugin to the node's log, with the name of its chain. Its information is detail to the node, and so are its warnings before
 * the chain runs: that a new database is empty, or that a VM was ended by a revert. Errors are written always.
 */
export function logPluginLine(log: Log, chain: string, line: string, state: HostedL1["state"]): void {
  const [, level, text] = LINE.exec(line) ?? []
  const data = { chain, text: (text ?? line).replace(/\s+/g, " ").trim() }
  if (level === "ERROR" || level === "FATAL" || level === "CRIT") log.error("plugin", data)
  else if (level === "WARN" && state === "running") log.warn("plugin", data)
  else log.debug("plugin", data)
}
