import { useState } from "preact/hooks"
import type { JsonObject } from "../data/decoded.js"
import { dev } from "../data/rpc.js"
import { JsonTree } from "../parts/JsonTree.js"
import { Amount } from "../parts/values.js"
import { Action, Field } from "./Action.js"

interface Simulation {
  readonly ok: boolean
  readonly error?: { readonly message: string }
  readonly fee: string
  readonly consumed: readonly JsonObject[]
  readonly produced: readonly JsonObject[]
  readonly changes: readonly JsonObject[]
}

/** Shows what a pasted transaction would do, without doing it. */
export function DryRun() {
  const [tx, setTx] = useState("")
  const run = async () => {
    const text = tx.trim()
    const result = await dev<Simulation>("simulateTx", { tx: text.startsWith("0x") ? text : `0x${text}` })
    return <Result result={result} />
  }
  return (
    <section class="sheet" aria-label="Dry run">
      <h2>Dry run</h2>
      <Action
        label="Try it"
        about="Shows what a transaction, signed or not, would do in a block made now. Nothing is kept."
        run={run}
      >
        <Field label="Transaction as hex" wide>
          <textarea
            required
            rows={3}
            spellcheck={false}
            value={tx}
            placeholder="0x…"
            onInput={(event) => setTx(event.currentTarget.value)}
          />
        </Field>
      </Action>
    </section>
  )
}

function Result({ result }: { readonly result: Simulation }) {
  const { ok, error, fee, consumed, produced, changes } = result
  return (
    <>
      <p class={ok ? "good" : "bad"}>{ok ? "It would be accepted." : `It would be refused: ${error?.message}`}</p>
      <p>
        Fee now: <Amount nanos={fee} />
      </p>
      {ok && <JsonTree value={{ consumed, produced, changes }} />}
    </>
  )
}
