import type { UpgradeName } from "../../core/networks/upgrades.js"
import { described } from "../../jsonrpc/schema/kinds.js"
import { integer } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { time } from "../../jsonrpc/schema/outputs.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { forEver } from "../lifetimes.js"

export const upgrades = method({
  name: "info.upgrades",
  summary:
    "Returns the activation times of the network upgrades. The end of the year 9999 means that an upgrade is not scheduled.",
  params: nothing,
  result: object({
    apricotPhase1Time: time,
    apricotPhase2Time: time,
    apricotPhase3Time: time,
    apricotPhase4Time: time,
    apricotPhase4MinPChainHeight: integer,
    apricotPhase5Time: time,
    apricotPhasePre6Time: time,
    apricotPhase6Time: time,
    apricotPhasePost6Time: time,
    banffTime: time,
    cortinaTime: time,
    cortinaXChainStopVertexID: id,
    durangoTime: time,
    etnaTime: time,
    fortunaTime: time,
    graniteTime: time,
    graniteEpochDuration: described(integer, "The duration of an epoch in nanoseconds."),
    heliconTime: time,
  }),
  lifetime: forEver,
  examples: [
    {
      params: {},
      result: {
        apricotPhase1Time: "2020-12-05T05:00:00Z",
        apricotPhase2Time: "2020-12-05T05:00:00Z",
        apricotPhase3Time: "2020-12-05T05:00:00Z",
        apricotPhase4Time: "2020-12-05T05:00:00Z",
        apricotPhase4MinPChainHeight: 0,
        apricotPhase5Time: "2020-12-05T05:00:00Z",
        apricotPhasePre6Time: "2020-12-05T05:00:00Z",
        apricotPhase6Time: "2020-12-05T05:00:00Z",
        apricotPhasePost6Time: "2020-12-05T05:00:00Z",
        banffTime: "2020-12-05T05:00:00Z",
        cortinaTime: "2020-12-05T05:00:00Z",
        cortinaXChainStopVertexID: "11111111111111111111111111111111LpoYY",
        durangoTime: "2020-12-05T05:00:00Z",
        etnaTime: "2020-12-05T05:00:00Z",
        fortunaTime: "2020-12-05T05:00:00Z",
        graniteTime: "2020-12-05T05:00:00Z",
        graniteEpochDuration: 30_000_000_000,
        heliconTime: "9999-12-01T00:00:00Z",
      },
    },
  ],

  handler(_params, { rules: { upgrades } }) {
    const { times, apricotPhase4MinPChainHeight, cortinaXChainStopVertexID, graniteEpochDuration } = upgrades
    return { ...timesOf(times), apricotPhase4MinPChainHeight, cortinaXChainStopVertexID, graniteEpochDuration }
  },
})

/** Returns the times by the names of the answer's members. */
function timesOf(times: Readonly<Record<UpgradeName, bigint>>) {
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [`${name}Time`, time])) as {
    readonly [N in UpgradeName as `${N}Time`]: bigint
  }
}
