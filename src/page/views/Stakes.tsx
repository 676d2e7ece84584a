import { secondsOf, shortened } from "../data/format.js"
import { txKind } from "../data/kinds.js"
import { hrefOf } from "../data/route.js"
import { platform, type ResultOf } from "../data/rpc.js"
import { Rows } from "../parts/Rows.js"
import { Amount, Away } from "../parts/values.js"

type Stake = ResultOf<"getStakesByAddress">["stakes"][number]

/** Number of stakes that are shown first, and added by each click. */
const PAGE = 10

async function askStakes(address: string, limit: number, cursor: string | undefined) {
  const params = { address, limit, cursor }
  const [{ stakes, cursor: next }, { timestamp }] = await Promise.all([
    platform("getStakesByAddress", params),
    platform("getTimestamp"),
  ])
  const now = secondsOf(timestamp)
  return { rows: stakes.map((stake) => ({ stake, now })), cursor: next }
}

/** The stakes of an address, present and past, newest first. */
export function Stakes({ address }: { readonly address: string }) {
  const ask = (limit: number, cursor: string | undefined) => askStakes(address, limit, cursor)
  return (
    <section>
      <h2>Stakes</h2>
      <Rows name={`stakes ${address}`} step={PAGE} ask={ask} pause={2000}>
        {({ stake, now }) => <StakeRow key={stake.txID} stake={stake} now={now} />}
      </Rows>
    </section>
  )
}

function StakeRow({ stake, now }: { readonly stake: Stake; readonly now: number }) {
  const { txID, kind, nodeID, amount, paidReward } = stake
  return (
    <li>
      <Amount nanos={amount} />
      <a class="tag" href={hrefOf("tx", txID)} title={`Transaction ${txID}`}>
        {txKind(kind).name}
      </a>
      <a href={hrefOf("validator", nodeID)} title={nodeID}>
        {shortened(nodeID, 12, 4)}
      </a>
      {BigInt(paidReward) > 0n && (
        <span class="good">
          +<Amount nanos={paidReward} />
        </span>
      )}
      <span class="quiet end">
        <When stake={stake} now={now} />
      </span>
    </li>
  )
}

function When({ stake, now }: { readonly stake: Stake; readonly now: number }) {
  const { state, startTime, endTime } = stake
  if (state === "aborted") return <>never began</>
  if (state === "pending")
    return (
      <>
        begins <Away at={startTime} from={now} />
      </>
    )
  return (
    <>
      {state === "ended" ? "ended" : "ends"} <Away at={endTime} from={now} />
    </>
  )
}
