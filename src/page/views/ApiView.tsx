import { useState } from "preact/hooks"
import { askOpenRpc, type RpcMethod } from "../data/openrpc.js"
import { hrefOf } from "../data/route.js"
import { useQuery } from "../data/useQuery.js"
import { Answer, Title } from "../parts/states.js"
import { MethodForm } from "./MethodForm.js"

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
          const wanted = filter.trim().toLowerCase()
          return (
            <>
              <p>
                JSON-RPC 2.0 over HTTP POST. The method <code>rpc.discover</code> returns the same as an OpenRPC document.
              </p>
              <label class="filter">
                Find a method <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
              </label>
              <Methods methods={methods.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(wanted))} />
            </>
          )
        }}
      </Answer>
    </>
  )
}

function Methods({ methods }: { readonly methods: readonly RpcMethod[] }) {
  const services = [...new Set(methods.map(({ tags }) => tags[0]?.name ?? ""))]
  return (
    <>
      {services.map((service) => (
        <section class="sheet" key={service} aria-label={service}>
          <h2>{service}</h2>
          <ul class="list">
            {methods
              .filter(({ tags }) => tags[0]?.name === service)
              .map(({ name, summary, deprecated }) => (
                <li key={name} class="method">
                  <a href={hrefOf("api", name)}>{name}</a>
                  {deprecated && <span class="tag">deprecated</span>}
                  <span class="quiet">{summary}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {methods.length === 0 && <p>No method has this in its name.</p>}
    </>
  )
}
