import { useEffect, useRef, useState } from "preact/hooks"
import type { JsonObject } from "../data/decoded.js"
import {
  defaultForPeople,
  type FormTexts,
  fieldsOf,
  hintForPeople,
  paramsOf,
  type RpcMethod,
  valueForPeople,
  wordsOf,
} from "../data/openrpc.js"
import { call } from "../data/rpc.js"
import { FormFields, Sentences } from "../parts/FormFields.js"
import { JsonTree } from "../parts/JsonTree.js"
import { sentence } from "../parts/states.js"
import { Action } from "./Action.js"

/**
 * A form of the Lab that a method of `/ext/dev` describes by its declaration. The parameters that are required or in the first example are shown, and
 * the others folded. Amounts are in AVAX and periods in days.
 */
export function DevForm({ method, given }: { readonly method: RpcMethod; readonly given: FormTexts | undefined }) {
  const [texts, setTexts] = useState<FormTexts>(given ?? {})
  const ref = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (given) ref.current?.scrollIntoView({ block: "center" })
  }, [given])
  const title = wordsOf(method.name.replace("dev.", ""))
  const [first = "", ...more] = method.summary.split(/(?<=[.:]) /)
  const fields = fieldsOf(method)
  const examples = method.examples[0]?.params.map(({ name }) => name) ?? []
  const isMain = ({ path: [name = ""], required }: (typeof fields)[number]) => required || examples.includes(name)
  const run = async () => {
    const result = await call<JsonObject>("/ext/dev", method.name, paramsOf(fields, texts, valueForPeople))
    return (
      <>
        <span class="good">Done.</span>
        <JsonTree value={result} />
      </>
    )
  }
  const shown = (some: typeof fields) => (
    <FormFields
      fields={some}
      texts={texts}
      onText={(key, text) => setTexts({ ...texts, [key]: text })}
      label={({ key }) => wordsOf(key)}
      hint={hintForPeople}
      defaultOf={defaultForPeople}
      suggests
    />
  )
  const others = fields.filter((field) => !isMain(field))
  return (
    <details class="form" data-method={method.name.replace("dev.", "")} ref={ref} open={given !== undefined}>
      <summary>
        {title} <small class="quiet">{first.replaceAll("`", "").replace(/:$/, ".")}</small>
      </summary>
      {more.length > 0 && (
        <p class="quiet">
          <Sentences text={sentence(more.join(" "))} />
        </p>
      )}
      <Action label={title} run={run}>
        {shown(fields.filter(isMain))}
        {others.length > 0 && (
          <details class="field whole">
            <summary>More options</summary>
            {shown(others)}
          </details>
        )}
      </Action>
    </details>
  )
}
