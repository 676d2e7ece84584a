import { ceilSeconds } from "../../../core/lib/go/goDuration.js"
import { max } from "../../../core/lib/math64.js"
import { isActive } from "../../../core/networks/upgrades.js"
import { chainTimeOf } from "../../../core/rules/context.js"
import { rulesError } from "../../../core/rules/errors.js"
import { estimateRewards } from "../../../core/rules/rewardEstimate.js"
import { checkDuration, checkPeriod, checkValidatorLimits, stakingRulesFor, supplyOf } from "../../../core/rules/staking.js"
import { txError } from "../../../core/txs/errors.js"
import { checkAutoCompoundShares, checkShares } from "../../../core/txs/stake.js"
import { PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, list, oneOf, optional, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { type Context, method } from "../../context.js"
import { platformError } from "../errors.js"

/** The maximum number of cycles in one answer. */
const MAX_CYCLES = 1_000

export const estimateReward = method({
  name: "platform.estimateReward",
  summary:
    "Returns the reward of a stake on the primary network, if it is online for long enough: exactly that of a stake which the next block accepts, with the rules of ACP-236, 273 and 285. For a later start, and for later cycles of an auto-renewed validator, the supply is assumed to grow by this stake alone, and `leastReward` and `mostReward` hold whatever others stake. Delegations to the validator are not counted.",
  isExtension: true,
  params: object({
    amount: described(u64, "The stake in nAVAX."),
    duration: described(u64, "The length of the stake, or of each cycle, in seconds."),
    start: described(optional(u64), "The start in Unix seconds; that of the next block by default."),
    delegationShares: described(
      optional(u32),
      "For a delegation: the validator's share of the reward, in millionths (its delegationFee of 2.0000 is 20000). Without it the stake validates.",
    ),
    cycles: described(
      optional(u32),
      `For an auto-renewed validator: the number of its cycles, at most ${MAX_CYCLES}. After the last one it leaves.`,
    ),
    autoCompoundRewardShares: described(
      withDefault(u32, 0),
      "For an auto-renewed validator: the share of a cycle's reward that is restaked, in millionths.",
    ),
  }),
  result: object({
    supply: described(u64, "The supply on which the estimate is based, in nAVAX."),
    reward: described(u64, "The sum of the rewards of all cycles, in nAVAX."),
    cycles: list(
      object({
        startTime: time,
        endTime: time,
        stake: described(u64, "The stake in this cycle, in nAVAX."),
        reward: described(u64, "The reward, without the validator's share of a delegation, in nAVAX."),
        validatorShare: described(u64, "The validator's share of a delegation's reward, in nAVAX."),
        restaked: described(u64, "The part of the reward that is restaked, in nAVAX; the rest is paid."),
        assumption: described(
          oneOf("nextBlock", "constantSupply"),
          "With `nextBlock` the next block accepts the stake. With `constantSupply`, until the cycle begins the supply grows by this stake alone.",
        ),
        leastReward: described(
          u64,
          "The least that the reward can become, in nAVAX, by what others stake until the cycle begins.",
        ),
        mostReward: described(u64, "The most that it can become, in nAVAX."),
      }),
    ),
  }),
  cost: 5,
  examples: [
    {
      title: "a delegation of two weeks to a validator whose fee is 2 %",
      params: { amount: "25000000000", duration: "1209600", delegationShares: 20000 },
      result: {
        supply: "361196334134695533",
        reward: "94066211",
        cycles: [
          {
            startTime: "2024-07-30T04:00:07Z",
            endTime: "2024-08-13T04:00:07Z",
            stake: "25000000000",
            reward: "94066211",
            validatorShare: "1919719",
            restaked: "0",
            assumption: "nextBlock",
            leastReward: "94066211",
            mostReward: "94066211",
          },
        ],
      },
    },
  ],

  handler(call, context) {
    const { amount: weight, duration, delegationShares, cycles = 1, autoCompoundRewardShares } = call
    const now = nextTime(context)
    const start = max(call.start ?? now, now)
    if (cycles < 1 || cycles > MAX_CYCLES) throw platformError("platform.bad_cycles", { cycles, maximum: MAX_CYCLES })
    checkStake({ ...call, start, isRenewed: call.cycles !== undefined }, context)
    const stake = { weight, start, duration, delegationShares, cycles, autoCompoundRewardShares }
    const found = estimateRewards(context.view, context.rules, stake, now)
    const supply = supplyOf(context.view, PRIMARY_NETWORK_ID)
    return {
      supply,
      reward: found.reduce((sum, { reward }) => sum + reward, 0n),
      cycles: found.map(({ start: startTime, end: endTime, weight: staked, least, most, ...cycle }) => ({
        ...{ startTime, endTime, stake: staked, ...cycle },
        assumption: startTime <= now ? ("nextBlock" as const) : ("constantSupply" as const),
        ...{ leastReward: least, mostReward: most },
      })),
    }
  },
})

/** Returns the time of the next block, Unix seconds: a node that builds none takes its clock. */
const nextTime = ({ node, view }: Context): bigint => node.gasNow?.().time ?? max(chainTimeOf(view), node.now())

interface CheckedStake {
  readonly amount: bigint
  readonly duration: bigint
  readonly start: bigint
  readonly delegationShares?: number | undefined
  readonly autoCompoundRewardShares: number
  readonly isRenewed: boolean
}

/** Refuses a stake that the chain would refuse at its start, with the same codes. */
function checkStake(stake: CheckedStake, { view, rules }: Context): void {
  const { amount, duration, start, delegationShares, autoCompoundRewardShares, isRenewed } = stake
  const limits = stakingRulesFor(view, rules, PRIMARY_NETWORK_ID)
  const hasHelicon = isActive(rules.upgrades, "helicon", start)
  if (isRenewed) {
    if (delegationShares !== undefined) throw platformError("platform.renewed_delegation")
    const kind = "AddAutoRenewedValidatorTx"
    if (!hasHelicon)
      throw txError("tx.not_yet_allowed", {
        kind,
        since: "helicon",
        reference: "attempting to use a Helicon-upgrade feature prior to activation",
      })
    checkAutoCompoundShares(autoCompoundRewardShares)
    checkPeriod(duration, rules)
  } else {
    const shorter = hasHelicon && delegationShares === undefined
    const minimum = shorter ? ceilSeconds(rules.params.staking.heliconMinStakeNanoseconds) : limits.minStakeDuration
    checkDuration(duration, { ...limits, minStakeDuration: minimum })
  }
  if (delegationShares === undefined) {
    checkValidatorLimits(amount, limits.minDelegationFee, limits)
    return
  }
  checkShares(delegationShares)
  if (amount < limits.minDelegatorStake) {
    throw rulesError("rules.weight_too_small", { weight: amount, minimum: limits.minDelegatorStake })
  }
  if (amount > limits.maxValidatorStake) {
    throw rulesError("rules.weight_too_large", { weight: amount, maximum: limits.maxValidatorStake })
  }
}
