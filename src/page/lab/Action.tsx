import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { version } from "../data/chain.js"
import { Problem } from "../parts/states.js"

/** A form of the Lab: its fields, a button that runs it, and its result. */
export function Action(props: {
  readonly label: string
  /** A sentence above the form that describes the action. */
  readonly about?: string
  readonly children?: ComponentChildren
  run(): Promise<ComponentChildren>
}) {
  const { label, about, children, run } = props
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<ComponentChildren>(undefined)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setOutcome(await run().catch((error: Error) => <Problem error={error} />))
    setBusy(false)
    // Some operations change the private chain without a block.
    version.value++
  }
  return (
    <form class="action" onSubmit={submit}>
      {about !== undefined && <p class="quiet">{about}</p>}
      <div class="fields">
        {children}
        {/* A disabled button would lose the focus of the keyboard. */}
        <button type="submit" aria-disabled={isBusy}>
          {isBusy ? "Working…" : label}
        </button>
      </div>
      <div class="outcome" role="status">
        {outcome}
      </div>
    </form>
  )
}

/** A labelled field of a form. */
export function Field(props: {
  readonly label: string
  /** A sentence about the accepted values, after the label. */
  readonly hint?: ComponentChildren
  readonly children: ComponentChildren
  /** True if the field takes the rest of its line. */
  readonly wide?: boolean
  /** True if the field has a line of its own. */
  readonly whole?: boolean
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class={`field${props.wide ? " wide" : ""}${props.whole ? " wide whole" : ""}`}>
      <span>
        {props.label}
        {props.hint && <small>: {props.hint}</small>}
      </span>
      {props.children}
    </label>
  )
}

/** Reads a number of AVAX from a field. Throws if it is not a number. */
export function requireNanos(nanos: bigint | undefined): bigint {
  if (nanos === undefined) throw new Error("An amount is a number of AVAX such as 12.5, with at most nine decimals.")
  return nanos
}
