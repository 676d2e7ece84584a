import { useState } from "preact/hooks"
import { addressStart, network } from "../data/network.js"
import { fieldText, fieldValue, pathOf, type RpcMethod, type RpcParam } from "../data/openrpc.js"
import { type Json, parseJson, post, printJson } from "../data/rpc.js"
import { type Snippet, snippetsOf } from "../data/snippets.js"
import { Action, Field } from "../lab/Action.js"
import { Copy } from "../parts/values.js"

/** The form of one method: its parameters, its answer, and the call to copy. */
export function MethodForm({ method }: { readonly method: RpcMethod }) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => exampleOf(method))
  const params: Record<string, Json> = {}
  for (const { name, schema } of method.params) {
    const text = texts[name] ?? ""
    if (text !== "") params[name] = fieldValue(text, schema)
  }
  const path = pathOf(method)
  const call = async () => {
    const answer = await post(path, printJson({ jsonrpc: "2.0", id: 1, method: method.name, params }))
    return <Reply text={answer} />
  }
  return (
    <>
      <p>{method.summary}</p>
      {method.description !== undefined && <p class="quiet">{method.description}</p>}
      <section class="sheet" aria-label="Call">
        <h2>
          Call <span class="quiet">POST {path}</span>
        </h2>
        <Action label="Call" run={call}>
          {method.params.map((param) => (
            <Param
              key={param.name}
              param={param}
              text={texts[param.name] ?? ""}
              onText={(text) => setTexts({ ...texts, [param.name]: text })}
            />
          ))}
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

/** Returns the placeholder of an empty field: the default, or the beginning of an address of this network. */
function placeholderOf({ name, schema }: RpcParam): string {
  const start = `${addressStart(network.value.name)}…`
  if (/address$/i.test(name)) return start
  return /addresses$/i.test(name) ? `["${start}"]` : fieldText(schema.default)
}

function Param(props: { readonly param: RpcParam; readonly text: string; onText(text: string): void }) {
  const { param, text, onText } = props
  const { name, required, schema } = param
  const hint = schema.description ?? (schema.type === "array" ? "a list" : "")
  const options = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : undefined)
  return (
    <Field label={`${name}${required ? " (required)" : ""}`} hint={hint} wide>
      {options ? (
        <select value={text} onChange={(event) => onText(event.currentTarget.value)}>
          <option value="">default</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          value={text}
          placeholder={placeholderOf(param)}
          spellcheck={false}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
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
