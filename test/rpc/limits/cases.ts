import { type Json, printJson } from "../../../src/core/lib/json.js"
import { addressText } from "../../../src/core/types/address.js"
import { type ID, idText, type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../../../src/core/types/id.js"
import type { AnyMethod } from "../../../src/jsonrpc/method.js"
import { EVENT_PATHS, services } from "../../../src/node/services.js"

/** What a large chain holds that strangers may ask for. */
export interface Known {
  readonly addresses: readonly string[]
  readonly nodeIDs: readonly NodeID[]
  readonly txIDs: readonly ID[]
  readonly height: number
}

/** One request that a stranger may send. */
export interface Case {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: string
}

/**
 * Every request: each method with its largest and its strangest parameters, alone and a hundred times in a batch, and each route. `size`: bytes of the
 * largest bodies, of which a public server takes a MiB. */
export function allCases(known: Known, size: number): readonly Case[] {
  // Some room for the envelope.
  const largest = size - 4096
  const served = Object.values(services).filter(({ onPublicServer }) => onPublicServer !== "absent")
  return [...served.flatMap((service) => serviceCases(service, known, largest)), ...routeCases(largest)]
}

function serviceCases({ paths, methods }: (typeof services)[keyof typeof services], known: Known, largest: number): Case[] {
  const path = paths[0] as string
  return (methods as readonly AnyMethod[]).flatMap(({ name, params, examples }) => {
    const usual = usualParams(params.inputSchema, examples, known)
    const alone = [{ what: "as usual", params: printJson(usual) }, ...strangeParams(params.inputSchema, usual, known, largest)]
    const single = alone.map((each) => ({
      name: `${name}: ${each.what}`,
      method: "POST",
      path,
      body: callText(name, each.params),
    }))
    return [...single, batchCase(name, path, printJson(usual), largest)]
  })
}

const callText = (method: string, params: string, id = 1): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`

/** A hundred calls of these parameters, or as many as fit into a body; those with a height ask for different ones. */
function batchCase(method: string, path: string, params: string, largest: number): Case {
  const count = Math.max(1, Math.min(100, Math.floor(largest / (callText(method, params).length + 8))))
  const calls = Array.from({ length: count }, (_, i) =>
    callText(method, params.replace(/"height":"?\d+"?/, `"height":${i + 1}`), i),
  )
  return { name: `${method}: as usual, ${count} times`, method: "POST", path, body: `[${calls.join()}]` }
}

interface Named {
  readonly what: string
  /** JSON text. */
  readonly params: string
}

type Schema = { readonly properties?: Record<string, { readonly type?: string }> }

/** The parameters of a method's first example, with the largest that the chain has for them. */
function usualParams(schema: unknown, examples: AnyMethod["examples"], known: Known): Record<string, Json> {
  const usual = { ...examples[0]?.params } as Record<string, Json>
  for (const name of Object.keys((schema as Schema).properties ?? {})) {
    const value = knownValue(name, known)
    if (value !== undefined) usual[name] = value
  }
  return usual
}

/** The same with one member after the other as strange as it can be; which strange thing it is goes round. */
function strangeParams(schema: unknown, usual: Record<string, Json>, known: Known, largest: number): readonly Named[] {
  return Object.entries((schema as Schema).properties ?? {}).flatMap(([name, { type }], index) => {
    const texts = strangeTexts(name, type, known, largest)
    const chosen = type === "array" ? texts : [texts[(index + name.length) % texts.length] as readonly [string, string]]
    return chosen.map(([what, text]) => {
      const others = Object.entries(usual).filter(([other]) => other !== name)
      const members = [...others.map(([other, value]) => `"${other}":${printJson(value)}`), `"${name}":${text}`]
      return { what: `${name} ${what}`, params: `{${members.join()}}` }
    })
  })
}

/** The largest thing of the chain that a parameter of this name may name. */
function knownValue(name: string, { addresses, nodeIDs, txIDs, height }: Known): Json | undefined {
  const texts = addresses.map((address) => addressText(address as never, "local"))
  switch (name) {
    case "addresses":
      return texts.slice(0, 256)
    case "address":
      return texts[0]
    case "nodeIDs":
      return nodeIDs.map(nodeIDText)
    case "nodeID":
      return nodeIDText(nodeIDs[0] as NodeID)
    case "txID":
      return idText(txIDs[0] as ID)
    case "subnetID":
      return idText(PRIMARY_NETWORK_ID)
    case "height":
      return height
    case "size":
      return 65_535
    case "limit":
      return 1024
    case "encoding":
      return "json"
    default:
      return undefined
  }
}

/** JSON texts that are as large or as strange as a parameter can be. */
function strangeTexts(
  name: string,
  type: string | undefined,
  known: Known,
  largest: number,
): readonly (readonly [string, string])[] {
  if (type === "array") {
    const item = knownValue(name, known)
    const all =
      name === "addresses" ? known.addresses.map((each) => addressText(each as never, "local")) : Array.isArray(item) ? item : []
    return [
      ["of all that there are", printJson(all.slice(0, largest / 60))],
      [
        "of one ID over and over",
        `[${Array(Math.floor(largest / 56))
          .fill('"11111111111111111111111111111111LpoYY"')
          .join()}]`,
      ],
      ["of zeroes", `[${"0,".repeat(largest / 2 - 1)}0]`],
    ]
  }
  if (type === "boolean") return [["true", "true"]]
  return [
    ["of a MiB of <", `"${"<".repeat(largest)}"`],
    ["of soft hyphens", `"${"\u00ad".repeat(largest / 2)}"`],
    ["of escapes", `"${"\\u0001".repeat(largest / 6)}"`],
    ["of base58", `"${"z".repeat(8192)}"`],
    ["of digits", "9".repeat(largest)],
    ["of 65535", "65535"],
  ]
}

function routeCases(largest: number): Case[] {
  const paths = [
    ...Object.values(services).flatMap((service) => service.paths),
    ...EVENT_PATHS,
    "/ext/metrics",
    "/ext/openrpc.json",
  ]
  const pages = ["/ext/health/health?tag=x", "/ext/health/readiness", "/ext/health/liveness", "/nowhere", "//ext//info/../P"]
  // Aliases are served by the same route as the first path.
  const requests = [...new Set([...paths, ...pages])].flatMap((path) =>
    ["GET", "HEAD", "PUT", "OPTIONS"]
      .filter((method) => !(EVENT_PATHS.includes(path) && method === "GET"))
      .map((method) => ({ name: `${method} ${path}`, method, path, body: "" })),
  )
  const P = "/ext/bc/P"
  const bodies: readonly (readonly [string, string])[] = [
    ["an unknown method of a MiB", `{"jsonrpc":"2.0","id":1,"method":"platform.${"<".repeat(largest)}"}`],
    ["an id of a MiB", `{"jsonrpc":"2.0","id":"${"<".repeat(largest)}","method":"platform.getHeight"}`],
    ["a batch of a MiB", `[${"{},".repeat(largest / 3)}{}]`],
    [
      "a batch of a hundred unknown methods",
      `[${Array(100)
        .fill(`{"jsonrpc":"2.0","id":1,"method":"${"<".repeat(9000)}"}`)
        .join()}]`,
    ],
    ["no JSON", "<".repeat(largest)],
    ["white space", " ".repeat(largest)],
    ["lists in lists", "[".repeat(largest)],
    ["parameters in lists in lists", callText("platform.getTx", `{"txID":${"[".repeat(9000)}${"]".repeat(9000)}}`)],
    ["a parameter over and over", callText("platform.getTx", `{${'"txID":1,'.repeat(largest / 9)}"a":1}`)],
  ]
  return [...requests, ...bodies.map(([name, body]) => ({ name, method: "POST", path: P, body }))]
}
