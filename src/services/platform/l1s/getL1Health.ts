import { END_OF_TIME } from "../../../core/lib/wholeSeconds.js"
import { DEFAULT_SNOWMAN, forecastOf, healthOf, planUntil, type Threshold } from "../../../core/rules/l1Health.js"
import { tables } from "../../../core/state/tables.js"
import { type ID, idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { bool, described, list, oneOf, optional, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u16, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { nullable, percent, time } from "../../../jsonrpc/schema/outputs.js"
import { badParam } from "../../../jsonrpc/schema/param.js"
import { type Context, method } from "../../context.js"
import { id, nodeID, unixTime } from "../../kinds.js"
import { platformError } from "../errors.js"
import { subnetOf } from "../subnets/subnets.js"
import { l1At, verdictOf } from "./l1Facts.js"
import { heightsHosted, heightsOfEpoch, proposersAt, proposersOutput } from "./proposers.js"

const ASSUMPTION =
  "Nobody registers, removes, disables or tops up a validator, and the number of active L1 validators of the whole network stays as it is."

/** A threshold of weight. */
const thresholdMembers = {
  needed: described(u64, "The weight that must be active."),
  isMet: described(bool, "Whether the active weight is enough now."),
  lostAt: described(
    nullable(time),
    "The second in which it is no longer enough if nobody acts; null if that is not within the forecast.",
  ),
}

export const getL1Health = method({
  name: "platform.getL1Health",
  summary:
    "Returns how long the balances of an L1's validators last, when the L1 can no longer sign Warp messages and decide blocks if nobody acts, and which top-ups would keep it alive.",
  isExtension: true,
  params: object({
    subnetID: described(id, "The ID of the L1's subnet."),
    height: described(
      optional(u64),
      "The height of the block after which the L1 is judged; the last accepted one by default. A node keeps what is needed from the first block that it accepted with a version that has this method.",
    ),
    until: described(
      optional(unixTime),
      "The time until which a plan of top-ups keeps the L1 alive; without it there is no plan.",
    ),
    l1Epoch: described(
      optional(object({ pChainHeight: u64, startTime: described(u64, "Unix seconds.") })),
      "The epoch that `proposervm.getCurrentEpoch` of the L1's chain returns at one of its nodes. With it, or if this node hosts the L1, the answer says who may propose its next block.",
    ),
    sampleSize: described(
      withDefault(u16, DEFAULT_SNOWMAN.k),
      "The number of validators that a node of the L1 samples, Snowman's k; AvalancheGo's default is 20.",
    ),
    alphaConfidence: described(
      withDefault(u16, DEFAULT_SNOWMAN.alphaConfidence),
      "The number of sampled validators that must agree to decide a block; AvalancheGo's default is 15.",
    ),
  }),
  result: object({
    subnetID: id,
    height: described(
      u64,
      "The height after whose block the values were read: the last accepted one unless a height was asked for.",
    ),
    timestamp: described(time, "The time of this block, from which the forecast starts."),
    verdict: described(
      oneOf("halted", "runsOut", "lasts"),
      "Whether the L1 can decide blocks. `halted` means that too little weight is active, `runsOut` that this happens at `haltsAt` if nobody acts, `lasts` that it does not happen within the forecast.",
    ),
    haltsAt: described(
      nullable(time),
      "The second in which the L1 can no longer decide blocks; null unless the verdict is `runsOut`.",
    ),
    assumption: described(string, "What the forecast assumes."),
    forecastUntil: described(time, "The time until which the forecast holds."),
    price: described(u64, "The fee of one active validator, in nAVAX per second."),
    activeValidators: described(u64, "The number of active L1 validators of the whole network, by which the fee changes."),
    targetValidators: described(u64, "The number of active L1 validators above which the fee rises."),
    totalWeight: described(u64, "The weight of all validators of the L1, active or not."),
    activeWeight: described(u64, "The weight of the validators that pay."),
    activeShare: described(percent, "The active weight in percent of the total weight."),
    warp: described(object(thresholdMembers), "The weight that must sign a Warp message: 67 % of the total weight."),
    snowman: described(
      object({ k: u16, alphaConfidence: u16, ...thresholdMembers }),
      "The weight that must answer so that the L1 decides blocks: `alphaConfidence` of `k` parts of the total weight.",
    ),
    proposers: described(
      proposersOutput,
      "Who may propose the next block of the L1: it depends on the P-Chain height that the last block of the L1 names.",
    ),
    validators: described(
      list(
        object({
          validationID: described(
            optional(id),
            "Missing for a permissioned validator from before the conversion, which pays no fee.",
          ),
          nodeID,
          weight: u64,
          share: described(percent, "The weight in percent of the total weight."),
          active: bool,
          balance: described(u64, "The rest of the balance, in nAVAX."),
          endsAtPresentFee: described(
            nullable(time),
            "The second in which the balance ends if the fee stays as it is; null after the year 9999.",
          ),
          endsAt: described(
            nullable(time),
            "The second in which the balance ends, with the fee that follows from the present number of validators.",
          ),
          connected: described(
            optional(bool),
            "Whether this node is connected to the validator; missing if the node does not know, and for past heights.",
          ),
        }),
      ),
      "The validators in the order in which they become inactive; those that are inactive come first.",
    ),
    plan: described(
      optional(
        object({
          until: time,
          isPossible: described(
            bool,
            "False if all validators together have too little weight, or the network has no room for more active ones.",
          ),
          isCheapest: described(
            bool,
            "Whether no other plan costs less. Plans for more than 15 validators are not compared with all others.",
          ),
          total: described(u64, "The sum of the top-ups in nAVAX, without the fees of their transactions."),
          topUps: list(object({ validationID: optional(id), nodeID, amount: described(u64, "The amount in nAVAX.") })),
        }),
      ),
      "The top-ups, made now, that keep both thresholds until the given time.",
    ),
  }),
  cost: 5,
  examples: [
    {
      params: { subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR", until: "2025-07-30T04:00:07Z" },
      result: {
        subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR",
        height: "13",
        timestamp: "2024-07-30T04:00:07Z",
        verdict: "halted",
        haltsAt: null,
        assumption: ASSUMPTION,
        forecastUntil: "2034-07-28T04:00:07Z",
        price: "1",
        activeValidators: "1",
        targetValidators: "10000",
        totalWeight: "150",
        activeWeight: "100",
        activeShare: "66.6666",
        warp: { needed: "101", isMet: false, lostAt: null },
        snowman: { k: 20, alphaConfidence: 15, needed: "113", isMet: false, lostAt: null },
        proposers: { isKnown: false, fromHeight: null, toHeight: null, isAnyone: false, nodeIDs: [], uncertain: [] },
        validators: [
          {
            validationID: "dCJUisqVeY86rAKgaZkNicpheSDkBvj9dy5hN3ehGw9cmQgxK",
            nodeID: "NodeID-47Us9aEq2PvBC5wobBJw1yEpQEbMdm54p",
            weight: "50",
            share: "33.3333",
            active: false,
            balance: "0",
            endsAtPresentFee: null,
            endsAt: null,
          },
          {
            validationID: "1LTdBEfr59YAp8LupNTS2UUCFn8W93XYq14UjwJ5cox1x1VhR",
            nodeID: "NodeID-42AzCjVmuXmniTybz4BafUHpiKK4tV9J2",
            weight: "100",
            share: "66.6666",
            active: true,
            balance: "1998703999",
            endsAtPresentFee: "2087-11-30T07:33:26Z",
            endsAt: null,
          },
        ],
        plan: {
          until: "2025-07-30T04:00:07Z",
          isPossible: true,
          isCheapest: true,
          total: "31536000",
          topUps: [
            {
              validationID: "dCJUisqVeY86rAKgaZkNicpheSDkBvj9dy5hN3ehGw9cmQgxK",
              nodeID: "NodeID-47Us9aEq2PvBC5wobBJw1yEpQEbMdm54p",
              amount: "31536000",
            },
          ],
        },
      },
    },
  ],

  async handler({ subnetID, height: asked, until, l1Epoch, sampleSize: k, alphaConfidence }, context, { pace }) {
    if (k === 0 || alphaConfidence === 0 || alphaConfidence > k)
      throw badParam("alphaConfidence", "an integer from 1 to sampleSize")
    await requireL1(context, subnetID, pace)
    const { node } = context
    const height = asked ?? context.height
    const { members, state } = await l1At(context, subnetID, height, pace)
    if (members.every(({ validationID }) => validationID === undefined))
      throw platformError("platform.not_an_l1", { subnetID: idText(subnetID), height })
    const forecast = forecastOf(state)
    const health = healthOf(members, forecast, { k, alphaConfidence })
    checkUntil(until, state.time, health.forecastUntil)
    const shareOf = (weight: bigint) =>
      health.totalWeight === 0n ? 0 : Number((weight * 1_000_000n) / health.totalWeight) / 10_000
    const plan = until === undefined ? undefined : planUntil(health, forecast, until)
    const { haltsAt, verdict } = verdictOf(health)
    const hosted = asked === undefined ? heightsHosted(context, subnetID) : undefined
    const named = l1Epoch ? await heightsOfEpoch(context, l1Epoch, pace) : hosted
    return {
      subnetID,
      height,
      timestamp: state.time,
      verdict,
      haltsAt: haltsAt ?? null,
      assumption: ASSUMPTION,
      forecastUntil: health.forecastUntil,
      price: health.price,
      activeValidators: state.active,
      targetValidators: state.config.target,
      totalWeight: health.totalWeight,
      activeWeight: health.activeWeight,
      activeShare: shareOf(health.activeWeight),
      warp: thresholdOutput(health.warp),
      snowman: { k, alphaConfidence, ...thresholdOutput(health.snowman) },
      proposers: await proposersAt(context, subnetID, named, pace),
      validators: health.validators.map(({ validator, balance, isActive, endsAt, endsAtPresentFee }) => ({
        validationID: validator.validationID,
        nodeID: validator.nodeID,
        weight: validator.weight,
        share: shareOf(validator.weight),
        active: isActive,
        balance,
        endsAtPresentFee: endsAtPresentFee === undefined || endsAtPresentFee > END_OF_TIME ? null : endsAtPresentFee,
        endsAt: endsAt ?? null,
        connected: node.measuresUptimes && height === context.height ? node.uptimeOf(validator.nodeID)?.connected : undefined,
      })),
      plan:
        until === undefined
          ? undefined
          : {
              until,
              isPossible: plan !== undefined,
              isCheapest: plan?.isCheapest ?? false,
              total: plan?.total ?? 0n,
              topUps: (plan?.topUps ?? []).map(({ validator, amount }) => ({ ...validator, amount })),
            },
    }
  },
})

function checkUntil(until: bigint | undefined, chainTime: bigint, forecastUntil: bigint): void {
  if (until === undefined || (until > chainTime && until <= forecastUntil)) return
  if (until <= chainTime) throw platformError("platform.time_passed", { until, chainTime })
  throw platformError("platform.time_beyond_forecast", { until, forecastUntil })
}

const thresholdOutput = ({ needed, isMet, lostAt }: Threshold) => ({ needed, isMet, lostAt: lostAt ?? null })

/** Throws `platform.*` if a subnet does not exist or was not converted to an L1. */
async function requireL1(context: Context, subnetID: ID, pace: Parameters<Context["past"]>[0]): Promise<void> {
  if (context.view.get(tables.conversions, subnetID)) return
  if (subnetID === PRIMARY_NETWORK_ID) throw platformError("platform.primary_network")
  const facts = await subnetOf(context, subnetID, pace)
  if (!facts) throw platformError("platform.unknown_subnet", { subnetID: idText(subnetID), reference: "not found" })
  throw platformError("platform.not_an_l1", { subnetID: idText(subnetID) })
}
