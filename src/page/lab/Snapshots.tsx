import { useState } from "preact/hooks"
import { grouped } from "../data/format.js"
import { dev } from "../data/rpc.js"
import { Action, Field } from "./Action.js"
import type { Status } from "./status.js"

/** Takes snapshots of the chain and reverts to them. */
export function Snapshots({ status }: { readonly status: Status }) {
  const { snapshots } = status
  const [chosen, setChosen] = useState("")
  const id = snapshots.some((each) => String(each.id) === chosen) ? chosen : String(snapshots.at(-1)?.id ?? "")
  const take = async () => {
    const { id: taken, height } = await dev<{ id: number; height: string }>("snapshot")
    return (
      <span class="good">
        Snapshot {taken} at height {grouped(height)}.
      </span>
    )
  }
  const revert = async () => {
    const { height } = await dev<{ height: string }>("revert", { id: Number(id) })
    return <span class="good">Back at height {grouped(height)}.</span>
  }
  return (
    <section class="sheet" aria-label="Snapshots">
      <h2>Snapshots</h2>
      <Action label="Take a snapshot" about="Remembers everything as it is now, also the clock." run={take} />
      {snapshots.length > 0 && (
        <Action label="Revert" run={revert}>
          <Field label="Go back to">
            <select value={id} onChange={(event) => setChosen(event.currentTarget.value)}>
              {snapshots.map((each) => (
                <option key={each.id} value={String(each.id)}>
                  snapshot {each.id}, height {grouped(each.height)}
                </option>
              ))}
            </select>
          </Field>
        </Action>
      )}
    </section>
  )
}
