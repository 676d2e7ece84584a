import { useState } from "preact/hooks"
import { addressStart, network } from "../data/network.js"
import { type FormTexts, fieldsOf, fieldText, paramsOf, pathOf, type RpcMethod } from "../data/openrpc.js"
import { parseJson, post, printJson } from "../data/rpc.js"
import { type Snippet, snippetsOf } from "../data/snippets.js"
import { Action } from "../lab/Action.js"
import { FormFields, Sentences } from "../parts/FormFields.js"
import { Copy } from "../parts/values.js"

/** The form of one method: its parameters, its answer, and the call to copy. */
export function MethodForm({ method }: { readonly method: RpcMethod }) {
  const [texts, setTexts] = useState<FormTexts>(() => exampleOf(method))
  const fields = fieldsOf(method)
  const params = paramsOf(fields, texts)
  const path = pathOf(method)
  const call = async () => {
    const answer = await post(path, printJson({ jsonrpc: "2.0", id: 1, method: method.name, params }))
    return <Reply text={answer} />
  }
  return (
    <>
      <p>
        <Sentences text={method.summary} />
      </p>
      {method.description !== undefined && (
        <p class="quiet">
          <Sentences text={method.description} />
        </p>
      )}
      <section class="sheet" aria-label="Call">
        <h2>
          Call <span class="quiet">POST {path}</span>
        </h2>
        <Action label="Call" run={call}>
          <FormFields
            fields={fields}
            texts={texts}
            onText={(key, text) => setTexts({ ...texts, [key]: text })}
            label={({ key }) => key}
            hint={({ schema }) => schema.description ?? (schema.type === "array" ? "a list" : "")}
          />
        </Action>
      </section>
      <Snippets snippets={snippetsOf(location.origin, path, method.name, params)} />
      <p>
        <a href="#/api">All methods</a>
      </p>
    </>
  )
}

/** The beginning of the addresses in examples, which are of a private chain. */
const EXAMPLE_START = addressStart("local")

/** Returns the value of each parameter in the first example. An address of another network is omitted. */
function exampleOf({ examples }: RpcMethod): Record<string, string> {
  const isLocal = addressStart(network.value.name) === EXAMPLE_START
  const given = (examples[0]?.params ?? []).map(({ name, value }) => [name, fieldText(value)] as const)
  return Object.fromEntries(given.filter(([, text]) => isLocal || !text.includes(EXAMPLE_START)))
}

function Reply({ text }: { readonly text: string }) {
  const shown = pretty(text)
  return (
    <>
      <h3>
        Answer <Copy text={shown} label="Copy the answer" />
      </h3>
      <pre class="code">{shown}</pre>
    </>
  )
}

/** JSON with line breaks; a text that is no JSON, such as an answer of a proxy, stays as it is. */
function pretty(text: string): string {
  try {
    return printJson(parseJson(text), 2)
  } catch {
    return text
  }
}

function Snippets({ snippets }: { readonly snippets: readonly Snippet[] }) {
  return (
    <section class="sheet" aria-label="The call in code">
      <h2>The call in code</h2>
      {snippets.map(({ name, text }) => (
        <div key={name}>
          <h3>
            {name} <Copy text={text} label={`Copy as ${name}:`} />
          </h3>
          <pre class="code">{text}</pre>
        </div>
      ))}
    </section>
  )
}
