import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AnswerOf } from "../client/client.js"
import { RemoteWallet } from "../client/remoteWallet.js"
import { printJson } from "../core/lib/json.js"
import { wholeSeconds } from "../core/lib/wholeSeconds.js"
import { avaxText } from "../core/types/avaxText.js"
import { type Devnet, startDevnet } from "../devnet/devnet.js"
import { cliError } from "./errors.js"
import { type L1HealthInput, namedTopUp, secondsOf, sentenceOf, subnetOf } from "./l1Health.js"
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
 * it must last. Throws `cli.rescue_fails` if too little weight is active then.
 */
export async function rehearseRescue(name: string, flags: L1HealthInput, node: RemoteNode, terminal: Terminal): Promise<void> {
  if (flags.increase === undefined) throw cliError("cli.missing_flag", { flag: "--increase" })
  const subnetID = await subnetOf(name, node)
  const dataDir = mkdtempSync(join(tmpdir(), "serac-rehearsal-"))
  try {
    await using fork = await startDevnet({ fork: flags.url, dataDir, port: false, accounts: 0, freezeTime: true })
    await rehearseOn(fork, subnetID, flags, terminal)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function rehearseOn(fork: Devnet, subnetID: string, flags: L1HealthInput, terminal: Terminal): Promise<void> {
  const before = await fork.rpc("platform.getL1Health", { subnetID })
  const topUps = (flags.increase ?? []).map((each) => namedTopUp(each, before.validators))
  const until = secondsOf(before.timestamp) + parseSeconds(flags.until ?? DEFAULT_UNTIL)
  await payTopUps(fork, topUps, terminal)
  const moments = [before.haltsAt === null ? 0n : secondsOf(before.haltsAt), until].filter(
    (time) => time > secondsOf(before.timestamp),
  )
  const then: Health[] = []
  for (const time of moments.filter((each) => each <= until)) then.push(await healthAt(fork, subnetID, time))
  const total = topUps.reduce((sum, { amount }) => sum + amount, 0n)
  const facts = {
    Without: sentenceOf(before),
    "Top-ups": `${avaxText(total)} for ${topUps.length} validators`,
    ...Object.fromEntries(then.map((each) => [`At ${each.timestamp}`, stateOf(each)])),
    Verdict: then.every(({ snowman }) => snowman.isMet) ? "The rescue holds." : "The rescue fails.",
    "Not judged": "who may propose the next block of the L1: this is the P-Chain's side alone",
  }
  await terminal.print(flags.json ? `${printJson({ ...facts })}\n` : factLines(facts))
  const failed = then.find(({ snowman }) => !snowman.isMet)
  if (failed) throw cliError("cli.rescue_fails", { time: failed.timestamp, activeShare: failed.activeShare })
}

async function payTopUps(fork: Devnet, topUps: readonly ReturnType<typeof namedTopUp>[], terminal: Terminal): Promise<void> {
  for (const { validationID, amount } of topUps) {
    const options = { privateKey: undefined, now: wholeSeconds(terminal.now()) }
    const { address } = await RemoteWallet.open(fork.rpc, options)
    await fork.dev.fund({ address, amount: amount + FOR_FEES })
    await (await RemoteWallet.open(fork.rpc, options)).increaseL1Balance(validationID, amount)
  }
}

/** Moves the clock of the fork, and makes a block of that time. */
async function healthAt(fork: Devnet, subnetID: string, time: bigint): Promise<Health> {
  await fork.dev.setTime({ to: time, frozen: true })
  await fork.dev.mine({ blocks: 1, filler: true })
  return fork.rpc("platform.getL1Health", { subnetID })
}

const stateOf = ({ activeShare, snowman, warp }: Health): string =>
  `${activeShare} % of the weight is active; decides blocks: ${snowman.isMet ? "yes" : "no"}; signs Warp messages: ${warp.isMet ? "yes" : "no"}`
