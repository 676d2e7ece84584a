import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { avaxText, durationText, grouped, localText, secondsOf, shortened, utcText } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import type { Owner } from "../data/validators.js"

/** An amount in AVAX, with the exact nAVAX on hover and for screen readers that read titles. */
export function Amount(props: {
  readonly nanos: bigint | number | string
  readonly unit?: boolean
  /** True if all nine decimals are shown. */
  readonly exact?: boolean
}) {
  const { nanos, unit = true, exact = false } = props
  const value = BigInt(nanos)
  return (
    <data class="amount" value={String(value)} title={`${grouped(value)} nAVAX`}>
      {avaxText(value, exact)}
      {unit && <span class="unit"> AVAX</span>}
    </data>
  )
}

/** A time in this machine's zone, with UTC on hover; with `both`, UTC is beside it. */
export function Time({ at, both = false }: { readonly at: string | number | bigint; readonly both?: boolean }) {
  const seconds = secondsOf(at)
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={utcText(seconds)}>
      {localText(seconds)}
      {both && <span class="quiet"> · {utcText(seconds)}</span>}
    </time>
  )
}

/** Shows the distance between two times in words. */
export function Away({ at, from }: { readonly at: string | number; readonly from: number }) {
  const seconds = secondsOf(at)
  const away = seconds - from
  return <span title={utcText(seconds)}>{away < 0 ? `${durationText(-away, 1)} ago` : `in ${durationText(away, 1)}`}</span>
}

/** An ID that links to its view. Long ones are shortened; the whole ID is in the title and the button copies it. */
export function IdLink(props: { readonly view: string; readonly id: string; readonly text?: string; readonly whole?: boolean }) {
  const { view, id, whole = false, text = whole ? id : shortened(id) } = props
  if (view === "tx" && /^1{32}/.test(id)) return <span class="quiet">genesis</span>
  return (
    <span class="id">
      <a href={hrefOf(view, id)} title={id}>
        {text}
      </a>
      <Copy text={id} />
    </span>
  )
}

/** The node of an L1 validator, which links to the validator. One from before the conversion of its subnet has no validation ID. */
export function L1Node({ nodeID, validationID }: { readonly nodeID: string; readonly validationID?: string | undefined }) {
  const text = shortened(nodeID, 12, 4)
  if (validationID === undefined) return <IdLink view="validator" id={nodeID} text={text} />
  return (
    <span class="id">
      <a href={hrefOf("l1validator", validationID)} title={`${nodeID}, validation ${validationID}`}>
        {text}
      </a>
      <Copy text={nodeID} />
    </span>
  )
}

/** The addresses of an owner, with the number that must sign if it is more than one. */
export function Owners({ owner }: { readonly owner: Owner | undefined }) {
  const { addresses = [], threshold = "1" } = owner ?? {}
  return (
    <>
      {Number(threshold) > 1 && `${threshold} of `}
      {addresses.map((address) => (
        <IdLink key={address} view="address" id={address} whole />
      ))}
      {addresses.length === 0 && "nobody"}
    </>
  )
}

/** A button that copies a text. */
export function Copy({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 1200)
  }
  return (
    <button
      type="button"
      class="copy"
      title={`${label} ${shortened(text)}`}
      aria-label={`${label} ${shortened(text)}`}
      onClick={copy}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={isCopied ? "M3 8l4 4 6-8" : "M5 5V2h9v9h-3M2 5h9v9H2z"} />
      </svg>
    </button>
  )
}

/** A list of names and values. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

/** One name and its value. */
export function Fact({
  name,
  hint,
  children,
}: {
  readonly name: string
  readonly hint?: string
  readonly children: ComponentChildren
}) {
  return (
    <div class="fact">
      <dt title={hint}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Copies a text and returns whether that succeeded. Browsers offer the clipboard to pages of this machine and over TLS only; elsewhere a selection is copied. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copySelected(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement("textarea")
  field.value = text
  field.readOnly = true
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand("copy")
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
