import { priceAt } from "../../blocks/execute.js"
import { bls } from "../../crypto/backends.js"
import type { StakingLimits } from "../../networks/params.js"
import { gasOf } from "../../rules/chainTime.js"
import { chainTimeOf } from "../../rules/run.js"
import { Diff } from "../../state/diff.js"
import type { Tx } from "../../txs/tx.js"
import { type ID, PRIMARY_NETWORK_ID } from "../../types/id.js"
import type { OutputOwners } from "../../types/owners.js"
import { type Period, periodFrom } from "../due/period.js"
import { producerError } from "../errors.js"
import type { Payment, Purse } from "../funds/wallet.js"
import { type Identity, identityAt, identityCount, identityEdits } from "../keys/identities.js"
import type { Producer } from "../producer.js"

/** Which validators are wanted. */
export interface ValidatorsWanted {
  readonly count: number
  /** nAVAX each; left out: the least there may be. */
  readonly weight?: bigint | undefined
  /** Seconds; left out: the longest there may be. */
  readonly duration?: bigint | undefined
  /** How many delegators each gets, with the least stake there may be. */
  readonly delegators: number
}

/** Validators that were added, in the order of their transactions; a validator's delegators come behind it. */
export interface ValidatorsAdded {
  readonly identities: readonly Identity[]
  readonly txIDs: readonly ID[]
  /** How far the clock had to be moved for gas to come back. */
  readonly seconds: bigint
}

/** A validator to be, and how many of its delegators have still to come. */
interface Order {
  readonly identity: Identity
  /** All of them begin and end together. Set when the validator's transaction is made. */
  period?: Period
  delegators: number
}

/**
 * Adds validators of the primary network with delegators, by real transactions out of the treasury. Moves the clock where gas is
 * used up, by as many seconds as keep its use at the target. In a turn.
 */
export async function addValidators(producer: Producer, wanted: ValidatorsWanted): Promise<ValidatorsAdded> {
  const { state, options, head } = producer
  await bls().preparePossession()
  const purse = producer.treasury.purse(producer.now())
  checkFunds(purse, wanted, head.rules.params.staking)
  const first = identityCount(state.latest)
  const identities = Array.from({ length: wanted.count }, (_, i) => identityAt(options.genesis.id, first + i))
  const orders = identities.map((identity): Order => ({ identity, delegators: wanted.delegators }))
  const maker = new Maker(producer, purse, wanted)
  const before = producer.now()
  const txIDs: ID[] = []
  while (orders.length > 0) {
    const { txs, gas } = maker.round(orders)
    for (const { id } of txs) txIDs.push(id)
    await putAll(producer, txs)
    if (orders.length > 0) await waitFor(producer, gas / head.rules.params.dynamicFee.targetPerSecond + 1n)
  }
  head.flush()
  state.commit(identityEdits(new Diff(state.latest), identities))
  producer.keepClock()
  producer.schedule.arm()
  return { identities, txIDs, seconds: producer.now() - before }
}

function checkFunds({ balance }: Purse, { count, weight, delegators }: ValidatorsWanted, staking: StakingLimits): void {
  const each = (weight ?? staking.minValidatorStake) + BigInt(delegators) * staking.minDelegatorStake
  const amount = BigInt(count) * each
  if (amount > balance) throw producerError("producer.insufficient_funds", { amount, balance })
}

/** Makes the transactions of one round: as many as there is gas for. */
class Maker {
  readonly #producer: Producer
  readonly #purse: Purse
  readonly #wanted: ValidatorsWanted
  readonly #owner: OutputOwners

  constructor(producer: Producer, purse: Purse, wanted: ValidatorsWanted) {
    this.#producer = producer
    this.#purse = purse
    this.#wanted = wanted
    this.#owner = { kind: "OutputOwners", locktime: 0n, threshold: 1, addresses: [purse.key.address] }
  }

  /** Works off the orders from the front. A validator begins only where there is gas for its delegators too: their time would be too short later. */
  round(orders: Order[]): { readonly txs: readonly Tx[]; readonly gas: bigint } {
    const { head, treasury } = this.#producer
    const { staking, dynamicFee } = head.rules.params
    const now = this.#producer.now()
    const scratch = head.scratchAt(now)
    const price = treasury.price(now)
    const isMetered = priceAt(scratch, head.rules) !== undefined
    const capacity = isMetered ? gasOf(scratch).capacity : dynamicFee.maxCapacity
    const txs: Tx[] = []
    let gas = 0n
    for (let order = orders[0]; order; order = orders[0]) {
      const isNew = order.period === undefined
      const period =
        order.period ?? periodFrom(chainTimeOf(scratch), this.#wanted.duration ?? staking.maxStakeDuration, head.rules)
      const delegation = this.#delegation(order.identity, period)
      const validation = this.#validation(order.identity, period)
      const group = this.#purse.gasOf(validation) + BigInt(order.delegators) * this.#purse.gasOf(delegation)
      const payment = isNew ? validation : delegation
      const own = this.#purse.gasOf(payment)
      const needed = isNew && group <= dynamicFee.maxCapacity ? group : own
      if (gas + needed > capacity) break
      order.period = period
      gas += own
      txs.push(this.#purse.pay(payment, price))
      if (!isNew) order.delegators--
      if (order.delegators === 0) orders.shift()
    }
    return { txs, gas }
  }

  #validation({ nodeID, publicKey, proofOfPossession }: Identity, period: Period): Payment {
    const { staking } = this.#producer.head.rules.params
    const weight = this.#wanted.weight ?? staking.minValidatorStake
    return {
      amount: weight,
      make: (parts) => ({
        kind: "AddPermissionlessValidatorTx",
        ...parts,
        validator: { nodeID, ...period, weight },
        subnetID: PRIMARY_NETWORK_ID,
        signer: { kind: "ProofOfPossession", publicKey, proofOfPossession },
        stake: [this.#purse.outputOf(weight)],
        validationRewardsOwner: this.#owner,
        delegationRewardsOwner: this.#owner,
        shares: staking.minDelegationFee,
      }),
    }
  }

  #delegation({ nodeID }: Identity, period: Period): Payment {
    const weight = this.#producer.head.rules.params.staking.minDelegatorStake
    return {
      amount: weight,
      make: (parts) => ({
        kind: "AddPermissionlessDelegatorTx",
        ...parts,
        validator: { nodeID, ...period, weight },
        subnetID: PRIMARY_NETWORK_ID,
        stake: [this.#purse.outputOf(weight)],
        rewardsOwner: this.#owner,
      }),
    }
  }
}

/** Puts transactions into as many blocks as they take. Throws what one is refused for. */
async function putAll(producer: Producer, txs: readonly Tx[]): Promise<void> {
  let left = txs
  while (left.length > 0) {
    const { packed, dropped, shortFor } = producer.extend(left, producer.now())
    if (dropped[0]) throw dropped[0].error
    left = left.slice(packed.length)
    producer.head.flush()
    if (packed.length === 0) await waitFor(producer, shortFor ?? 1n)
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
