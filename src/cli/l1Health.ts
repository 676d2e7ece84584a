import type { AnswerOf } from "../client/client.js"
import { avaxText } from "../core/lib/avaxText.js"
import { printJson } from "../core/lib/json.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { parseID } from "../core/types/id.js"
import { cliError } from "./errors.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "./flags/flags.js"
import { integerFlag, text, words } from "./flags/flagTypes.js"
import { decisionFlags, walletFlags } from "./flags/walletFlags.js"
import { type RemoteNode, remoteProposerVM } from "./remoteNode.js"
import type { Terminal } from "./terminal.js"
import { type Column, factLines, textTable } from "./textTable.js"
import { parseSeconds } from "./units.js"

/** Heights as numbers are exact up to here. */
const MAX_HEIGHT = 999_999_999_999_999

/** The flags of `serac l1 health` and `serac l1 top-up`. */
export const l1HealthFlags = {
  ...walletFlags,
  ...decisionFlags,
  until: optionalFlag(
    text,
    "With health: prints a plan of top-ups that keeps the L1 alive for this time, such as 30d; with top-up: carries it out; with rehearse: the time that the L1 must last (default: 30d)",
  ),
  height: optionalFlag(
    integerFlag(0, MAX_HEIGHT),
    "With health: the P-Chain height at which it is judged (default: the last one)",
  ),
  "l1-rpc": optionalFlag(
    text,
    "With health: the RPC address of the L1 at one of its nodes, to see who may propose its next block",
  ),
  "warn-before": flagWithDefault(text, "With health: the exit code is 1 if the L1 halts within this time", "7d"),
  increase: optionalFlag(
    words,
    "With top-up and rehearse: validators and what to add, such as NodeID-…=0.5avax; a validator is a node ID or a validation ID",
  ),
}

/** The values of these flags. */
export type L1HealthInput = CommandInput<typeof l1HealthFlags>["flags"]
type Health = AnswerOf<"platform.getL1Health">
/** A validator of an L1, as its health shows it. */
export type Validator = Health["validators"][number]
type Listed = AnswerOf<"platform.getL1s">["l1s"][number]

/** Prints the health of one L1, or of all of them. Throws `cli.l1_in_danger` if one halts soon. */
export async function printL1Health(
  name: string | undefined,
  flags: L1HealthInput,
  node: RemoteNode,
  terminal: Terminal,
): Promise<void> {
  const warnBefore = parseSeconds(flags["warn-before"])
  if (name === undefined) {
    if ([flags.until, flags.height, flags["l1-rpc"]].some((each) => each !== undefined))
      throw cliError("cli.l1_without_name", { verb: "health" })
    return printL1s(warnBefore, flags, node, terminal)
  }
  const place = { subnetID: await subnetOf(name, node), ...(flags.height === undefined ? {} : { height: BigInt(flags.height) }) }
  const params = { ...place, ...(await untilOf(flags, place, node)), ...(await epochOf(flags)) }
  const { json, answer: health } = await node.both("platform.getL1Health", params)
  await terminal.print(flags.json ? `${printJson(json)}\n` : healthText(health))
  if (isInDanger(health, secondsOf(health.timestamp), warnBefore))
    throw cliError("cli.l1_in_danger", { reason: sentenceOf(health) })
}

/** The time of --until, which counts from the block at which the L1 is judged. */
export async function untilOf({ until }: Pick<L1HealthInput, "until">, place: { readonly subnetID: string }, node: RemoteNode) {
  if (until === undefined) return {}
  const seconds = parseSeconds(until)
  return { until: secondsOf((await node.call("platform.getL1Health", place)).timestamp) + seconds }
}

/** The epoch of the chain at --l1-rpc. */
export async function epochOf({ "l1-rpc": url }: L1HealthInput) {
  if (url === undefined) return {}
  const { pChainHeight, startTime } = await remoteProposerVM(url).call("proposervm.getCurrentEpoch")
  return { l1Epoch: { pChainHeight, startTime } }
}

async function printL1s(warnBefore: bigint, flags: L1HealthInput, node: RemoteNode, terminal: Terminal): Promise<void> {
  const { json, answer } = await node.both("platform.getL1s", {})
  const { l1s, timestamp } = answer
  const now = secondsOf(timestamp)
  await terminal.print(flags.json ? `${printJson(json)}\n` : listText(l1s, await namesOf(node), now))
  const danger = l1s.filter((each) => isInDanger(each, now, warnBefore))
  if (danger.length > 0) throw cliError("cli.l1_in_danger", { l1s: danger.map(({ subnetID }) => subnetID).join(" ") })
}

/** Returns the subnet of a name: a subnet's ID, or the name or ID of one of its blockchains. */
export async function subnetOf(name: string, node: RemoteNode): Promise<string> {
  const { blockchains } = await node.call("platform.getBlockchains", {})
  const found = blockchains.filter((each) => each.name === name || each.id === name)
  if (found.length > 1) throw cliError("cli.several_chains", { name, subnetIDs: found.map(({ subnetID }) => subnetID).join(" ") })
  if (!found[0] && !isID(name)) throw cliError("cli.unknown_chain", { name })
  return found[0]?.subnetID ?? name
}

function isID(text: string): boolean {
  try {
    return parseID(text) !== ""
  } catch {
    return false
  }
}

export const secondsOf = (time: string): bigint => wholeSeconds(Date.parse(time))

type Verdict = Pick<Health, "verdict" | "haltsAt">

function isInDanger({ verdict, haltsAt }: Verdict, now: bigint, warnBefore: bigint): boolean {
  return verdict === "halted" || (haltsAt !== null && secondsOf(haltsAt) - now <= warnBefore)
}

/** One sentence about an L1. */
export function sentenceOf({ verdict, haltsAt, timestamp, activeShare, snowman, forecastUntil }: Health): string {
  const needed = `${(100 * snowman.alphaConfidence) / snowman.k} %`
  if (verdict === "halted")
    return `The L1 cannot decide blocks: ${activeShare} % of its weight is active, and ${needed} is needed.`
  if (haltsAt === null) return `The L1 has enough active weight until ${forecastUntil} at least.`
  return `The L1 halts at ${haltsAt}, in ${leftText(haltsAt, secondsOf(timestamp))}, unless balances are increased before.`
}

function healthText(health: Health): string {
  const { timestamp, warp, snowman, plan, price, totalWeight, activeShare } = health
  const now = secondsOf(timestamp)
  const threshold = ({ needed, isMet, lostAt }: Health["warp"], share: string) =>
    `${isMet ? "yes" : "no"}, ${share} (${needed} of ${totalWeight}) needed${lostAt === null ? "" : `, until ${lostAt} (${leftText(lostAt, now)})`}`
  const facts = factLines({
    Verdict: sentenceOf(health),
    "Active weight": `${activeShare} %`,
    "Signs Warp messages": threshold(warp, "67 %"),
    "Decides blocks": threshold(snowman, `${snowman.alphaConfidence} of ${snowman.k}`),
    "Next proposer": proposersText(health),
    Fee: `${price} nAVAX per second for each active validator`,
    Assumption: health.assumption,
  })
  return `${facts}\n${textTable(columnsAt(now), health.validators)}${plan ? `\n${planText(plan)}` : ""}`
}

/** Who may propose the next block, and whether that helps. */
export function proposersText({ proposers, validators }: Pick<Health, "proposers" | "validators">): string {
  const { isKnown, isAnyone, nodeIDs, uncertain, fromHeight, toHeight } = proposers
  if (!isKnown) return "unknown, because it depends on the last block of the L1: --l1-rpc names one of its nodes"
  const at = fromHeight === toHeight ? `at P-Chain height ${toHeight}` : `at the P-Chain heights ${fromHeight} to ${toHeight}`
  if (isAnyone) return `anyone, because no validator was active ${at}`
  const active = new Set(validators.filter((each) => each.active).map((each) => each.nodeID))
  const count = [...nodeIDs, ...uncertain].filter((each) => active.has(each)).length
  const perhaps = uncertain.length === 0 ? "" : `, perhaps ${uncertain.length} more`
  const now =
    count > 0
      ? `${count} of them ${count === 1 ? "is" : "are"} active now`
      : "none of them is active now, and topping up others does not help"
  return `the validators that were active ${at}: ${nodeIDs.length}${perhaps}; ${now}`
}

const columnsAt = (now: bigint): readonly Column<Validator>[] => [
  { title: "Node", cell: ({ nodeID }) => nodeID },
  { title: "Weight", cell: ({ weight }) => String(weight), isNumber: true },
  { title: "Share", cell: ({ share }) => `${share} %`, isNumber: true },
  {
    title: "Balance",
    cell: ({ balance, validationID }) => (validationID === undefined ? "" : avaxText(balance)),
    isNumber: true,
  },
  { title: "Active until", cell: ({ active, endsAt }) => (active ? (endsAt ?? "later than the forecast") : "inactive") },
  { title: "Left", cell: ({ active, endsAt }) => (active && endsAt !== null ? leftText(endsAt, now) : "") },
  { title: "Connected", cell: ({ connected }) => (connected === undefined ? "" : connected ? "yes" : "no") },
]

function planText({ until, isPossible, isCheapest, total, topUps }: NonNullable<Health["plan"]>): string {
  if (!isPossible) return `No top-ups keep it alive until ${until}: all validators that can be active have too little weight.\n`
  if (topUps.length === 0) return `No top-up is needed until ${until}.\n`
  const lines = topUps.map(({ nodeID, amount }) => `  ${nodeID}  ${avaxText(amount)}\n`)
  return `${isCheapest ? "The cheapest top-ups" : "Top-ups"} that keep it alive until ${until}, ${avaxText(total)} in all:\n${lines.join("")}`
}

/** The names of the blockchains of each subnet. */
async function namesOf(node: RemoteNode): Promise<ReadonlyMap<string, string>> {
  const { blockchains } = await node.call("platform.getBlockchains", {})
  const names = new Map<string, string>()
  for (const { subnetID, name } of blockchains) names.set(subnetID, [names.get(subnetID), name].filter(Boolean).join(", "))
  return names
}

function listText(l1s: readonly Listed[], names: ReadonlyMap<string, string>, now: bigint): string {
  if (l1s.length === 0) return "This network has no L1.\n"
  return textTable<Listed>(
    [
      { title: "Name", cell: ({ subnetID }) => names.get(subnetID) ?? "" },
      { title: "Subnet", cell: ({ subnetID }) => subnetID },
      { title: "Active validators", cell: ({ activeValidators, validators }) => `${activeValidators} of ${validators}` },
      { title: "Active weight", cell: ({ activeWeight, totalWeight }) => `${activeWeight} of ${totalWeight}` },
      {
        title: "Halts",
        cell: ({ verdict, haltsAt }) => (verdict === "halted" ? "halted" : (haltsAt ?? "later than the forecast")),
      },
      { title: "Left", cell: ({ haltsAt }) => (haltsAt === null ? "" : leftText(haltsAt, now)) },
    ],
    l1s,
  )
}

const UNITS = [
  [86_400n, "d"],
  [3_600n, "h"],
  [60n, "m"],
  [1n, "s"],
] as const

/** The time until a moment in its two largest units: `12d 3h`. */
function leftText(time: string, now: bigint): string {
  let rest = secondsOf(time) - now
  const parts = UNITS.map(([seconds, unit]) => {
    const count = rest / seconds
    rest %= seconds
    return { count, unit }
  })
  const first = parts.findIndex(({ count }) => count > 0n)
  if (first < 0) return "0s"
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0n)
    .map(({ count, unit }) => `${count}${unit}`)
    .join(" ")
}
