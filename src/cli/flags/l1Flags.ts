import type { CChainChoice } from "../../hosting/cChainRecord.js"
import { type PluginProtocol, pluginProtocolOf } from "../../vmhost/plugin/pluginProtocol.js"
import { readNamedFile } from "../files.js"
import { type CommandInput, type FlagType, flagWithDefault, optionalFlag } from "./flags.js"
import { oneOfWords, onOff, path } from "./flagTypes.js"
import { excludes, type FlagRule, needs } from "./withoutEffect.js"

/** An L1 to create when the node starts. */
export interface HostingChoice {
  readonly name: string
  readonly vm: string
  /** The file of its genesis; the developer's genesis by default. */
  readonly genesisFile: string | undefined
  /** The chain ID of the developer's genesis. */
  readonly evmChainID: bigint | undefined
  /** The address of the validator manager. */
  readonly managerAddress: string | undefined
}

const l1Choices: FlagType<readonly HostingChoice[]> = {
  value: "NAME=VM[,GENESIS][,evm-chain-id=N][,manager=0x…]",
  expects:
    "a name and a VM, such as mine=subnet-evm or mine=subnet-evm,evm-chain-id=4242, or several of them with semicolons between",
  separator: ";",
  read(given) {
    if (typeof given !== "string") return undefined
    const choices = given.split(";").map((each) => hostingChoice(each.trim()))
    return choices.every((each) => each !== undefined) ? choices : undefined
  },
}

/** Reads the choice of one L1. What follows its VM and is no setting is the file of its genesis, whose path may have commas. */
function hostingChoice(text: string): HostingChoice | undefined {
  const [first = "", ...rest] = text.split(",")
  const [, name, vm] = /^([^=]+)=([^=]+)$/.exec(first) ?? []
  if (name === undefined || vm === undefined) return undefined
  const settingOf = (key: string) => rest.find((each) => each.startsWith(key))?.slice(key.length)
  const id = settingOf("evm-chain-id=")
  if (id !== undefined && !/^\d{1,19}$/.test(id)) return undefined
  const file = rest.filter((each) => !/^(evm-chain-id|manager)=/.test(each)).join(",")
  return {
    name,
    vm,
    genesisFile: file || undefined,
    evmChainID: id === undefined ? undefined : BigInt(id),
    managerAddress: settingOf("manager="),
  }
}

const pluginProtocol: FlagType<PluginProtocol> = {
  value: "N|any",
  expects: "a version of the plugin protocol from 44 on, or the word any",
  read: pluginProtocolOf,
}

/** The flags about L1s whose VMs run in the node. */
export const l1Flags = {
  "plugin-dir": optionalFlag(path("DIR"), "Directory of VM plugins. The node then runs the VMs of L1s, see dev.createL1"),
  "plugin-protocol": optionalFlag(
    pluginProtocol,
    "Starts plugins with a newer version of the plugin protocol than Serac knows, too: with this one, or any. They may fail at any call",
  ),
  l1: optionalFlag(
    l1Choices,
    "Creates an L1 when the node starts, unless it has one of this name: its name, its VM, and the file of its genesis, or the chain ID of the developer's one, and the address of its validator manager",
  ),
  "c-chain": flagWithDefault(
    oneOfWords("auto", "off", "required"),
    "The C-Chain: auto starts it if a plugin of coreth is in --plugin-dir, required refuses to start without one",
    "auto",
  ),
  "c-chain-upgrade": flagWithDefault(
    oneOfWords("fortuna", "granite"),
    "The rules of a new C-Chain: blocks as fast as transactions, or Granite's, with two seconds from one block to the next",
    "fortuna",
  ),
  "c-chain-config": optionalFlag(path("FILE"), "The configuration of the C-Chain's VM, in the place of Serac's defaults"),
  "c-chain-accounts": flagWithDefault(onOff, "Pays the accounts of the private chain on a new C-Chain", true),
  "auto-relay": flagWithDefault(onOff, "Delivers the ICM (Teleporter) messages between L1s of the node by itself", false),
}

const cChainFlags = ["c-chain", "c-chain-upgrade", "c-chain-config", "c-chain-accounts"]

/** What these flags need. */
export const l1Rules: readonly FlagRule[] = [
  needs("plugin-dir", ["plugin-protocol", "l1", "auto-relay", ...cChainFlags], "the node runs no VMs: add --plugin-dir"),
  {
    flags: cChainFlags.filter((flag) => flag !== "c-chain"),
    applies: (flags) => flags["c-chain"] === "off",
    reason: "--c-chain off starts no C-Chain",
  },
  excludes("fork", cChainFlags, "a fork has the P-Chain only, since the past of its C-Chain is not here"),
]

/** The maximum size of a genesis file, bytes. */
const MAX_GENESIS = 4 << 20

/** Returns the options of L1s from the flags. Throws `cli.unreadable_file`. */
export function l1OptionsOf(flags: L1FlagValues) {
  const { l1: choices = [], "plugin-dir": pluginDir, "plugin-protocol": pluginProtocol, "auto-relay": hasAutoRelay } = flags
  const l1s = choices.map(({ genesisFile, ...choice }) => ({
    ...choice,
    ...(genesisFile === undefined
      ? {}
      : { genesis: `0x${Buffer.from(readNamedFile(genesisFile, MAX_GENESIS)).toString("hex")}` }),
  }))
  return { l1s, pluginDir, pluginProtocol, hasAutoRelay, cChain: cChainOf(flags) }
}

function cChainOf(flags: L1FlagValues): CChainChoice {
  const file = flags["c-chain-config"]
  const config = file === undefined ? undefined : readNamedFile(file, MAX_GENESIS)
  return { mode: flags["c-chain"], upgrade: flags["c-chain-upgrade"], config, paysAccounts: flags["c-chain-accounts"] }
}

type L1FlagValues = CommandInput<typeof l1Flags>["flags"]
