import { useState } from "preact/hooks"
import { grouped } from "../data/format.js"
import { askL1s, type L1 } from "../data/l1s.js"
import { hrefOf } from "../data/route.js"
import { dev } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Action, Field } from "./Action.js"

/** Creates an L1 whose VM runs in the node, and lists those that do. */
export function L1s() {
  const [name, setName] = useState("")
  const [vm, setVm] = useState("subnet-evm")
  const { data: l1s = [] } = useQuery("lab l1s", askL1s)
  const create = async () => {
    const wanted = name.trim() === "" ? { vm } : { vm, name: name.trim() }
    const { l1 } = await dev<{ l1: L1 }>("createL1", wanted)
    return (
      <span class="good">
        <a href={hrefOf("l1", l1.name)}>{l1.name}</a> runs.
      </span>
    )
  }
  return (
    <section class="sheet" aria-label="L1s">
      <h2>L1s</h2>
      <Action label="Create" about="Creates an L1 and runs its VM, from a plugin of --plugin-dir." run={create}>
        <Field label="Name">
          <input
            value={name}
            spellcheck={false}
            placeholder="chain1"
            size={12}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="VM">
          <input required value={vm} spellcheck={false} size={14} onInput={(event) => setVm(event.currentTarget.value)} />
        </Field>
      </Action>
      <ul class="list">
        {l1s.map((each) => (
          <li key={each.chainID}>
            <a href={hrefOf("l1", each.name)}>{each.name}</a>
            <span class={each.state === "running" ? "good" : "bad"}>{each.state}</span>
            {each.height !== undefined && <span class="quiet end">height {grouped(each.height)}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
