import { avaxText, durationText, grouped, secondsOf, utcText } from "../data/format.js"
import { platform, type ResultOf } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Answer } from "../parts/states.js"
import { Fact, Facts, L1Node } from "../parts/values.js"

type Health = ResultOf<"getL1Health">
type Validator = Health["validators"][number]
type Threshold = Health["warp"]

/** The time for which the page shows a plan, in days. */
const PLAN_DAYS = 30

async function askHealth(subnetID: string): Promise<Health> {
  const { timestamp } = await platform("getTimestamp")
  return platform("getL1Health", { subnetID, until: secondsOf(timestamp) + PLAN_DAYS * 86_400 })
}

/** Whether an L1 will halt: the verdict, the thresholds, a time line of balances, and what keeps it alive. */
export function L1Health({ subnetID }: { readonly subnetID: string }) {
  const query = useQuery(`l1 health ${subnetID}`, () => askHealth(subnetID), { pause: 2000 })
  return (
    <section class="sheet" aria-label="Health">
      <h2>Health</h2>
      <Answer query={query}>{(health) => <Report health={health} />}</Answer>
    </section>
  )
}

function Report({ health }: { readonly health: Health }) {
  const { warp, snowman, validators, timestamp, assumption } = health
  const now = secondsOf(timestamp)
  return (
    <>
      <p class={health.verdict === "lasts" ? "" : "bad"}>{verdictText(health)}</p>
      <Facts>
        <Fact name="Decides blocks" hint="Too little active weight halts the L1">
          <ThresholdText threshold={snowman} share={`${snowman.alphaConfidence} of ${snowman.k}`} health={health} />
        </Fact>
        <Fact name="Signs Warp messages">
          <ThresholdText threshold={warp} share="67 %" health={health} />
        </Fact>
        <Fact name={`Lasts ${PLAN_DAYS} days with`} hint="Top-ups made now, without the fees of their transactions">
          {health.plan && <PlanText plan={health.plan} />}
        </Fact>
      </Facts>
      <TimeLine validators={validators} now={now} haltsAt={health.haltsAt} />
      <p class="quiet">The forecast assumes: {assumption}</p>
    </>
  )
}

/** One sentence about an L1. */
function verdictText({ verdict, haltsAt, timestamp, activeShare, snowman, forecastUntil }: Health): string {
  const needed = (100 * snowman.alphaConfidence) / snowman.k
  if (verdict === "halted") return `It cannot decide blocks: ${activeShare} % of its weight is active, and ${needed} % is needed.`
  if (haltsAt === null) return `It has enough active weight until ${utcText(secondsOf(forecastUntil))} at least.`
  const left = durationText(secondsOf(haltsAt) - secondsOf(timestamp))
  return `It halts in ${left}, at ${utcText(secondsOf(haltsAt))}, unless balances are increased before.`
}

function ThresholdText(props: { readonly threshold: Threshold; readonly share: string; readonly health: Health }) {
  const { threshold, share, health } = props
  const { needed, isMet, lostAt } = threshold
  return (
    <>
      <span class={isMet ? "" : "bad"}>{isMet ? "yes" : "no"}</span>, {share} of the weight ({grouped(needed)} of{" "}
      {grouped(health.totalWeight)}) needed
      {lostAt !== null && `, until ${utcText(secondsOf(lostAt))}`}
    </>
  )
}

function PlanText({ plan: { isPossible, isCheapest, total, topUps } }: { readonly plan: NonNullable<Health["plan"]> }) {
  if (!isPossible) return <span class="bad">no top-ups: the validators that can be active have too little weight</span>
  if (topUps.length === 0) return <>no top-up</>
  return (
    <>
      {avaxText(BigInt(total))} AVAX{isCheapest && ", the least that does it"}:{" "}
      {topUps.map(({ amount, ...each }, i) => (
        <span key={each.nodeID}>
          {i > 0 && ", "}
          <L1Node {...each} /> {avaxText(BigInt(amount))}
        </span>
      ))}
    </>
  )
}

/** Most validators of a time line. Those whose balances end first are shown. */
const MAX_LINES = 20

/** Lines from now to the end of each balance, with a mark where the L1 halts. */
function TimeLine(props: { readonly validators: readonly Validator[]; readonly now: number; readonly haltsAt: string | null }) {
  const { validators, now, haltsAt } = props
  const ending = validators.filter(({ active, endsAt }) => active && endsAt !== null).slice(0, MAX_LINES)
  const last = Math.max(now + 1, ...ending.map(({ endsAt }) => secondsOf(endsAt ?? 0)))
  const placeOf = (time: string | null): number => (100 * (secondsOf(time ?? 0) - now)) / (last - now)
  if (ending.length === 0) return null
  return (
    <ol class="timeline" aria-label="Balances to zero">
      {ending.map(({ endsAt, nodeID, validationID }) => (
        <li key={validationID ?? nodeID}>
          <L1Node nodeID={nodeID} validationID={validationID} />
          <span class="line" title={utcText(secondsOf(endsAt ?? 0))}>
            <span class="balance" style={{ width: `${placeOf(endsAt)}%` }} />
            {haltsAt !== null && <span class="halt" style={{ left: `${placeOf(haltsAt)}%` }} title="The L1 halts here" />}
          </span>
          <span class="quiet">{durationText(secondsOf(endsAt ?? 0) - now)}</span>
        </li>
      ))}
    </ol>
  )
}
