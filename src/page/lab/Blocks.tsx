import { useState } from "preact/hooks"
import { grouped } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import { dev } from "../data/rpc.js"
import { Action, Field } from "./Action.js"
import type { Status } from "./status.js"

/** Makes blocks, and decides when transactions get theirs. */
export function Blocks({ status }: { readonly status: Status }) {
  const [count, setCount] = useState("1")
  const [mode, setMode] = useState(status.blockMode.mode)
  const mine = async () => {
    const { blocks, height } = await dev<{ blocks: number; height: string }>("mine", { blocks: Number(count), filler: true })
    return (
      <span class="good">
        Made {blocks === 1 ? "a block" : `${blocks} blocks`}. The chain is at{" "}
        <a href={hrefOf("block", height)}>{grouped(height)}</a>.
      </span>
    )
  }
  const change = async () => {
    await dev("setBlockMode", { mode })
    return <span class="good">Done.</span>
  }
  return (
    <section class="sheet" aria-label="Blocks">
      <h2>Blocks</h2>
      <p class="quiet">{status.mempool === 0 ? "No transaction waits." : `${status.mempool} transactions wait for a block.`}</p>
      <Action label="Mine" about="Makes blocks now. An empty one gets a small payment." run={mine}>
        <Field label="How many">
          <input type="number" min={1} max={1000} value={count} onInput={(event) => setCount(event.currentTarget.value)} />
        </Field>
      </Action>
      <Action label="Set" about="Decides when transactions get their block." run={change}>
        <Field label="Block mode">
          <select value={mode} onChange={(event) => setMode(event.currentTarget.value)}>
            <option value="auto">at once</option>
            <option value="interval">every two seconds</option>
            <option value="manual">only when I mine</option>
          </select>
        </Field>
      </Action>
    </section>
  )
}
