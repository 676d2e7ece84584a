import type { Json } from "../core/lib/json.js"
import type { AnyMethod, Example } from "./method.js"
import type { AnyService } from "./service.js"

/** General information about an API in its OpenRPC description. */
export interface ApiInfo {
  readonly title: string
  readonly description: string
  readonly version: string
  /**
   * The address of the server, such as `http://127.0.0.1:9650`. If it is empty, addresses are relative to the address of the description.
   */
  readonly url: string
}

/** Describes services in OpenRPC 1.3.2. Everything is derived from their methods. */
export function openRpc(services: readonly AnyService[], { url, title, description, version }: ApiInfo): Json {
  return {
    openrpc: "1.3.2",
    info: { title, description, version },
    servers: [{ name: "local", url: url === "" ? "/" : url }],
    methods: services.flatMap((service) =>
      service.methods.map((method) => methodObject(method, service, `${url}${service.paths[0]}`)),
    ),
  }
}

/** The note on a method that only Serac has. */
const EXTENSION = "An extension: AvalancheGo has no such method. It refuses parameters that it does not have."

/** Returns the notes of a description on a method, besides its summary. */
function notesOf({ deprecated, isExtension, lifetime }: AnyMethod, service: AnyService): readonly string[] {
  return [
    ...(deprecated === undefined ? [] : [`Deprecated: ${deprecated}`]),
    ...(isExtension || service.isExtension ? [EXTENSION] : []),
    ...(lifetime ? [lifetimeNote(lifetime)] : []),
  ]
}

/** The sentence on how long an answer holds. */
export const lifetimeNote = ({ summary }: { readonly summary: string }): string => `An answer holds ${summary}.`

function methodObject(method: AnyMethod, service: AnyService, url: string): Json {
  const { name, summary, deprecated, params, result, examples } = method
  const notes = notesOf(method, service)
  const { properties, required } = params.inputSchema as { properties: Record<string, Json>; required: readonly string[] }
  return {
    name,
    summary,
    ...(notes.length === 0 ? {} : { description: notes.join("\n\n") }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    tags: [{ name: service.name }],
    servers: [{ name: service.name, url }],
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
