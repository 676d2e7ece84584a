import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AnswerOf } from "../client/client.js"
import { RemoteWallet } from "../client/remoteWallet.js"
import { avaxText } from "../core/lib/avaxText.js"
import { type Json, printJson } from "../core/lib/json.js"
import { silentLog } from "../core/lib/log.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { type Devnet, startDevnet } from "../devnet/devnet.js"
import { copyChain } from "../sources/fork/copyChain.js"
import { cliError } from "./errors.js"
import { privateKeyOf } from "./flags/walletFlags.js"
import { epochOf, type L1HealthInput, proposersText, secondsOf, sentenceOf, subnetOf, untilOf } from "./l1Health.js"
import { namedTopUp, type TopUp } from "./l1TopUp.js"
import { catchUpBar } from "./progress.js"
import type { RemoteNode } from "./remoteNode.js"
import type { Terminal } from "./terminal.js"
import { factLines } from "./textTable.js"
import { parseSeconds } from "./units.js"

type Health = AnswerOf<"platform.getL1Health">

/** The time for which a rescue must hold if --until names none. */
const DEFAULT_UNTIL = "30d"

/** nAVAX that the fork gives its wallet besides the top-ups, for fees. */
const FOR_FEES = 10_000_000_000n

/**
 * Tries top-ups on a fork of a node's chain, whose clock is then moved to the moment at which the L1 would halt, and to the end of the time that
 * it must last. What cannot be tried is refused before the chain is copied. Throws `cli.rescue_fails` if too little weight is active then.
 */
export async function rehearseRescue(name: string, flags: L1HealthInput, node: RemoteNode, terminal: Terminal): Promise<void> {
  if (flags.increase === undefined) throw cliError("cli.missing_flag", { flag: "--increase" })
  const subnetID = await subnetOf(name, node)
  const until = flags.until ?? DEFAULT_UNTIL
  const times = await untilOf({ ...flags, until }, { subnetID }, node)
  const known = await node.call("platform.getL1Health", { subnetID, ...times, ...(await epochOf(flags)) })
  const topUps = flags.increase.map((each) => namedTopUp(each, known.validators))
  const privateKey = await privateKeyOf(flags, node.call)
  const folder = mkdtempSync(join(tmpdir(), "serac-rehearsal-"))
  const isShown = terminal.columns !== undefined
  try {
    const chain = join(folder, "chain")
    const onProgress = isShown ? catchUpBar(terminal) : undefined
    if (isShown) terminal.note("serac: copying the chain\n")
    await copyChain({ url: flags.url, height: undefined, dir: chain, log: silentLog, onProgress, wall: terminal.now })
    if (isShown) terminal.note("serac: trying the top-ups\n")
    const options = { fork: chain, dataDir: join(folder, "fork"), port: false, accounts: 0, freezeTime: true } as const
    await using fork = await startDevnet(options)
    await rehearseOn(
      fork,
      { subnetID, topUps, privateKey, seconds: parseSeconds(until), nextProposer: proposersText(known) },
      flags,
      terminal,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Rehearsal {
  readonly subnetID: string
  readonly topUps: readonly TopUp[]
  /** The key that pays; the fork gives the well-known key what it needs if there is none. */
  readonly privateKey: string | undefined
  /** The time that the L1 must last. */
  readonly seconds: bigint
  readonly nextProposer: string
}

const NOT_JUDGED = "what the nodes of the L1 do: this is the P-Chain's side alone"

async function rehearseOn(fork: Devnet, rehearsal: Rehearsal, flags: L1HealthInput, terminal: Terminal): Promise<void> {
  const { subnetID, topUps, seconds, nextProposer } = rehearsal
  const before = await fork.rpc("platform.getL1Health", { subnetID })
  const start = secondsOf(before.timestamp)
  await payTopUps(fork, rehearsal, terminal)
  const haltsAt = before.haltsAt === null ? start : secondsOf(before.haltsAt)
  const moments = [haltsAt, start + seconds].filter((time) => time > start && time <= start + seconds)
  const then: Health[] = []
  for (const time of moments) then.push(await healthAt(fork, subnetID, time))
  const failed = then.find(({ snowman }) => !snowman.isMet)
  const total = topUps.reduce((sum, { amount }) => sum + amount, 0n)
  const facts = {
    Without: sentenceOf(before),
    "Top-ups": `${avaxText(total)} for ${topUps.length} ${topUps.length === 1 ? "validator" : "validators"}`,
    ...Object.fromEntries(then.map((each) => [`At ${each.timestamp}`, stateOf(each)])),
    Verdict: failed ? "The rescue fails." : "The rescue holds.",
    "Next proposer": nextProposer,
    "Not judged": NOT_JUDGED,
  }
  await terminal.print(flags.json ? `${printJson(jsonOf(rehearsal, before, then))}\n` : factLines(facts))
  if (failed) throw cliError("cli.rescue_fails", { time: failed.timestamp, activeShare: failed.activeShare })
}

/** The result for programs. */
function jsonOf({ subnetID, topUps, nextProposer }: Rehearsal, { verdict, haltsAt }: Health, then: readonly Health[]): Json {
  return {
    subnetID,
    holds: then.every(({ snowman }) => snowman.isMet),
    without: { verdict, haltsAt },
    topUps: topUps.map(({ amount, ...validator }) => ({ ...validator, amount: String(amount) })),
    moments: then.map(({ timestamp, activeShare, snowman, warp }) => {
      return { timestamp, activeShare, decidesBlocks: snowman.isMet, signsWarpMessages: warp.isMet }
    }),
    nextProposer,
    notJudged: NOT_JUDGED,
  }
}

/** Pays all top-ups from one wallet, as `topUpL1` does. */
async function payTopUps(fork: Devnet, { topUps, privateKey }: Rehearsal, terminal: Terminal): Promise<void> {
  const open = () => RemoteWallet.open(fork.rpc, { privateKey, now: wholeSeconds(terminal.now()) })
  if (privateKey === undefined) {
    const amount = topUps.reduce((sum, each) => sum + each.amount, FOR_FEES)
    await fork.dev.fund({ address: (await open()).address, amount })
  }
  const wallet = await open()
  for (const { validationID, amount } of topUps) await wallet.increaseL1Balance(validationID, amount)
}

/** Moves the clock of the fork, and makes a block of that time. */
async function healthAt(fork: Devnet, subnetID: string, time: bigint): Promise<Health> {
  await fork.dev.setTime({ to: time, frozen: true })
  await fork.dev.mine({ blocks: 1, filler: true })
  return fork.rpc("platform.getL1Health", { subnetID })
}

const stateOf = ({ activeShare, snowman, warp }: Health): string =>
  `${activeShare} % of the weight is active; decides blocks: ${snowman.isMet ? "yes" : "no"}; signs Warp messages: ${warp.isMet ? "yes" : "no"}`
