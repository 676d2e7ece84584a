import type { AnswerOf } from "../../client/client.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { groupThousands } from "../../core/lib/groupThousands.js"
import { printJson } from "../../core/lib/json.js"
import { nearest } from "../../core/lib/nearest.js"
import { accountText } from "../accountList.js"
import { command } from "../command.js"
import { cliError } from "../errors.js"
import { type CommandInput, flagWithDefault } from "../flags/flags.js"
import { onOff } from "../flags/flagTypes.js"
import { parseParams, requireMethod } from "../methodParams.js"
import { type RemoteNode, remoteNode, remoteNodeFlags } from "../remoteNode.js"
import type { Terminal } from "../terminal.js"
import { factLines, textTable } from "../textTable.js"
import { parseAmount, parseSeconds } from "../units.js"

const ADDRESS = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"

const devFlags = { ...remoteNodeFlags, force: flagWithDefault(onOff, "With advance: allows more than 100 years", false) }

type DevInput = CommandInput<typeof devFlags>

/** One action of `serac dev`: a method of /ext/dev with its arguments and its text for a terminal. */
interface DevAction {
  readonly takes: string
  readonly count: readonly [least: number, most: number]
  readonly about: string
  /** An example of the arguments, and a phrase about its purpose. */
  readonly example: readonly [args: string, does: string]
  readonly method: string
  params(args: readonly string[], flags: DevInput["flags"]): object
  text(node: RemoteNode, params: object): Promise<string>
}

/** Reads arguments in the form `name=value` as the parameters of a method. */
const paramsOf = (method: string, args: readonly string[]): object => parseParams(requireMethod(method), args)

const actions = {
  advance: {
    takes: "DURATION",
    count: [1, 1],
    about:
      "Moves the clock forward, by weeks (w), days (d), hours (h), minutes (m), seconds (s), and makes every block that becomes due.",
    example: ["14d", "two weeks"],
    method: "dev.advanceTime",
    params: ([duration = ""], { force }) => ({ seconds: parseSeconds(duration), force }),
    async text(node, params) {
      const journey = await node.call("dev.advanceTime", params as { seconds: bigint })
      return journeyText(journey) + (await rewardLines(node, journey))
    },
  },
  mine: {
    takes: "[BLOCKS]",
    count: [0, 1],
    about: "Produces blocks from the transactions of the mempool: one, or at most BLOCKS.",
    example: ["3", "up to three blocks"],
    method: "dev.mine",
    params: ([blocks = "1"]) => paramsOf("dev.mine", [`blocks=${blocks}`]),
    async text(node, params) {
      const { height, blocks } = await node.call("dev.mine", params)
      return factLines({ Height: groupThousands(height), "Blocks made": groupThousands(blocks) })
    },
  },
  mode: {
    takes: "auto | manual | interval [SECONDS]",
    count: [1, 2],
    about: "Sets when blocks are produced.",
    example: ["manual", "only by serac dev mine"],
    method: "dev.setBlockMode",
    params: ([mode = "", seconds]) => paramsOf("dev.setBlockMode", [`mode=${mode}`, ...(seconds ? [`seconds=${seconds}`] : [])]),
    async text(node, params) {
      await node.call("dev.setBlockMode", params as { mode: "auto" })
      const { blockMode } = await node.call("dev.status")
      return factLines({ Blocks: Object.values(blockMode).join(" ") })
    },
  },
  fund: {
    takes: "ADDRESS AMOUNT",
    count: [2, 2],
    about: "Gives AVAX to an address. AMOUNT has its unit: 5avax, 100navax.",
    example: [`${ADDRESS} 5avax`, "five AVAX"],
    method: "dev.fund",
    params: ([address = "", amount = ""]) => ({ address, amount: parseAmount(amount) }),
    async text(node, params) {
      const { address, amount } = params as { address: string; amount: bigint }
      const { txID, utxoID } = await node.call("dev.fund", { address, amount })
      return factLines({ Address: address, Amount: avaxText(amount), Transaction: txID, UTXO: utxoID })
    },
  },
  accounts: {
    takes: "",
    count: [0, 0],
    about: "Lists the funded accounts with their balances and keys, which are publicly known.",
    example: ["", "the keys of a private chain"],
    method: "dev.accounts",
    params: () => ({}),
    text: async (node) => accountsText(await node.call("dev.accounts")),
  },
  snapshot: {
    takes: "",
    count: [0, 0],
    about: "Takes a snapshot and prints its number for revert. Snapshots end with the node.",
    example: ["", "before an experiment"],
    method: "dev.snapshot",
    params: () => ({}),
    async text(node) {
      const { id, height } = await node.call("dev.snapshot")
      return factLines({ Snapshot: String(id), Height: groupThousands(height) })
    },
  },
  revert: {
    takes: "ID",
    count: [1, 1],
    about: "Reverts blocks, state, mempool and clock to a snapshot, and drops later snapshots.",
    example: ["1", "back to the first snapshot"],
    method: "dev.revert",
    params: ([id = ""]) => paramsOf("dev.revert", [`id=${id}`]),
    async text(node, params) {
      const { height } = await node.call("dev.revert", params as { readonly id: string })
      return factLines({ Height: groupThousands(height) })
    },
  },
  reset: {
    takes: "",
    count: [0, 0],
    about: "Resets the chain to its genesis, or to the state of --load-state.",
    example: ["", "a new chain with the same flags"],
    method: "dev.reset",
    params: () => ({}),
    text: async (node) => factLines({ Height: groupThousands((await node.call("dev.reset")).height) }),
  },
  status: {
    takes: "",
    count: [0, 0],
    about: "Shows the clock, the height, the block mode, the mempool and the snapshots.",
    example: ["", "where the chain is"],
    method: "dev.status",
    params: () => ({}),
    text: async (node) => statusText(await node.call("dev.status")),
  },
} satisfies Record<string, DevAction>

type ActionName = keyof typeof actions

const names = Object.keys(actions) as ActionName[]

/** `serac dev`: the actions of a private chain. */
export const devCommand = command({
  takes: "ACTION [ARGUMENTS]",
  count: [1, 3],
  about: `
Controls a private chain by the methods of /ext/dev. With --json it prints the answer of the method. Methods without an action here are called
with serac call.

${names.map((name) => `${`${name} ${actions[name].takes}`.trim()}: ${actions[name].about}`).join("\n\n")}`,
  examples: (["advance", "mode", "fund"] as const).map((name) => {
    const [args, does] = actions[name].example
    return { call: `serac dev ${name} ${args}`, does }
  }),
  flags: devFlags,
  words: names,
  rules: [{ flags: ["force"], applies: (_, [action]) => action !== "advance", reason: "only advance has a limit" }],
  async run({ flags, args: [name = "", ...args] }, terminal) {
    const known = names.find((each) => each === name)
    if (known === undefined) throw unknownAction(name)
    const { takes, count } = actions[known]
    if (args.length < count[0]) throw cliError("cli.missing_argument", { command: `dev ${name}`, takes })
    if (args.length > count[1]) throw cliError("cli.extra_argument", { argument: args[count[1]], takes })
    await runAction(actions[known], args, flags, terminal)
  },
})

/** Returns the command that is the short form of an action: `serac fund` for `serac dev fund`. */
export function shortForm(name: "fund" | "snapshot" | "revert") {
  const action: DevAction = actions[name]
  const [args, does] = action.example
  const call = `serac ${name} ${args}`.trim()
  return command({
    takes: action.takes,
    count: action.count,
    about: `${action.about} It is the short form of serac dev ${name}. With --json it prints the answer of ${action.method}.`,
    examples: [{ call, does }],
    flags: remoteNodeFlags,
    run: ({ flags, args: given }, terminal) => runAction(action, given, { ...flags, force: false }, terminal),
  })
}

async function runAction(
  action: DevAction,
  args: readonly string[],
  flags: DevInput["flags"],
  terminal: Terminal,
): Promise<void> {
  const node = remoteNode(flags.url)
  const params = action.params(args, flags)
  if (flags.json) await terminal.print(`${printJson(await node.json(action.method, params))}\n`)
  else await terminal.print(await action.text(node, params))
}

function unknownAction(action: string) {
  const didYouMean = nearest(action, names)
  return cliError("cli.unknown_action", { command: "dev", action, ...(didYouMean ? { didYouMean } : { known: names.join(" ") }) })
}

/** Prints each account on four lines, first those that are numbered, then the two keys of the local network. */
function accountsText({ accounts }: AnswerOf<"dev.accounts">): string {
  const nameOf = (number: number | undefined, i: number) => (number === undefined ? (["ewoq", "vmRQ"][i] ?? "") : `(${number})`)
  const texts = accounts.map(({ number, ...account }, i) => accountText(nameOf(number, i), account))
  const own = accounts.filter(({ number }) => number === undefined).length
  return [...texts.slice(own), ...texts.slice(0, own)].join("")
}

const unlessZero = (count: number) => (count === 0 ? undefined : groupThousands(count))

function journeyText(journey: AnswerOf<"dev.advanceTime">): string {
  const { clock, chainTime, height, blocks, rewarded, aborted, deactivated, l1sNotMoved = [], l1sNotStopped = [] } = journey
  return factLines({
    Clock: clock,
    "Chain time": chainTime,
    Height: groupThousands(height),
    "Blocks made": groupThousands(blocks),
    "Rewards paid": unlessZero(rewarded),
    "Rewards refused": unlessZero(aborted),
    "L1 validators without balance": unlessZero(deactivated),
    "Not moved": l1sNotMoved.length === 0 ? undefined : `${l1sNotMoved.join(", ")}: their plugins show the machine's time`,
    "Not frozen": l1sNotStopped.length === 0 ? undefined : l1sNotStopped.join(", "),
  })
}

/** The maximum number of rewards that are shown. */
const MAX_REWARDS = 10

/** Prints the last rewards of a journey: who got how much. */
async function rewardLines(node: RemoteNode, { rewarded, aborted }: AnswerOf<"dev.advanceTime">): Promise<string> {
  if (rewarded === 0) return ""
  const kinds = ["RewardValidatorTx", "RewardAutoRenewedValidatorTx"] as const
  const { txs } = await node.call("platform.getTxs", { kinds, limit: Math.min(rewarded + aborted, MAX_REWARDS) })
  const rows = await Promise.all(txs.map(async ({ txID }) => (await node.call("platform.getTxInfo", { txID })).outputs))
  const paid = rows.flat().filter(({ role }) => role === "reward")
  const columns = [
    { title: "Reward", isNumber: true, cell: ({ amount }: (typeof paid)[number]) => avaxText(amount) },
    { title: "To", cell: ({ addresses }: (typeof paid)[number]) => addresses.join(" ") },
    { title: "For the stake", cell: ({ txID }: (typeof paid)[number]) => txID },
  ]
  return paid.length === 0 ? "" : `\n${textTable(columns, paid)}`
}

function statusText(status: AnswerOf<"dev.status">): string {
  const { clock, frozen, chainTime, height, blockMode, snapshots, overrides, mempool, fork } = status
  return factLines({
    Clock: `${clock}${frozen ? ", frozen" : ""}`,
    "Chain time": chainTime,
    Height: groupThousands(height),
    Blocks: Object.values(blockMode).join(" "),
    Mempool: groupThousands(mempool),
    Snapshots: snapshots.length === 0 ? undefined : snapshots.map(({ id, height }) => `${id} (height ${height})`).join(", "),
    Overrides: unlessZero(overrides),
    "Fork of": fork && `${fork.from} at height ${fork.height}`,
  })
}
