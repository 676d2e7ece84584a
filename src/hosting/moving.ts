import { systemTimers } from "../node/timers.js"
import type { ClockFollowers, MoveStop } from "../producer/chainHosting.js"
import type { BlockMode } from "../producer/schedule/schedule.js"
import type { ClockAbility } from "../vmhost/plugin/pluginClock.js"
import type { EvmChains } from "./evm/evmChain.js"
import { type ChainHostOptions, type HostedChain, holdAll } from "./hostedChain.js"

type MoveOptions = Pick<ChainHostOptions, "clock" | "privateChain" | "log">

/**
 * Moves the clock of the P-Chain and of hosted chains with `move`, between two blocks of each. What waits on them when the move begins gets its
 * block at a stop on the way, in the order of time. EVM chains then make a block that shows the new time, if `evmChains` is given and blocks are not
 * made on request only. Names the chains that did not follow.
 */
export async function moveTogether<T>(
  hosted: readonly HostedChain[],
  move: (stop?: MoveStop) => Promise<T>,
  options: MoveOptions,
  evmChains: EvmChains | undefined,
): Promise<T & ClockFollowers> {
  const { blockMode } = options.privateChain
  let release = await holdAll(hosted)
  const makeBlocks = async () => {
    release()
    await makeWaiting(hosted)
    release = await holdAll(hosted)
  }
  const seconds = dueWithin(blockMode)
  const moved = await move(seconds === undefined ? undefined : { seconds, makeBlocks }).finally(() => release())
  const running = hosted.filter(isRunning)
  for (const { plugin } of running) plugin.lookAgain()
  if (evmChains && seconds !== undefined) await Promise.all(running.map((each) => showTime(each, evmChains, options)))
  return { ...moved, ...followersOf(running, options) }
}

const isRunning = ({ plugin }: HostedChain): boolean => plugin.report().state === "running"

/** Seconds after which EVM chains make a block whose transactions pay less than it costs, and Granite's pause between two blocks. */
const LONGEST_WAIT = 2

/** Returns the seconds in which the next block of what waits on a chain is due; `undefined` if blocks are made on request only. */
function dueWithin(mode: BlockMode): bigint | undefined {
  if (mode.mode === "manual") return undefined
  return BigInt(Math.max(LONGEST_WAIT, mode.mode === "interval" ? Math.ceil(mode.seconds) : 0))
}

/** The most blocks that a chain makes of what waits at a moment. A VM might have something for ever. */
const MAX_BLOCKS = 1000

/** Makes the blocks of what waits on the hosted chains. A chain that cannot make one now makes it later. */
async function makeWaiting(hosted: readonly HostedChain[]): Promise<void> {
  await Promise.allSettled(hosted.filter(isRunning).map(({ plugin }) => plugin.mine(MAX_BLOCKS, false)))
}

/** The time that an EVM chain has for a block that shows the new time, milliseconds. Its VM may hang. */
const SHOW_MILLISECONDS = 5000

async function showTime(hosted: HostedChain, evmChains: EvmChains, { log }: MoveOptions): Promise<void> {
  if (hosted.plugin.report().clock === "none") return
  try {
    await within(SHOW_MILLISECONDS, evmChains.of(hosted)?.makeBlock())
  } catch (error) {
    const reason = (error as Error).message
    log.warn("an L1 made no block with the new time", { l1: hosted.record.name, reason })
  }
}

function followersOf(running: readonly HostedChain[], { clock, privateChain, log }: MoveOptions): ClockFollowers {
  const names = (isBehind: (ability: ClockAbility) => boolean) => {
    const behind = running.filter(({ plugin }) => isBehind(plugin.report().clock ?? "none")).map(({ record }) => record.name)
    return behind.length === 0 ? undefined : behind
  }
  const l1sNotMoved = names((ability) => ability === "none" || !clock.isShown)
  const l1sNotStopped = privateChain.clock.isFrozen ? names((ability) => ability === "moves") : undefined
  if (l1sNotMoved) log.warn("the plugins of L1s do not follow the clock of the private chain", { l1s: l1sNotMoved })
  return { l1sNotMoved, l1sNotStopped }
}

/** Waits for a task, and throws when it takes longer than a time (milliseconds). */
function within(milliseconds: number, task: Promise<void> | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = systemTimers.after(milliseconds, () => reject(new Error("its VM does not answer")))
    Promise.resolve(task).then(resolve, reject).finally(cancel)
  })
}
