import { bls } from "../../core/crypto/backends.js"
import { max } from "../../core/lib/math64.js"
import type { StakingLimits } from "../../core/networks/params.js"
import { delegationLimit } from "../../core/rules/delegation.js"
import { rulesError } from "../../core/rules/errors.js"
import { checkDuration, MAX_VALIDATOR_WEIGHT_FACTOR } from "../../core/rules/staking.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Tx } from "../../core/txs/tx.js"
import type { ID } from "../../core/types/id.js"
import { producerError } from "../errors.js"
import type { Purse } from "../funds/wallet.js"
import { type Identity, identityAt, identityCount, identityEdits } from "../keys/identities.js"
import type { Producer } from "../producer.js"
import { durationOf, type PendingValidator, type StakeBatch, StakeTxBuilder, type ValidatorsWanted } from "./stakeTxBuilder.js"

/** How many identities are made before others may work: a tenth of a second or so. */
const BREATH = 64

/** Validators that were added, in the order of their transactions; a validator's delegators come behind it. */
export interface ValidatorsAdded {
  readonly identities: readonly Identity[]
  readonly txIDs: readonly ID[]
  /** How far the clock had to be moved for gas to come back. */
  readonly seconds: bigint
}

/**
 * Adds validators of the primary network with delegators, by real transactions out of the treasury. Moves the clock where gas is
 * used up, by as many seconds as keep its use at the target. In a turn.
 */
export async function addValidators(producer: Producer, wanted: ValidatorsWanted): Promise<ValidatorsAdded> {
  const { head, schedule } = producer
  await bls().preparePossession()
  await producer.settleNow()
  const purse = producer.treasury.purse(producer.now())
  checkWanted(purse, wanted, head.rules.params.staking)
  const identities = await newIdentities(producer, wanted.count)
  const orders = identities.map((identity): PendingValidator => ({ identity, delegators: wanted.delegators }))
  const maker = new StakeTxBuilder(producer, purse, wanted)
  const { targetPerSecond } = head.rules.params.dynamicFee
  const txIDs: ID[] = []
  let moved = 0n
  const wait = (seconds: bigint) => {
    moved += seconds
    return waitFor(producer, seconds)
  }
  try {
    while (orders.length > 0) {
      const { txs, begun, gas } = maker.round(orders)
      for (const { id } of txs) txIDs.push(id)
      await putAll(producer, txs, wait).finally(() => keepIdentities(producer, begun))
      if (orders.length > 0) await wait(gas / max(targetPerSecond, 1n) + 1n)
    }
  } finally {
    producer.keepClock()
    schedule.arm()
  }
  return { identities, txIDs, seconds: moved }
}

/** The next identities of the chain. Their proofs take a while: others may work in between. */
async function newIdentities({ state, options }: Producer, count: number): Promise<Identity[]> {
  const first = identityCount(state.latest)
  const identities: Identity[] = []
  while (identities.length < count) {
    identities.push(identityAt(options.genesis.id, first + identities.length))
    if (identities.length % BREATH === 0) await new Promise<void>((resolve) => options.timers.soon(resolve))
  }
  return identities
}

/** Holds the keys of those whose transactions were accepted, also where another was refused. */
function keepIdentities({ head, state }: Producer, begun: StakeBatch["begun"]): void {
  head.flush()
  const last = begun.findLastIndex(({ txID }) => head.view.get(tables.txs, txID) !== undefined)
  const kept = begun.slice(0, last + 1).map(({ identity }) => identity)
  state.commit(identityEdits(new Diff(state.latest), kept))
}

/**
 * Checks what can be seen before the first transaction is made. Throws `producer.insufficient_funds`, `rules.over_delegated`, and
 * `rules.stake_too_short` for delegators: since Helicon a validator may stay for less time than they must.
 */
function checkWanted({ balance, address }: Purse, wanted: ValidatorsWanted, staking: StakingLimits): void {
  const { count, delegators, weight: own = staking.minValidatorStake } = wanted
  const carried = own + BigInt(delegators) * staking.minDelegatorStake
  const amount = BigInt(count) * carried
  if (amount > balance) throw producerError("producer.insufficient_funds", { amount, balance, address })
  if (delegators === 0) return
  const limit = delegationLimit(own, MAX_VALIDATOR_WEIGHT_FACTOR, staking.maxValidatorStake)
  if (carried > limit) throw rulesError("rules.over_delegated", { weight: carried, limit })
  checkDuration(durationOf(wanted, staking), staking)
}

/** Puts transactions into as many blocks as they take, with waits where gas is short. Throws what one is refused for. */
async function putAll(producer: Producer, txs: readonly Tx[], wait: (seconds: bigint) => Promise<void>): Promise<void> {
  let left = txs
  while (left.length > 0) {
    const { packed, dropped, gasReadyInSeconds } = producer.extend(left, producer.now())
    if (dropped[0]) throw dropped[0].error
    left = left.slice(packed.length)
    producer.head.flush()
    if (packed.length === 0) await wait(gasReadyInSeconds ?? 1n)
  }
}

/** Moves the clock, with all that falls due on the way. */
async function waitFor(producer: Producer, seconds: bigint): Promise<void> {
  const { isFrozen } = producer.clock
  const until = producer.now() + seconds
  await producer.settle(until, { movesClock: true, carries: false })
  producer.clock.set(until, isFrozen)
  producer.log.info("clock moved until gas is back", { seconds })
}
