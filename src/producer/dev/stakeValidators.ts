import { max } from "../../core/lib/math64.js"
import type { StakingLimits } from "../../core/networks/params.js"
import { delegationLimit } from "../../core/rules/delegation.js"
import { rulesError } from "../../core/rules/errors.js"
import { checkDuration, MAX_VALIDATOR_WEIGHT_FACTOR } from "../../core/rules/staking.js"
import type { ID } from "../../core/types/id.js"
import { bls } from "../../platform/backends.js"
import { producerError } from "../errors.js"
import type { Purse } from "../funds/wallet.js"
import type { DevIdentity } from "../keys/identities.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { newIdentities, withKeysOf } from "./newIdentities.js"
import { moveClockForGas, putIntoBlocks } from "./putIntoBlock.js"
import { durationOf, type PendingValidator, StakeTxBuilder, type ValidatorsRequest } from "./stakeTxBuilder.js"

/** The validators that were added, in the order of their transactions. A validator's delegators follow it. */
export interface AddedValidators {
  readonly identities: readonly DevIdentity[]
  readonly txIDs: readonly ID[]
  /** The seconds by which the clock was moved until gas was available. */
  readonly seconds: bigint
}

/**
 * Adds validators of the primary network with delegators, by transactions that the treasury pays. When gas is used up, the clock is moved
 * by as many seconds as keep the use of gas at its target.
 */
export async function stakeValidators(chain: ChainTurn, wanted: ValidatorsRequest): Promise<AddedValidators> {
  const { params } = chain.status.rules
  await bls().preparePossession()
  await chain.catchUp()
  const purse = chain.treasury.purse(chain.written(), chain.now())
  checkWanted(purse, wanted, params.staking)
  const identities = await newIdentities(chain, wanted.count)
  const pending = identities.map((identity): PendingValidator => ({ identity, delegators: wanted.delegators }))
  const builder = new StakeTxBuilder(chain, purse, wanted)
  return withKeysOf(chain, identities, async () => {
    const txIDs: ID[] = []
    let moved = 0n
    while (pending.length > 0) {
      const { txs, gas } = await builder.nextBatch(pending)
      for (const { id } of txs) txIDs.push(id)
      moved += await putIntoBlocks(chain, txs)
      if (pending.length === 0) break
      const seconds = gas / max(params.dynamicFee.targetPerSecond, 1n) + 1n
      await moveClockForGas(chain, seconds)
      moved += seconds
    }
    return { identities, txIDs, seconds: moved }
  })
}

/**
 * Checks everything that is known before the first transaction is made. Throws `producer.insufficient_funds`, `rules.over_delegated`,
 * `rules.stake_too_long`, and `rules.stake_too_short` for delegators.
 */
function checkWanted({ balance, address }: Purse, wanted: ValidatorsRequest, staking: StakingLimits): void {
  const { count, delegators, weight: own = staking.minValidatorStake } = wanted
  const carried = own + BigInt(delegators) * staking.minDelegatorStake
  const amount = BigInt(count) * carried
  if (amount > balance) throw producerError("producer.insufficient_funds", { amount, balance, address })
  const limit = delegationLimit(own, MAX_VALIDATOR_WEIGHT_FACTOR, staking.maxValidatorStake)
  if (delegators > 0 && carried > limit) throw rulesError("rules.over_delegated", { weight: carried, limit })
  // The shortest period of a validator is another rule since Helicon, which the chain checks.
  checkDuration(durationOf(wanted, staking), delegators > 0 ? staking : { ...staking, minStakeDuration: 0n })
}
