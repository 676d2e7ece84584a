import { toHex } from "../core/lib/bytes.js"
import { chainIDOf, type GenesisChains } from "../core/networks/aliases.js"
import { type ID, SUBNET_EVM } from "../core/types/id.js"
import { evmAddressOf } from "../evm/address.js"
import { evmGenesis } from "../evm/genesis.js"
import { secp256k1 } from "../platform/backends.js"
import type { FundedKey, PreparedVM, VMRequest } from "../producer/chainHosting.js"
import { devKeys } from "../producer/dev/devAccounts.js"
import { RELAYER } from "../relay/ports.js"
import { vmError } from "../vmhost/errors.js"
import { pluginsIn, requirePlugin, vmIDOf, vmName } from "../vmhost/plugin/pluginFiles.js"
import { type PluginVersion, pluginVersion } from "../vmhost/plugin/pluginProcess.js"
import { developerConfig, developerGenesis, developerUpgrades, FIRST_EVM_CHAIN_ID } from "./developerChain.js"
import { type ChainHostOptions, type HostedChain, tryFiles } from "./hostedChain.js"

/** Checks the name of a new L1, or finds one that is free. Throws `vm.bad_name` and `vm.name_taken`. */
export function newName(wanted: string | undefined, taken: readonly string[], genesis: GenesisChains): string {
  const isReserved = (name: string) =>
    [name, name.toLowerCase(), name.toUpperCase()].some((each) => chainIDOf(each, genesis) !== undefined)
  const isTaken = (name: string) => taken.some((each) => each.toLowerCase() === name.toLowerCase()) || isReserved(name)
  if (wanted === undefined) {
    for (let number = 1; ; number++) if (!isTaken(`chain${number}`)) return `chain${number}`
  }
  if (!/^[A-Za-z][A-Za-z0-9]{0,31}$/.test(wanted)) throw vmError("vm.bad_name", { name: wanted })
  if (isTaken(wanted)) throw vmError("vm.name_taken", { name: wanted })
  return wanted
}

/** Checks requests for L1s before anything is written, and completes them with the files of a developer's chain. */
export class Preparation {
  readonly #options: ChainHostOptions
  readonly #closing = new AbortController()
  readonly #versions = new Map<string, Promise<PluginVersion>>()
  #keys: readonly FundedKey[] | undefined

  /** Throws `vm.bad_plugin_dir`. */
  constructor(options: ChainHostOptions) {
    this.#options = options
    this.vmIDs()
  }

  vmIDs(): readonly ID[] {
    return pluginsIn(this.#options.pluginDir).map(({ vmID }) => vmID)
  }

  /** Throws `vm.*`, also if the plugin does not start. */
  async prepare(
    { name: wanted, vm, genesis, config, upgrades, evmChainID }: VMRequest,
    hosted: readonly HostedChain[],
  ): Promise<PreparedVM> {
    const vmID = vmIDOf(vm)
    if (vmID === undefined) throw vmError("vm.unknown_vm", { vm, present: this.vmIDs().map(vmName) })
    const { path } = requirePlugin(this.#options.pluginDir, vmID)
    const { protocol } = await this.#versionOf(path)
    const isDefault = genesis === undefined
    if (isDefault && vmID !== SUBNET_EVM) throw vmError("vm.no_genesis", { vm: vmName(vmID) })
    const names = hosted.map(({ record }) => record.name)
    const addresses = () => [...this.knownKeys(), RELAYER].map(({ address }) => address)
    return {
      name: newName(wanted, names, this.#options.data.genesis),
      vmID,
      genesis: genesis ?? developerGenesis(evmChainID ?? freeEvmChainID(hosted), addresses()),
      config: vmID === SUBNET_EVM ? developerConfig(config) : (config ?? new Uint8Array(0)),
      upgrades: upgrades ?? (isDefault ? developerUpgrades(protocol) : new Uint8Array(0)),
    }
  }

  /** Tries the files that a request has in the plugin, before anything is written. Throws `vm.*`. */
  async tryOut(wanted: VMRequest, hosted: readonly HostedChain[]): Promise<void> {
    const prepared = await this.prepare(wanted, hosted)
    const { genesis, config, upgrades } = wanted
    // The files of a developer's chain are known to do.
    if (genesis ?? config ?? upgrades) await tryFiles(prepared, this.#options, this.#closing.signal)
  }

  /** Ends what is tried out. */
  close(): void {
    this.#closing.abort(vmError("vm.stopped", { reason: "the node is stopping" }))
  }

  /** The publicly known keys of the private chain on EVM chains. */
  knownKeys(): readonly FundedKey[] {
    this.#keys ??= devKeys(this.#options.privateChain).map(({ secret, publicKey }) => ({
      address: evmAddressOf(publicKey ?? secp256k1().publicKey(secret)) as string,
      privateKey: `0x${toHex(secret)}`,
    }))
    return this.#keys
  }

  /** Returns the publicly known keys that the genesis of a chain funds. */
  fundedKeys(genesis: Uint8Array): readonly FundedKey[] {
    const evm = evmGenesis(genesis)
    return evm ? this.knownKeys().filter(({ address }) => evm.funded.has(address.toLowerCase())) : []
  }

  /** Asks a plugin for its version once. */
  #versionOf(path: string): Promise<PluginVersion> {
    const known = this.#versions.get(path)
    if (known) return known
    const version = pluginVersion({ path, pluginProtocol: this.#options.pluginProtocol, onFault: this.#options.reportFault })
    this.#versions.set(path, version)
    version.catch(() => this.#versions.delete(path))
    return version
  }
}

function freeEvmChainID(hosted: readonly HostedChain[]): bigint {
  const taken = new Set(hosted.map(({ genesis }) => evmGenesis(genesis)?.chainID))
  let id = FIRST_EVM_CHAIN_ID
  while (taken.has(id)) id++
  return id
}
