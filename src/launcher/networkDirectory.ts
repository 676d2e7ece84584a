import { randomInt } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { configToJson } from "../core/genesis/configJson.js"
import { localConfig } from "../core/genesis/local.js"
import { ewoq } from "../core/genesis/testKeys.js"
import { Invalid } from "../core/lib/invalid.js"
import { printJson } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { parseUpgradeFile, upgradesJson } from "../core/networks/upgradeFile.js"
import { privateChainUpgrades, type Upgrades } from "../core/networks/upgrades.js"
import { nodeIDText } from "../core/types/id.js"
import { upgradesText } from "../datadir/upgradesOfChain.js"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
import { readBoundedFile } from "../files/readBoundedFile.js"
import { writeWholeFile } from "../files/writeWholeFile.js"
import { openIdentity, stakingFolder } from "../node/identity/identity.js"
import { parseConfig } from "../platform/genesis.js"
import { localNetworkError } from "./errors.js"

/** The program that runs a node of a local network. */
export type NodeProgram = "serac" | "avalanchego"

/** One validator of a local network. */
export interface NetworkMember {
  /** The name of the member and of its directory, such as `node1`. */
  readonly name: string
  readonly program: NodeProgram
  readonly nodeID: string
  /** The data directory of the node, with its keys in `staking`. */
  readonly dir: string
}

/** A local network on the disk: its genesis, its upgrade times, and a directory for each node. */
export interface NetworkDirectory {
  readonly dir: string
  readonly networkID: number
  readonly members: readonly NetworkMember[]
  /** The flags that set rules, by their names without dashes, for every node. */
  readonly ruleFlags: Readonly<Record<string, string>>
}

/** The choice of a local network. Missing settings are taken from the directory, or from the defaults. */
export interface NetworkChoice {
  readonly dir: string
  readonly programs?: readonly NodeProgram[] | undefined
  readonly upgrades?: Upgrades | undefined
  readonly ruleFlags?: Readonly<Record<string, string>>
  /** The clock, Unix seconds. */
  readonly now: bigint
}

const DEFAULT_PROGRAMS: readonly NodeProgram[] = ["serac", "serac", "serac", "serac", "serac"]
const FIRST_NETWORK_ID = 1_000_000
const MAX_FILE = 1 << 20
/** The age of a new genesis, seconds, so that no node with a late clock refuses it. */
const GENESIS_AGE = 10n

const descriptionOf = (dir: string) => join(dir, "network.json")
/** The genesis file of a local network, in AvalancheGo's format. */
export const genesisFileOf = (dir: string): string => join(dir, "genesis.json")
/** The upgrade file of a local network, in AvalancheGo's format. */
export const upgradeFileOf = (dir: string): string => join(dir, "upgrades.json")

/**
 * Opens the network of a directory, or creates one there. Throws `localnet.other_*` if the directory has a different one,
 * `localnet.damaged` if files of it are missing or cannot be read, and `localnet.bad_directory` if it cannot be used.
 */
export function openNetworkDirectory(choice: NetworkChoice): NetworkDirectory {
  const { dir } = choice
  try {
    return existsSync(descriptionOf(dir)) ? keptNetwork(choice) : newNetwork(choice)
  } catch (error) {
    if (error instanceof Invalid || (error as NodeJS.ErrnoException).code === undefined) throw error
    throw localNetworkError("localnet.bad_directory", { dir, cause: (error as Error).message })
  }
}

function newNetwork({ dir, programs = DEFAULT_PROGRAMS, upgrades, ruleFlags = {}, now }: NetworkChoice): NetworkDirectory {
  makeOwnerDirectory(dir)
  const networkID = randomInt(FIRST_NETWORK_ID, 2 ** 31)
  const opened = programs.map((program, i) => memberOf(dir, program, i, now))
  const config = {
    ...localConfig(networkID, now - GENESIS_AGE),
    initialStakers: opened.map(({ identity }) => ({
      nodeID: identity.nodeID,
      rewardAddress: ewoq.address,
      delegationFee: 20_000,
      signer: { publicKey: identity.publicKey, proofOfPossession: identity.proofOfPossession },
    })),
  }
  const genesisText = printJson(configToJson(config), 2)
  parseConfig(genesisText)
  writeWholeFile(genesisFileOf(dir), genesisText)
  writeWholeFile(upgradeFileOf(dir), printJson(upgradesJson(upgrades ?? privateChainUpgrades), 2))
  // This file is written last, so a directory that has it is complete.
  writeWholeFile(descriptionOf(dir), printJson({ networkID, programs, ruleFlags }, 2))
  return { dir, networkID, members: opened.map(({ member }) => member), ruleFlags }
}

function keptNetwork(choice: NetworkChoice): NetworkDirectory {
  const { dir, now } = choice
  const stored = storedDescription(dir)
  if (choice.programs && choice.programs.join() !== stored.programs.join()) {
    throw localNetworkError("localnet.other_nodes", { dir, expected: stored.programs, got: choice.programs })
  }
  if (choice.upgrades && upgradesText(choice.upgrades) !== upgradesText(upgradesOfDirectory(dir))) {
    throw localNetworkError("localnet.other_upgrades", { dir })
  }
  const stakers = reading(genesisFileOf(dir), parseConfig).initialStakers.map(({ nodeID }) => nodeIDText(nodeID))
  const members = stored.programs.map((program, i) => {
    const staking = stakingFolder(join(dir, nameOf(i)))
    // New keys would belong to no validator.
    if (!existsSync(staking))
      throw localNetworkError("localnet.damaged", { file: staking, reason: "the keys of the node are missing" })
    return memberOf(dir, program, i, now).member
  })
  const stranger = members.find(({ nodeID }) => !stakers.includes(nodeID))
  if (stranger) throw localNetworkError("localnet.other_keys", { dir: stranger.dir, nodeID: stranger.nodeID })
  return { dir, networkID: stored.networkID, members, ruleFlags: { ...stored.ruleFlags, ...choice.ruleFlags } }
}

type NetworkDescription = Pick<NetworkDirectory, "networkID" | "ruleFlags"> & { readonly programs: readonly NodeProgram[] }

function storedDescription(dir: string): NetworkDescription {
  const file = descriptionOf(dir)
  const { networkID, programs, ruleFlags } = (reading(file, parseJson) ?? {}) as Partial<NetworkDescription>
  const isWhole = typeof networkID === "number" && Array.isArray(programs) && typeof ruleFlags === "object" && ruleFlags !== null
  if (!isWhole) throw localNetworkError("localnet.damaged", { file, reason: "a member is missing" })
  return { networkID, programs, ruleFlags }
}

/** Reads a file of an existing network. Throws `localnet.damaged`. */
function reading<T>(file: string, read: (text: string) => T): T {
  try {
    return read(new TextDecoder().decode(readBoundedFile(file, MAX_FILE)))
  } catch (error) {
    throw localNetworkError("localnet.damaged", { file, reason: (error as Error).message })
  }
}

const nameOf = (index: number): string => `node${index + 1}`

/** Returns a member with the keys in its directory. Missing keys are generated. */
function memberOf(dir: string, program: NodeProgram, index: number, now: bigint) {
  const name = nameOf(index)
  const dataDir = join(dir, name)
  makeOwnerDirectory(dataDir)
  const identity = openIdentity({ isBuiltIn: false, dataDir, now })
  const member: NetworkMember = { name, program, nodeID: nodeIDText(identity.nodeID), dir: dataDir }
  return { member, identity }
}

export function upgradesOfDirectory(dir: string): Upgrades {
  return reading(upgradeFileOf(dir), parseUpgradeFile)
}
