import { useState } from "preact/hooks"
import { durationText, secondsOf, shortened } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import { type DevResultOf, dev } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { askValidators, type Validator } from "../data/validators.js"
import { Amount, Time } from "../parts/values.js"
import { Action, Field } from "./Action.js"
import type { Status } from "./status.js"

const DAY = 86_400

/** The maximum of the slider: a little more than a year, so that it includes the ends of the five built-in validators. */
const MAX_DAYS = 400

/** The longest time that a stake may last, in seconds. */
const LONGEST_STAKE = 365 * DAY

/** Common steps. */
const STEPS: readonly (readonly [name: string, days: number])[] = [
  ["1 hour", 1 / 24],
  ["1 day", 1],
  ["2 weeks", 14],
  ["1 month", 30],
  ["1 year", 365],
]

/** Moves the clock; the slider shows which rewards fall due on the way. */
export function TimeTravel({ status }: { readonly status: Status }) {
  const [days, setDays] = useState(14)
  const { data: validators } = useQuery("lab validators", () => askValidators(), { pause: 300 })
  const seconds = Math.round(days * DAY)
  const target = secondsOf(status.clock) + seconds
  const due = (validators ?? []).filter(({ endTime }) => endTime !== undefined && secondsOf(endTime) <= target)
  const travel = async () => {
    const travelled = await dev("advanceTime", { seconds, settle: true })
    return <Outcome travelled={travelled} seconds={seconds} />
  }
  return (
    <>
      <p>
        The chain's clock shows <Time at={status.clock} both />
        {status.frozen && <span class="tag">frozen</span>}
      </p>
      <p class="steps-row">
        {STEPS.map(([name, count]) => (
          <button type="button" key={name} aria-pressed={days === count} onClick={() => setDays(count)}>
            + {name}
          </button>
        ))}
      </p>
      <Action label={`Move ${durationText(seconds)} ahead`} run={travel}>
        <Field
          label={`To ${new Date(target * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}`}
          wide
        >
          <input
            type="range"
            min={0}
            max={MAX_DAYS}
            step={1}
            value={Math.round(days)}
            aria-valuetext={`${durationText(seconds)} ahead`}
            onInput={(event) => setDays(Number(event.currentTarget.value))}
          />
        </Field>
      </Action>
      {due.length > 0 || validators === undefined ? <Due due={due} /> : <NothingDue seconds={seconds} />}
    </>
  )
}

/** Offers a validator whose stake ends in the chosen time, so that there is a reward to see. */
function NothingDue({ seconds }: { readonly seconds: number }) {
  const add = async () => {
    await dev("addValidators", { count: 1, duration: Math.min(seconds, LONGEST_STAKE) })
    return undefined
  }
  return (
    <Action
      label="Add a validator whose stake ends then"
      about="No stake ends in this time, so no reward falls due yet. Validators earn one by staking AVAX."
      run={add}
    />
  )
}

function Due({ due }: { readonly due: readonly Validator[] }) {
  const total = due.reduce((sum, { potentialReward }) => sum + BigInt(potentialReward ?? 0), 0n)
  if (due.length === 0) return null
  return (
    <>
      <p>
        Until then {due.length === 1 ? "one stake ends" : `${due.length} stakes end`}, with rewards of <Amount nanos={total} />:
      </p>
      <ul class="list">
        {due.slice(0, 5).map((each) => (
          <li key={each.txID ?? each.nodeID}>
            <a href={hrefOf("validator", each.nodeID)}>{shortened(each.nodeID, 14, 5)}</a>
            <span class="good">
              +<Amount nanos={each.potentialReward ?? 0} />
            </span>
            <span class="quiet end">
              <Time at={each.endTime ?? 0} />
            </span>
          </li>
        ))}
        {due.length > 5 && <li class="quiet">and {due.length - 5} more</li>}
      </ul>
    </>
  )
}

function Outcome({ travelled, seconds }: { readonly travelled: DevResultOf<"advanceTime">; readonly seconds: number }) {
  const { blocks, rewarded, aborted, deactivated, l1sNotMoved = [] } = travelled
  return (
    <span class="good">
      Moved {durationText(seconds)} ahead: {blocks === 1 ? "1 block" : `${blocks} blocks`},{" "}
      {rewarded === 1 ? "1 reward paid" : `${rewarded} rewards paid`}
      {aborted > 0 && `, ${aborted} refused`}
      {deactivated > 0 && `, ${deactivated} L1 validators ran out`}.{" "}
      {l1sNotMoved.length > 0 && `The plugins of ${l1sNotMoved.join(", ")} show the time of this machine. `}
      <a href="#/validators">See the validators</a>
    </span>
  )
}
