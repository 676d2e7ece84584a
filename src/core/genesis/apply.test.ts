import { expect, test } from "vitest"
import { crypto } from "../../platform/backends.js"
import { networkFor } from "../networks/index.js"
import { LOCAL_ID } from "../networks/names.js"
import { upTo } from "../networks/upgrades.js"
import { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import { emptyView, valuesOf } from "../state/view.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import { applyGenesis } from "./apply.js"
import { buildGenesis } from "./build.js"
import { localConfig } from "./local.js"

/**
 * Returns the promised rewards of the validators of the local genesis under a schedule, in the order of its list, and the resulting
 * supply.
 */
function promised(last: "granite" | "helicon") {
  const genesis = buildGenesis(localConfig())
  const { params } = networkFor(LOCAL_ID)
  const diff = new Diff(emptyView)
  const rules = { crypto, networkID: LOCAL_ID, avaxAssetID: genesis.avaxAssetID, params, upgrades: upTo(last) }
  applyGenesis(diff, genesis, rules)
  const rewards = genesis
    .body()
    .validators.map(({ id }) => [...valuesOf(diff.rows(tables.currentStakers))].find(({ txID }) => txID === id))
  return { rewards: rewards.map((staker) => staker?.potentialReward), supply: diff.get(tables.supplies, PRIMARY_NETWORK_ID) }
}

test("genesis validators are promised what the rate of their start gives: less where Helicon was always there", () => {
  expect(promised("granite").supply).toBe(361_196_333_750_752_149n)
  expect(promised("helicon")).toEqual({
    rewards: [239_774_014_824_544n, 239_511_242_938_084n, 239_305_448_695_409n, 239_043_787_739_289n, 238_614_137_989_483n],
    supply: 361_196_248_632_186_809n,
  })
})
