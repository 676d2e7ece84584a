import { useState } from "preact/hooks"
import { askOpenRpc, type RpcMethod, serviceOf } from "../data/openrpc.js"
import { hrefOf } from "../data/route.js"
import { useQuery } from "../data/useQuery.js"
import { Sentences } from "../parts/FormFields.js"
import { Answer, Title } from "../parts/states.js"
import { MethodForm } from "./MethodForm.js"

/** The services that are not folded at first. */
const FIRST = ["platform"]

/** Puts the focus on an element that has appeared. */
const focused = (element: HTMLElement | null): void => element?.focus({ preventScroll: true })

/** Every method of the API with a form. The address may name one: `#/api/platform.getHeight`. */
export function ApiView({ argument }: { readonly argument: string }) {
  const query = useQuery("api", askOpenRpc, { live: false })
  const [filter, setFilter] = useState("")
  return (
    <>
      <Title>{argument === "" ? "API" : argument}</Title>
      <Answer query={query}>
        {(methods) => {
          const chosen = methods.find(({ name }) => name === argument)
          if (chosen) return <MethodForm key={chosen.name} method={chosen} />
          if (argument !== "") return <UnknownMethod />
          const wanted = filter.trim().toLowerCase()
          return (
            <>
              <p>
                JSON-RPC 2.0 over HTTP POST. The method <code>rpc.discover</code> returns the same as an OpenRPC document.
              </p>
              <label class="filter">
                Find a method{" "}
                <input ref={focused} type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
              </label>
              <Methods
                methods={methods.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(wanted))}
                isFiltered={wanted !== ""}
              />
            </>
          )
        }}
      </Answer>
    </>
  )
}

function UnknownMethod() {
  return (
    <p>
      This node has no such method. See <a href="#/api">all methods</a>.
    </p>
  )
}

function Methods({ methods, isFiltered }: { readonly methods: readonly RpcMethod[]; readonly isFiltered: boolean }) {
  const services = [...new Set(methods.map(serviceOf))]
  return (
    <>
      {services.map((service) => {
        const own = methods.filter((each) => serviceOf(each) === service)
        const sorted = [...own.filter(({ deprecated }) => !deprecated), ...own.filter(({ deprecated }) => deprecated)]
        return (
          <details class="sheet" key={service} open={isFiltered || FIRST.includes(service)}>
            <summary>
              <strong>{service}</strong> <span class="quiet">{own.length === 1 ? "1 method" : `${own.length} methods`}</span>
            </summary>
            <ul class="list">
              {sorted.map(({ name, summary, deprecated }) => (
                <li key={name}>
                  <a href={hrefOf("api", name)}>{name}</a>
                  {deprecated && <span class="tag">deprecated</span>}
                  <span class="effect">
                    <Sentences text={summary.split(/(?<=\.) /)[0] ?? ""} />
                  </span>
                </li>
              ))}
            </ul>
          </details>
        )
      })}
      {methods.length === 0 && <p>No method has this in its name or its description. Try one word, such as “validator”.</p>}
    </>
  )
}
