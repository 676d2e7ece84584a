import { exactTimeOf, type UpgradeName, type Upgrades, upgradeNames } from "../../core/networks/upgrades.js"
import { described } from "../../jsonrpc/schema/kinds.js"
import { integer } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { exactTime } from "../../jsonrpc/schema/outputs.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { forEver } from "../lifetimes.js"

export const upgrades = method({
  name: "info.upgrades",
  summary:
    "Returns the activation times of the network upgrades. The end of the year 9999 means that an upgrade is not scheduled.",
  params: nothing,
  result: object({
    apricotPhase1Time: exactTime,
    apricotPhase2Time: exactTime,
    apricotPhase3Time: exactTime,
    apricotPhase4Time: exactTime,
    apricotPhase4MinPChainHeight: integer,
    apricotPhase5Time: exactTime,
    apricotPhasePre6Time: exactTime,
    apricotPhase6Time: exactTime,
    apricotPhasePost6Time: exactTime,
    banffTime: exactTime,
    cortinaTime: exactTime,
    cortinaXChainStopVertexID: id,
    durangoTime: exactTime,
    etnaTime: exactTime,
    fortunaTime: exactTime,
    graniteTime: exactTime,
    graniteEpochDuration: described(integer, "The duration of an epoch in nanoseconds."),
    heliconTime: exactTime,
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
    const { apricotPhase4MinPChainHeight, cortinaXChainStopVertexID, graniteEpochDuration } = upgrades
    return { ...timesOf(upgrades), apricotPhase4MinPChainHeight, cortinaXChainStopVertexID, graniteEpochDuration }
  },
})

/** Returns the times by the names of the answer's members. */
function timesOf(upgrades: Upgrades) {
  return Object.fromEntries(upgradeNames.map((name) => [`${name}Time`, exactTimeOf(upgrades, name)])) as {
    readonly [N in UpgradeName as `${N}Time`]: bigint
  }
}
