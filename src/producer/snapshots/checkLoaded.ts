import { faultsInBlocks } from "../../core/chain/faultsInBlocks.js"
import { faultsInState } from "../../core/chain/faultsInState.js"
import type { Genesis } from "../../core/genesis/genesis.js"
import { Emitter } from "../../core/lib/emitter.js"
import type { Pace } from "../../core/lib/pace.js"
import { nextStakerChangeTime } from "../../core/rules/chainTime.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { IndexedView } from "../../core/state/view.js"
import { bls } from "../../platform/backends.js"
import { ChainHead } from "../chain/chainHead.js"
import { Clock } from "../clock/clock.js"
import { producerError } from "../errors.js"
import { DEFAULT_POOL_GAS, type PrivateChainOptions } from "../options.js"
import { makeDueBlock } from "../schedule/produceDueBlocks.js"

/** The facts of a state file beside its rows. */
export interface LoadedFacts {
  readonly genesis: Genesis
  /** The time of its clock, Unix seconds. */
  readonly now: bigint
  /** True if the read model is that of the file, and not made again. */
  readonly hasReadModel: boolean
  readonly pace: Pace
}

/**
 * Checks the rows of a state file before they replace a chain: tables that follow from each other agree, and the first block that is due
 * can be made. Throws `producer.bad_dump` with the reason.
 */
export async function checkLoaded(loaded: IndexedView, options: PrivateChainOptions, facts: LoadedFacts): Promise<void> {
  const reason = (await faultIn(loaded, options, facts)) ?? (await haltOf(loaded, options, facts))
  if (reason !== undefined) throw producerError("producer.bad_dump", { reason })
}

async function faultIn(
  loaded: IndexedView,
  options: PrivateChainOptions,
  { genesis, hasReadModel, pace }: LoadedFacts,
): Promise<string | undefined> {
  const inReadModel = hasReadModel ? options.faultsInReadModel?.(loaded, { genesis, rules: options.rules }) : undefined
  for (const faults of [faultsInBlocks(loaded, genesis.block.id), faultsInState(loaded, bls()), inReadModel ?? []]) {
    for (const fault of faults) {
      if (fault !== undefined) return fault
      if (pace.isDue) await pace.pause()
    }
  }
  return undefined
}

/** Returns why a chain of these rows could not make the block that is due. Nothing is written. */
async function haltOf(
  loaded: IndexedView,
  { rules, choices }: PrivateChainOptions,
  facts: LoadedFacts,
): Promise<string | undefined> {
  const { now, pace } = facts
  if (chainTimeOf(loaded) > now) return "its clock is before its last block"
  try {
    const head = new ChainHead({
      rules,
      store: { latest: loaded, commit: () => {} },
      onFault: () => {},
      clock: new Clock(Date.now, { offset: 0n, frozenAt: now }),
      events: { accepted: new Emitter(), decided: new Emitter() },
      hasWarpLag: choices?.hasWarpLag ?? false,
      poolGas: choices?.poolGas ?? DEFAULT_POOL_GAS,
    })
    head.decideWaiting(now)
    const change = nextStakerChangeTime(head.view, rules, now + 1n)
    if (change <= now) await makeDueBlock(head, change, [], pace)
    else head.scratchAt(now)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
