import { DEFAULT_SNOWMAN, forecastOf, healthOf } from "../../../core/rules/l1Health.js"
import { l1FeeStateOf } from "../../../core/rules/l1Record.js"
import { tables } from "../../../core/state/tables.js"
import { described, list, oneOf } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { nullable, time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { l1MembersOf, verdictOf } from "./l1Facts.js"

export const getL1s = method({
  name: "platform.getL1s",
  summary:
    "Returns all L1s with their validators and weights, in the order of the time that is left until too few validators pay to decide blocks. `platform.getL1Health` says more about one of them.",
  isExtension: true,
  params: nothing,
  result: object({
    height: described(u64, "The last accepted height, at which the values were read."),
    timestamp: time,
    l1s: list(
      object({
        subnetID: id,
        managerChainID: described(id, "The chain of the contract that manages the validators."),
        validators: described(u64, "The number of validators, active or not."),
        activeValidators: described(u64, "The number of validators that pay."),
        totalWeight: u64,
        activeWeight: u64,
        verdict: described(
          oneOf("halted", "runsOut", "lasts"),
          "As in `platform.getL1Health`, with AvalancheGo's parameters of Snowman.",
        ),
        haltsAt: nullable(time),
        firstEndsAt: described(
          nullable(time),
          "The second in which the first balance ends; null if none ends within the forecast.",
        ),
      }),
    ),
  }),
  cost: 20,
  lifetime: ofState,
  examples: [
    {
      params: {},
      result: {
        height: "13",
        timestamp: "2024-07-30T04:00:07Z",
        l1s: [
          {
            subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR",
            managerChainID: "ucci5R4jT3GFUL6CpjWgcZZX9wEjG5NJJPFLXDfWLWq8aNUsS",
            validators: "2",
            activeValidators: "1",
            totalWeight: "150",
            activeWeight: "100",
            verdict: "halted",
            haltsAt: null,
            firstEndsAt: null,
          },
        ],
      },
    },
  ],

  async handler(_params, { view, rules, height }, { pace }) {
    const forecast = forecastOf(l1FeeStateOf(view, rules))
    const l1s = []
    for (const [subnetID, { chainID }] of view.rows(tables.conversions)) {
      const health = healthOf(await l1MembersOf(view, subnetID, pace), forecast, DEFAULT_SNOWMAN)
      const { validators, totalWeight, activeWeight } = health
      const active = validators.filter(({ isActive }) => isActive)
      const { verdict, haltsAt } = verdictOf(health)
      l1s.push({
        subnetID,
        managerChainID: chainID,
        validators: BigInt(validators.length),
        activeValidators: BigInt(active.length),
        totalWeight,
        activeWeight,
        verdict,
        haltsAt: haltsAt ?? null,
        firstEndsAt: active.find(({ endsAt }) => endsAt !== undefined)?.endsAt ?? null,
      })
    }
    return { height, timestamp: forecast.time, l1s: l1s.sort((a, b) => compareEnds(endOf(a), endOf(b))) }
  },
})

interface Ending {
  readonly verdict: string
  readonly haltsAt: bigint | null
}

/** The time that orders L1s: those that have halted come first, those that last come last. */
const endOf = ({ verdict, haltsAt }: Ending): bigint | number => haltsAt ?? (verdict === "halted" ? 0 : Number.POSITIVE_INFINITY)

const compareEnds = (a: bigint | number, b: bigint | number): number => (a === b ? 0 : a < b ? -1 : 1)
