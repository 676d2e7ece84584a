import { openRpcOf, serviceList } from "../../src/client/services.js"
import type { JsonSchema } from "../../src/core/codec/schema.js"
import { type Json, printJson } from "../../src/core/lib/json.js"
import { SMALL_TEXT } from "../../src/jsonrpc/answer.js"
import type { AnyMethod, Example } from "../../src/jsonrpc/method.js"
import type { AnyService } from "../../src/jsonrpc/service.js"
import { version } from "../../src/node/version.js"

const description = openRpcOf(serviceList, version, "http://127.0.0.1:9650") as {
  readonly methods: readonly { readonly name: string; readonly description?: string }[]
}

/** docs/reference/openrpc.json. */
export function openRpcFile(): string {
  return `${printJson(description, 2)}\n`
}

/** The notes on a method besides its summary. */
const notesOf = (name: string) => description.methods.find((each) => each.name === name)?.description

/** docs/reference/api.md. */
export function apiPage(): string {
  return `# The API

The API is JSON-RPC 2.0 over HTTP POST with \`Content-Type: application/json\`, by default at \`http://127.0.0.1:9650\`. Each service has its own
path. A request without \`id\` is a notification: its response is an empty 200. Errors carry \`data.code\`, listed in [the error reference](errors.md).
With \`--api-dialect avalanchego\` the shapes, texts and codes are exactly those of AvalancheGo.

- **Integers.** Integers of 64 bits are decimal strings in most results. As parameters they may be strings or numbers.
- **Parameters.** Optional parameters have a default. The letter case of names does not matter. A method of AvalancheGo ignores parameters that it
  does not have. An extension, which only Serac has, refuses them with \`rpc.unknown_param\` and suggests the parameter that was probably meant.
- **Times.** Serac's own methods (\`dev.*\`, the methods for explorers) and events answer with times in RFC 3339 in UTC, and their
  parameters take RFC 3339 or Unix seconds. A \`locktime\` is the number of Unix seconds in the transaction. Methods of AvalancheGo write times as
  AvalancheGo does.

[openrpc.json](openrpc.json) is the same description in OpenRPC; a node serves it at \`GET /ext/openrpc.json\` and by \`rpc.discover\` on any path.
Besides JSON-RPC there are \`GET /ext/health\` (and \`/health\`, \`/readiness\`, \`/liveness\` below it) and \`GET /ext/metrics\` for Prometheus.

\`GET /ext/bc/P/events\` is a stream of server-sent events. It sends \`tx\`, \`block\` and \`revert\` as blocks are accepted. The \`id\` of an event is
its place in the chain, \`HEIGHT-BLOCKID\`, and \`Last-Event-ID\` or \`?after=HEIGHT-BLOCKID\` resumes a stream after the last place that was seen;
a height alone is believed. If the chain no longer has that block, the first event is a \`revert\` ([what its clients see when a chain goes
back](../client.md#when-a-chain-goes-back)): \`height\` and \`id\` name the last block in common, and \`blocks\` has the IDs of those that are gone, if
there are at most 1,000. \`?from=HEIGHT\` begins with a
height, and waits for it if the chain does not have it yet (\`platform.getBlockByTime\` finds the height of a time). A WebSocket at the same path sends the same events, each as one message
\`{"event":"block","id":"5-2pjM…","data":{…}}\`, and accepts no messages. Both take the filters \`?kinds=BaseTx,ImportTx\`, \`addresses\`, \`subnets\` and
\`nodes\`. A filtered stream has only the transactions that match all filters, and the blocks with at least one such transaction.
A node with \`--watch-l1 ID,…\` also sends \`l1\` when a validator of such an L1 no longer pays, and when a threshold of its weight is less than seven days
away or lost, with the \`kind\` \`deactivated\`, \`near\` or \`lost\` ([Will an L1 halt?](../l1-health.md)).
A \`block\` carries the prices after it, \`gasPrice\` and \`validatorPrice\`, as \`platform.getFeeHistory\` returns them.

\`npm run docs\` generates this page from the services in \`src/\`, where each method is one file.

${serviceList.map(({ name, summary, paths }) => `- [${name}](#${name}) at \`${paths[0]}\`: ${summary}`).join("\n")}

${serviceList.map(serviceText).join("\n")}`
}

function serviceText({ name, summary, paths, methods }: AnyService): string {
  const aliases =
    paths.length === 1
      ? ""
      : ` Also at ${paths
          .slice(1)
          .map((path) => `\`${path}\``)
          .join(", ")}.`
  return `## ${name}

${summary}. At \`${paths[0]}\`.${aliases}

${methods.map(methodText).join("\n")}`
}

function methodText({ name, summary, nodeSpecific, params, result, examples }: AnyMethod): string {
  const notes = [notesOf(name), nodeSpecific ? "Not available on a public server." : undefined].filter(
    (each) => each !== undefined,
  )
  return `### ${name}

${[summary, ...notes].join("\n\n")}

${paramsText(params.inputSchema)}
Result: ${shapeOf(result.jsonSchema, "")}
${examples.map((example: Example) => exampleText(name, example)).join("")}`
}

function paramsText({ properties, required }: JsonSchema): string {
  const members = Object.entries(properties as Record<string, JsonSchema>)
  if (members.length === 0) return "Takes no parameters.\n"
  const rows = members.map(([member, schema]) => {
    const isRequired = (required as readonly string[]).includes(member)
    const missing = isRequired ? "required" : schema.default === undefined ? "optional" : `\`${printJson(schema.default)}\``
    return `| \`${member}\` | ${cell(paramType(schema))} | ${missing} | ${cell(noteOf(schema))} |`
  })
  return `| parameter | type | default | description |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ")
}

/** Returns the description of a schema, unless it is only the form of an ID or address. */
function noteOf({ description }: JsonSchema): string {
  return typeof description === "string" && !TYPES.includes(description) ? description : ""
}

const TYPES: readonly string[] = ["an ID in cb58", "a node ID, NodeID- and cb58", "an address, P- and bech32"]

/** The form of an ID or address, if a schema has one. */
const formOf = ({ title, description }: JsonSchema): string | undefined =>
  TYPES.find((form) => form === title || form === description)

function paramType(schema: JsonSchema): string {
  const form = formOf(schema)
  if (form !== undefined) return form
  if (Array.isArray(schema.oneOf)) {
    const { maximum } = (schema.oneOf as readonly JsonSchema[]).find(({ type }) => type === "integer") ?? {}
    const constant = (schema.oneOf as readonly JsonSchema[]).find((each) => each.const !== undefined)?.const
    return `integer${maximum === undefined ? "" : ` up to ${maximum}`}${constant === undefined ? "" : ` or "${constant}"`}`
  }
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as readonly JsonSchema[]).map(paramType).join(" or ")
  if (Array.isArray(schema.enum)) return schema.enum.map((each) => `\`${each}\``).join(", ")
  if (schema.type === "array") return `list of ${paramType(schema.items as JsonSchema)}`
  if (schema.type === "object")
    return `object: ${Object.keys((schema.properties ?? {}) as object)
      .map((each) => `\`${each}\``)
      .join(", ")}`
  return String(schema.type ?? "any JSON")
}

/** The shape of a result as a nested list. Its description follows the type, in front of the members. */
function shapeOf(schema: JsonSchema, indent: string): string {
  const note = noteOf(schema)
  const [type, ...members] = typeShapeOf(schema, indent).split("\n")
  const isKeyNote = typeof schema.additionalProperties === "object"
  return [note === "" || isKeyNote ? type : `${type}. ${note}`, ...members].join("\n")
}

function typeShapeOf(schema: JsonSchema, indent: string): string {
  const { properties, required, items, additionalProperties, anyOf } = schema
  if (properties !== undefined && Object.keys(properties as object).length > 0) {
    const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, each]) => {
      const isOptional = !(required as readonly string[] | undefined)?.includes(name)
      return `\n${indent}- \`${name}\`${isOptional ? " (optional)" : ""}: ${shapeOf(each, `${indent}  `)}`
    })
    return `object${members.join("")}`
  }
  if (items !== undefined) return `list of ${shapeOf(items as JsonSchema, indent)}`
  if (typeof additionalProperties === "object")
    return `object ${noteOf(schema)}, each ${shapeOf(additionalProperties as JsonSchema, indent)}`
  if (Array.isArray(anyOf)) {
    const kinds = new Set((anyOf as readonly JsonSchema[]).map((each) => each.title))
    if (kinds.size > 3 && !kinds.has(undefined)) return `one of ${[...kinds].map((each) => `\`${each}\``).join(", ")}`
    // The shortest first: what follows a nested list would seem to belong to its last member.
    const shapes = (anyOf as readonly JsonSchema[]).map((each) => shapeOf(each, indent))
    return shapes.sort((a, b) => a.length - b.length).join(", or ")
  }
  return scalarShape(schema)
}

function scalarShape(schema: JsonSchema): string {
  const { type, enum: names, pattern, format, const: constant } = schema
  const form = formOf(schema)
  if (constant !== undefined) return printJson(constant)
  if (form !== undefined) return form
  if (Array.isArray(names)) return names.map((each) => `\`${each}\``).join(", ")
  if (pattern === "^[0-9]+$" || pattern === SMALL_TEXT) return "decimal string"
  if (typeof pattern === "string" && pattern.startsWith("^0x")) return "`0x` hex"
  if (typeof pattern === "string" && pattern.includes("{4}")) return "percentage with four decimals, as a string"
  if (format === "date-time") return "time, RFC 3339"
  if (type === "object") return "object without members"
  return String(type ?? "JSON")
}

function exampleText(name: string, { title, params, result }: Example): string {
  const call = printJson({ jsonrpc: "2.0", id: 1, method: name, params: params as Json })
  return `\n${title === undefined ? "" : `${title}:\n\n`}\`\`\`json\n${call}\n\`\`\`\n\n\`\`\`json\n${printJson(result, 2)}\n\`\`\`\n`
}
