import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { avaxText, durationText, grouped, localText, secondsOf, shortened, utcText } from "../data/format.js"
import { hrefOf } from "../data/route.js"

/** An amount in AVAX, with the exact nAVAX on hover and for screen readers that read titles. */
export function Amount({ nanos, unit = true }: { readonly nanos: bigint | number | string; readonly unit?: boolean }) {
  const value = BigInt(nanos)
  return (
    <data class="amount" value={String(value)} title={`${grouped(value)} nAVAX`}>
      {avaxText(value)}
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
