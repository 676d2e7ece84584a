import { useState } from "preact/hooks"
import { dev } from "../data/rpc.js"
import { IdLink } from "../parts/values.js"
import { Action, Field } from "./Action.js"

/** Adds validators with delegators. */
export function AddValidators() {
  const [count, setCount] = useState("1")
  const [days, setDays] = useState("14")
  const [delegators, setDelegators] = useState("0")
  const add = async () => {
    const { nodeIDs } = await dev<{ nodeIDs: readonly string[] }>("addValidators", {
      count: Number(count),
      duration: Math.round(Number(days) * 86_400),
      delegators: Number(delegators),
    })
    return (
      <span class="good">
        Added {nodeIDs.length === 1 ? "a validator" : `${nodeIDs.length} validators`}:{" "}
        {nodeIDs.slice(0, 3).map((nodeID) => (
          <IdLink key={nodeID} view="validator" id={nodeID} />
        ))}
      </span>
    )
  }
  return (
    <section class="sheet" aria-label="Add validators">
      <h2>Validators</h2>
      <Action
        label="Add"
        about="Stakes for new validators, with the least stake there may be. They earn a reward at the end."
        run={add}
      >
        <Field label="How many">
          <input type="number" min={1} max={2000} value={count} onInput={(event) => setCount(event.currentTarget.value)} />
        </Field>
        <Field label="For how many days">
          <input type="number" min={1} max={365} value={days} onInput={(event) => setDays(event.currentTarget.value)} />
        </Field>
        <Field label="Delegators each">
          <input
            type="number"
            min={0}
            max={50}
            value={delegators}
            onInput={(event) => setDelegators(event.currentTarget.value)}
          />
        </Field>
      </Action>
    </section>
  )
}
