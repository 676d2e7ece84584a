import { utf8 } from "../../core/lib/bytes.js"
import { printJson } from "../../core/lib/json.js"
import { printRfc3339 } from "../../core/lib/rfc3339.js"
import type { UpgradeName } from "../../core/networks/upgrades.js"
import type { Rules } from "../../core/rules/run.js"
import { idText } from "../../core/types/id.js"
import { Raw } from "../../jsonrpc/method.js"
import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const upgrades = method({
  name: "info.upgrades",
  summary: "When which rules came or come into force; the end of the year 9999 stands for never.",
  params: nothing,
  result: answer.object({
    apricotPhase1Time: answer.time,
    apricotPhase2Time: answer.time,
    apricotPhase3Time: answer.time,
    apricotPhase4Time: answer.time,
    apricotPhase4MinPChainHeight: answer.integer,
    apricotPhase5Time: answer.time,
    apricotPhasePre6Time: answer.time,
    apricotPhase6Time: answer.time,
    apricotPhasePost6Time: answer.time,
    banffTime: answer.time,
    cortinaTime: answer.time,
    cortinaXChainStopVertexID: answer.id,
    durangoTime: answer.time,
    etnaTime: answer.time,
    fortunaTime: answer.time,
    graniteTime: answer.time,
    graniteEpochDuration: answer.described(answer.integer, "nanoseconds"),
    heliconTime: answer.time,
  }),
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

  // The schedule does not change: its text is made once for each state.
  handler: (_params, context) => context.cached("info.upgrades", () => new Raw(utf8(printJson(scheduleOf(context.rules))))),
})

function scheduleOf({ upgrades }: Rules) {
  const time = (name: UpgradeName) => printRfc3339(upgrades.times[name])
  return {
    apricotPhase1Time: time("apricotPhase1"),
    apricotPhase2Time: time("apricotPhase2"),
    apricotPhase3Time: time("apricotPhase3"),
    apricotPhase4Time: time("apricotPhase4"),
    apricotPhase4MinPChainHeight: upgrades.apricotPhase4MinPChainHeight,
    apricotPhase5Time: time("apricotPhase5"),
    apricotPhasePre6Time: time("apricotPhasePre6"),
    apricotPhase6Time: time("apricotPhase6"),
    apricotPhasePost6Time: time("apricotPhasePost6"),
    banffTime: time("banff"),
    cortinaTime: time("cortina"),
    cortinaXChainStopVertexID: idText(upgrades.cortinaXChainStopVertexID),
    durangoTime: time("durango"),
    etnaTime: time("etna"),
    fortunaTime: time("fortuna"),
    graniteTime: time("granite"),
    graniteEpochDuration: upgrades.graniteEpochDuration,
    heliconTime: time("helicon"),
  }
}
