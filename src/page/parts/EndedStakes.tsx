import { shortened } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import { useQuery } from "../data/useQuery.js"
import { askPaidRewards, type PaidReward } from "../data/validators.js"
import { Answer } from "./states.js"
import { Amount, IdLink, Time } from "./values.js"

/** Number of ended stakes and cycles that are shown. */
const SHOWN = 10

/** Milliseconds between two questions for them. */
const PAUSE = 3000

/** The stakes and cycles that ended last, with their rewards: of all nodes, or of one node and its delegators. */
export function EndedStakes({ nodeID }: { readonly nodeID?: string }) {
  const query = useQuery(`rewards ${nodeID ?? ""}`, () => askPaidRewards(SHOWN, nodeID), { pause: PAUSE })
  return (
    <section class="sheet" aria-label="Stakes and cycles that ended lately">
      <h2>Stakes and cycles that ended lately</h2>
      <Answer query={query}>
        {(rewards) => (
          <ol class="list">
            {rewards.map((each) => (
              <li key={each.stakerTxID + each.time}>
                <Reward reward={each} />
                {nodeID === undefined && (
                  <a href={hrefOf("validator", each.nodeID)} title={each.nodeID}>
                    {shortened(each.nodeID, 14, 5)}
                  </a>
                )}
                <a class="tag" href={hrefOf("tx", each.stakerTxID)} title={`Transaction ${each.stakerTxID}`}>
                  {each.isDelegator ? "delegator" : "validator"}
                </a>
                {each.goesOn && <span class="quiet">end of a cycle, it goes on</span>}
                {each.owner !== undefined && (
                  <span class="quiet">
                    to <IdLink view="address" id={each.owner} text={shortened(each.owner, 12, 5)} />
                  </span>
                )}
                <span class="quiet end">
                  <Time at={each.time} />
                </span>
              </li>
            ))}
            {rewards.length === 0 && <li class="quiet">None yet. Rewards appear here when stakes end.</li>}
          </ol>
        )}
      </Answer>
    </section>
  )
}

function Reward({ reward }: { readonly reward: PaidReward }) {
  if (reward.isRefused) return <span class="bad">no reward: too little uptime</span>
  return (
    <span class="good">
      reward +<Amount nanos={reward.amount} />
    </span>
  )
}
