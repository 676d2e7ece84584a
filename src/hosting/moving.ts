import type { ClockFollowers } from "../producer/chainHosting.js"
import type { ClockAbility } from "../vmhost/plugin/pluginClock.js"
import type { EvmChains } from "./evm/evmChain.js"
import type { ChainHostOptions, HostedChain } from "./hostedChain.js"

type MoveOptions = Pick<ChainHostOptions, "clock" | "privateChain" | "log">

/**
 * Continues the hosted chains after their clock was moved: they look again when their next block is due, and EVM chains make one that shows the new
 * time, if `evmChains` is given. Names the chains that did not follow.
 */
export async function afterMove(
  hosted: readonly HostedChain[],
  options: MoveOptions,
  evmChains: EvmChains | undefined,
): Promise<ClockFollowers> {
  const running = hosted.filter(({ plugin }) => plugin.report().state === "running")
  for (const { plugin } of running) plugin.lookAgain()
  if (evmChains) await Promise.all(running.map((each) => showTime(each, evmChains, options)))
  return followersOf(running, options)
}

async function showTime(hosted: HostedChain, evmChains: EvmChains, { log }: MoveOptions): Promise<void> {
  if (hosted.plugin.report().clock === "none") return
  try {
    await evmChains.of(hosted)?.makeBlock()
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
