import { useState } from "preact/hooks"
import { grouped, visibleText } from "../data/format.js"
import { dev } from "../data/rpc.js"
import { Time } from "../parts/values.js"
import { Action, Field } from "./Action.js"
import type { Status } from "./status.js"

/** Takes snapshots of the chain and reverts to them. */
export function Snapshots({ status: { snapshots } }: { readonly status: Status }) {
  const [name, setName] = useState("")
  const [reverted, setReverted] = useState("")
  const take = async () => {
    const { id, height } = await dev("snapshot", { name: name.trim() })
    return (
      <span class="good">
        Snapshot {id} at height {grouped(height)}.
      </span>
    )
  }
  const revert = async (id: number) => {
    const { height } = await dev("revert", { id })
    setReverted(`Back at height ${grouped(height)}.`)
    return undefined
  }
  return (
    <section aria-label="Snapshots">
      <h3>Snapshots</h3>
      <Action label="Take a snapshot" about="Keeps everything as it is now, also the clock, to go back to." run={take}>
        <Field label="Name" wide>
          <input value={name} placeholder="before the reward" onInput={(event) => setName(event.currentTarget.value)} />
        </Field>
      </Action>
      <ol class="list">
        {snapshots.toReversed().map((each) => (
          <li key={each.id}>
            <strong>{visibleText(each.name) || `Snapshot ${each.id}`}</strong>
            <span class="quiet">
              height {grouped(each.height)}, <Time at={each.time} />
            </span>
            <span class="end">
              <Action label="Revert" run={() => revert(each.id)} />
            </span>
          </li>
        ))}
      </ol>
      <span class="good" role="status">
        {reverted}
      </span>
    </section>
  )
}
