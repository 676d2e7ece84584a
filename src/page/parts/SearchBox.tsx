import { useState } from "preact/hooks"
import { network } from "../data/network.js"
import { open } from "../data/route.js"

/** The search of every view. A private key is sent to a private chain only: to any other node it would be a leak. */
export function SearchBox() {
  const [text, setText] = useState("")
  const [problem, setProblem] = useState("")
  const submit = (event: Event): void => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === "") return
    if (wanted.startsWith("PrivateKey-") && !network.value.hasLab) {
      setProblem("This is a private key. It was not sent to the node.")
      return
    }
    setProblem("")
    setText("")
    open(/^\d+$/.test(wanted) ? "block" : "search", wanted)
  }
  return (
    <search class="search">
      <form onSubmit={submit}>
        <svg class="narrow-only" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M10 10l4 4M11 6.5a4.5 4.5 0 1 1-9 0a4.5 4.5 0 0 1 9 0z" />
        </svg>
        <input
          type="search"
          aria-label="Search for a height, an ID, an address, a node, or hex to decode"
          placeholder="Height, ID, address, node, hex…"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {problem !== "" && (
          <span class="problem" role="alert">
            {problem}
          </span>
        )}
      </form>
    </search>
  )
}
