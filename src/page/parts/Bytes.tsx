import { useState } from "preact/hooks"
import type { DecodedBytes, Field } from "../data/decoded.js"
import { grouped } from "../data/format.js"
import { printJson } from "../data/rpc.js"
import { Copy } from "./values.js"

/** Number of field colours in the style sheet. */
const COLOURS = 6

/** The maximum number of fields that are drawn. The rest is plain hex. */
const MAX_FIELDS = 1500

/** Encoded bytes, coloured by field. The name of a field appears on hover, and in a line below for keyboards and touch. */
export function Bytes({ decoded }: { readonly decoded: DecodedBytes }) {
  const { hex, fields } = decoded
  const [at, setAt] = useState(-1)
  const drawn = fields.slice(0, MAX_FIELDS)
  const shown = drawn[at]
  const onOver = ({ target }: Event): void => {
    const index = target instanceof HTMLElement ? target.dataset.field : undefined
    if (index !== undefined) setAt(Number(index))
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(drawn.length - 1, at + step)))
  }
  const rest = hex.slice((drawn.at(-1)?.end ?? 0) * 2)
  return (
    <section class="sheet">
      <h2>
        Bytes <span class="quiet">({grouped(hex.length / 2)})</span> <Copy text={`0x${hex}`} label="Copy the bytes" />
      </h2>
      <p class="field-name" aria-live="polite">
        {shown ? <FieldText field={shown} /> : "Move over the bytes, or use the arrow keys, to see which field they are."}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form */}
      <div
        class="bytes"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through the fields
        tabIndex={0}
        aria-label="Fields in the order of the bytes"
        onFocus={() => setAt(Math.max(0, at))}
        onMouseOver={onOver}
        onKeyDown={onKey}
      >
        {drawn.map((field, i) => (
          <span key={field.path} data-field={i} class={`byte c${i % COLOURS}${at === i ? " on" : ""}`} title={titleOf(field)}>
            {hex.slice(field.start * 2, field.end * 2)}
          </span>
        ))}
        {rest}
      </div>
    </section>
  )
}

function titleOf({ path, start, end, value }: Field): string {
  const size = end - start
  const shown = value === undefined ? "" : ` = ${typeof value === "string" ? value : printJson(value)}`
  return `${path}${shown} (${size} byte${size === 1 ? "" : "s"} from ${start})`
}

function FieldText({ field }: { readonly field: Field }) {
  const { path, start, end, value } = field
  return (
    <>
      <strong>{path}</strong>
      {value !== undefined && <> = {typeof value === "string" ? value : printJson(value)}</>}
      <span class="quiet">
        {" "}
        · bytes {start} to {end - 1}
      </span>
    </>
  )
}
