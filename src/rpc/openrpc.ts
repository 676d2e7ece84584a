import type { Json } from "../core/lib/json.js"
import { type Interface, interfaces } from "./interfaces.js"
import type { AnyMethod, Example } from "./method.js"

/** The description of the whole API in OpenRPC 1.3.2, from nothing but the methods themselves. */
export function openRpc(version: string): Json {
  return {
    openrpc: "1.3.2",
    info: {
      title: "Serac",
      description: "An Avalanche P-Chain node. Each service has its own path, given as the server of its methods.",
      version,
    },
    servers: [{ name: "local", url: "http://127.0.0.1:9650" }],
    methods: Object.values<Interface>(interfaces).flatMap(({ paths, service, methods }) =>
      methods.map((method: AnyMethod) => methodObject(method, service, paths[0] as string)),
    ),
  }
}

function methodObject(method: AnyMethod, service: string, path: string): Json {
  const { name, summary, deprecated, params, result, examples } = method
  const { properties, required } = params.jsonSchema as { properties: Record<string, Json>; required: readonly string[] }
  return {
    name,
    summary,
    ...(deprecated === undefined ? {} : { description: `Deprecated: ${deprecated}`, deprecated: true }),
    tags: [{ name: service }],
    servers: [{ name: service, url: `http://127.0.0.1:9650${path}` }],
    paramStructure: "by-name",
    params: Object.entries(properties).map(([member, schema]) => ({
      name: member,
      required: required.includes(member),
      schema,
    })),
    result: { name: "result", schema: result.jsonSchema },
    examples: examples.map((example, i) => pairing(example, i)),
  }
}

function pairing({ title, params, result }: Example, index: number): Json {
  return {
    name: title ?? (index === 0 ? "a call" : `another call, ${index + 1}`),
    params: Object.entries(params).map(([name, value]) => ({ name, value })),
    result: { name: "result", value: result },
  }
}
