import type { AnswerOf } from "../../client/client.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { printJson } from "../../core/lib/json.js"
import { nearest } from "../../core/lib/nearest.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { developerGenesis, FIRST_EVM_CHAIN_ID } from "../../hosting/developerChain.js"
import { RELAYER } from "../../relay/ports.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { readNamedFile } from "../files.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "../flags/flags.js"
import { amount, integerFlag, path, text, wholeNumber } from "../flags/flagTypes.js"
import { walletRules } from "../flags/walletFlags.js"
import { needs } from "../flags/withoutEffect.js"
import { l1HealthFlags, printL1Health } from "../l1Health.js"
import { l1ManagerFlags, managerStep } from "../l1Manager.js"
import { rehearseRescue } from "../l1Rehearsal.js"
import { topUpL1 } from "../l1TopUp.js"
import { type RemoteNode, remoteNode } from "../remoteNode.js"
import { factLines, textTable } from "../textTable.js"

type L1 = AnswerOf<"dev.listL1s">["l1s"][number]
type Message = AnswerOf<"dev.relay">["messages"][number]

const VERBS = [
  "list",
  "show",
  "create",
  "start",
  "stop",
  "remove",
  "register",
  "weight",
  "disable",
  "relay",
  "health",
  "top-up",
  "rehearse",
  "genesis",
] as const

const l1Flags = {
  ...l1HealthFlags,
  ...l1ManagerFlags,
  vm: flagWithDefault(text, "With create: the VM, subnet-evm, xsvm or the ID of a plugin", "subnet-evm"),
  genesis: optionalFlag(path("FILE"), "With create: the file of the genesis (default for subnet-evm: a developer's chain)"),
  config: optionalFlag(path("FILE"), "With create: the file of the VM's configuration"),
  upgrades: optionalFlag(path("FILE"), "With create: the file of the VM's upgrades"),
  validators: flagWithDefault(integerFlag(1, 64), "With create: the number of validators; the node is the first of them", 1),
  weight: optionalFlag(wholeNumber, "With create: the weight of each validator (default: 100)"),
  balance: optionalFlag(amount, "With create and register: the balance of each validator, such as 1avax"),
  "evm-chain-id": optionalFlag(
    wholeNumber,
    "With create and genesis: the chain ID of the developer's genesis (default: a free one)",
  ),
  manager: optionalFlag(text, "With create: the address of the validator manager, 0x and hex"),
  "manager-chain": optionalFlag(text, "With create: the blockchain of the validator manager, such as C (default: the L1 itself)"),
}

/** The verbs that have a flag; all have the others. */
const verbsOf: Partial<Record<keyof typeof l1Flags, readonly string[]>> = {
  vm: ["create"],
  genesis: ["create"],
  config: ["create"],
  upgrades: ["create"],
  validators: ["create"],
  weight: ["create"],
  "evm-chain-id": ["create", "genesis"],
  manager: ["create"],
  "manager-chain": ["create"],
  tx: ["register", "weight"],
  balance: ["create", "register"],
  proof: ["register"],
  height: ["health"],
  until: ["health", "top-up", "rehearse"],
  "l1-rpc": ["health", "rehearse"],
  "warn-before": ["health"],
  increase: ["top-up", "rehearse"],
  "private-key-file": ["top-up", "rehearse"],
  account: ["top-up", "rehearse"],
  "no-wait": ["top-up"],
}

type L1Input = CommandInput<typeof l1Flags>

/** `serac l1`: the L1s whose VMs run in a private chain's node, and the health of any L1. */
export const l1Command = command({
  takes:
    "list | relay | genesis | (show|create|start|stop|remove|register|weight) NAME | disable VALIDATION-ID | health [ID|NAME] | (top-up|rehearse) ID|NAME",
  count: [1, 2],
  about: `
Manages the L1s that a node with --plugin-dir hosts, and looks after any L1 of a network. With --json it prints the answer of the node.

create makes a subnet, a blockchain and the conversion to an L1 on the private P-Chain, and starts the VM. genesis prints the
developer's genesis, to change it and give it to create --genesis. stop ends the VM until start, also
if the node restarts. remove deletes the data of the L1. relay delivers ICM messages between L1s that wait or have failed. register and
weight do the P-Chain's part of a step of a validator manager, from the message that its contract sent, and print the P-Chain's answer
for the contract; disable needs no contract.

health says how long the balances of an L1's validators last, and when it halts if nobody acts; without a name it lists all L1s by the time
that is left. The exit code is 1 if one has halted or halts within --warn-before. top-up increases the balances of validators; rehearse tries
that on a fork, with time moved to the halt and beyond.`,
  examples: [
    { call: "serac l1 create mine --vm subnet-evm", does: "a new EVM chain at /ext/bc/mine/rpc" },
    { call: "serac l1 create mine --manager 0x52c8… --manager-chain C", does: "its validator manager is on the C-Chain" },
    { call: "serac l1 register mine --tx 0x5c50…", does: "registers the validator that the contract asked for" },
    { call: "serac l1 health mine --until 30d", does: "will it halt, and what keeps it alive for 30 days" },
    { call: "serac l1 rehearse mine --increase NodeID-…=0.5avax", does: "would this save it?" },
    { call: "serac l1 top-up mine --until 30d", does: "increases the balances by that plan" },
  ],
  flags: l1Flags,
  rules: [
    ...walletRules,
    needs("manager", ["manager-chain"], "there is no validator manager: add --manager"),
    ...Object.entries(verbsOf).map(([flag, verbs]) => ({
      flags: [flag],
      applies: (_: L1Input["flags"], [verb = ""]: readonly string[]) => !verbs.includes(verb),
      reason: `only serac l1 ${verbs.join(" and ")} has it`,
    })),
  ],
  groups: {
    Node: ["url", "json"],
    Creation: ["vm", "genesis", "evm-chain-id", "config", "upgrades", "validators", "weight", "balance"],
    "Validator manager": ["manager", "manager-chain", "tx", "proof"],
    Health: ["height", "until", "l1-rpc", "warn-before", "increase", "private-key-file", "account", "no-wait"],
  },
  words: VERBS,
  async run(given, terminal) {
    const { flags, args } = given
    const [verb = "", name] = args
    const node = remoteNode(flags.url)
    const known = VERBS.find((each) => each === verb)
    if (known === undefined) throw unknownVerb(verb)
    if (known === "health") return printL1Health(name, flags, node, terminal)
    const isNameless = known === "list" || known === "relay" || known === "genesis"
    if (isNameless && name !== undefined) throw cliError("cli.extra_argument", { argument: name, takes: known })
    if (!isNameless && name === undefined) throw cliError("cli.l1_without_name", { verb })
    if (known === "rehearse") return rehearseRescue(name ?? "", flags, node, terminal)
    if (known === "top-up") return topUpL1(name ?? "", flags, node, terminal)
    await terminal.print(await answerTo(known, name ?? "", given, node))
  },
})

function unknownVerb(action: string) {
  const didYouMean = nearest(action, VERBS)
  return cliError("cli.unknown_action", { command: "l1", action, ...(didYouMean ? { didYouMean } : { known: VERBS.join(" ") }) })
}

/** Calls the node, and returns the text for a terminal or for scripts. */
async function answerTo(
  verb: Exclude<(typeof VERBS)[number], "health" | "top-up" | "rehearse">,
  name: string,
  { flags }: L1Input,
  node: RemoteNode,
): Promise<string> {
  const { url, json } = flags
  if (verb === "list") {
    if (json) return `${printJson(await node.json("dev.listL1s", {}))}\n`
    return listText((await node.call("dev.listL1s")).l1s)
  }
  if (verb === "genesis") return `${await genesisText(node, flags["evm-chain-id"])}\n`
  if (verb === "relay") {
    if (json) return `${printJson(await node.json("dev.relay", {}))}\n`
    return messagesText((await node.call("dev.relay")).messages)
  }
  if (verb === "create") {
    const params = { ...createParams(name, flags), ...(await managerParams(flags, node)) }
    if (json) return `${printJson(await node.json("dev.createL1", params))}\n`
    const { l1 } = await node.call("dev.createL1", params)
    return l1 ? l1Text(l1, url) : ""
  }
  if (verb === "show") {
    const l1 = (await node.call("dev.listL1s")).l1s.find((each) => each.name === name || each.chainID === name)
    if (!l1) throw cliError("cli.unknown_l1", { name })
    return json ? `${printJson(await shownJson(node, name))}\n` : l1Text(l1, url)
  }
  if (verb === "register" || verb === "weight") return managerStep(verb, name, flags, node)
  if (verb === "disable") {
    const answer = await node.json("dev.disableL1Validator", { validationID: name })
    return json ? `${printJson(answer)}\n` : `${name} is disabled.\n`
  }
  const method = ({ start: "dev.startL1", stop: "dev.stopL1", remove: "dev.removeL1" } as const)[verb]
  if (json) return `${printJson(await node.json(method, { name }))}\n`
  const l1 = await node.call(method, { name })
  return verb === "start" ? l1Text(l1, url) : `${l1.name} is ${verb === "stop" ? "stopped" : "removed"}.\n`
}

async function shownJson(node: RemoteNode, name: string) {
  const { l1s } = (await node.json("dev.listL1s", {})) as { l1s: { name: string; chainID: string }[] }
  return l1s.find((each) => each.name === name || each.chainID === name) ?? null
}

/** The developer's genesis, which funds the accounts of the node and its relayer. */
async function genesisText(node: RemoteNode, evmChainID = FIRST_EVM_CHAIN_ID): Promise<string> {
  const { accounts } = await node.call("dev.accounts")
  const genesis = developerGenesis(evmChainID, [...accounts.map(({ evmAddress }) => evmAddress), RELAYER.address])
  return printJson(parseJson(Buffer.from(genesis).toString()), 2)
}

function createParams(name: string, flags: L1Input["flags"]) {
  const { vm, genesis, config, upgrades, validators, weight, balance, "evm-chain-id": evmChainID } = flags
  const fileOf = (file: string | undefined) => file && `0x${Buffer.from(readNamedFile(file)).toString("hex")}`
  const files = { genesis: fileOf(genesis), config: fileOf(config), upgrades: fileOf(upgrades) }
  const given = { ...files, weight, balance, evmChainID }
  return { name, vm, validators, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}

/** Returns the place of the validator manager. */
async function managerParams({ manager: managerAddress, "manager-chain": alias }: L1Input["flags"], node: RemoteNode) {
  if (managerAddress === undefined) return {}
  if (alias === undefined) return { managerAddress }
  return { managerAddress, managerChainID: (await node.call("info.getBlockchainID", { alias })).blockchainID }
}

function listText(l1s: readonly L1[]): string {
  if (l1s.length === 0) return "This node hosts no L1.\n"
  return textTable<L1>(
    [
      { title: "Name", cell: ({ name }) => name },
      { title: "VM", cell: ({ vm, version }) => `${vm} ${version ?? ""}`.trim() },
      { title: "State", cell: ({ state }) => state },
      { title: "Height", cell: ({ height }) => (height === undefined ? "" : groupThousands(height)), isNumber: true },
      { title: "Blockchain", cell: ({ chainID }) => chainID },
    ],
    l1s,
  )
}

function messagesText(messages: readonly Message[]): string {
  if (messages.length === 0) return "No ICM message was sent between the L1s of this node.\n"
  return textTable<Message>(
    [
      { title: "Message", cell: ({ messageID }) => messageID },
      { title: "From", cell: ({ sourceChainID }) => sourceChainID },
      { title: "To", cell: ({ destinationChainID }) => destinationChainID },
      { title: "State", cell: ({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`) },
    ],
    messages,
  )
}

/** What a plugin does with the clock, for people. */
const CLOCKS = {
  stops: "that of the private chain",
  moves: "that of the private chain, without its stops",
  none: "the machine's, which does not move with the private chain's",
}

/** The facts of an L1: where it is reached, and the first funded key. */
function l1Text(
  { name, chainID, subnetID, vm, version, clock, state, reason, height, evmChainID, paths, keys }: L1,
  url: string,
): string {
  const [key] = keys
  const routes = Object.fromEntries(paths.map((each) => [routeName(each), url + each]))
  return factLines({
    Name: name,
    State: reason === undefined ? state : `${state}: ${reason}`,
    ...routes,
    "EVM chain ID": evmChainID === undefined ? undefined : String(evmChainID),
    Height: height === undefined ? undefined : groupThousands(height),
    VM: `${vm} ${version ?? ""}`.trim(),
    Clock: clock && CLOCKS[clock],
    Blockchain: chainID,
    Subnet: subnetID,
    "Funded address": key?.address,
    "Private key": key && `${key.privateKey} (publicly known)`,
  })
}

const routeName = (path: string): string => {
  const last = path.split("/").at(-1) ?? ""
  return last.length <= 3 ? last.toUpperCase() : `${last.charAt(0).toUpperCase()}${last.slice(1)}`
}
