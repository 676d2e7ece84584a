// Writes the types of all methods with the sentences of the API's documentation as comments, as an editor shows them.
import { mkdtempSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"

/** Members whose schema says less than their type: the JSON of transactions, blocks and UTXOs. */
const SPECIAL = {
  "platform.getTx.tx": "TxJson",
  "platform.getBlock.block": "BlockJson",
  "platform.getBlockByHeight.block": "BlockJson",
  "dev.simulateTx.consumed": "readonly UtxoJson[]",
  "dev.simulateTx.produced": "readonly UtxoJson[]",
}

/** Returns the text of the declarations that replace those of src/client/methodTypes.ts. */
export async function methodTypes() {
  const services = await loadServices()
  const methods = services.flatMap((service) => service.methods)
  return `import type { Answer } from "../jsonrpc/answer.js"
import type { AnswerIn, ArgsOf } from "../jsonrpc/client.js"
import type { BlockJson as WrittenBlock } from "../core/blocks/block.js"
import type { JsonOf } from "../core/codec/schema.js"
import type { Json } from "../core/lib/json.js"
import type { TxJson as WrittenTx } from "../core/txs/tx.js"
import type { utxo } from "../core/types/utxo.js"

type TxJson = Answer<WrittenTx>
type BlockJson = Answer<WrittenBlock>
type UtxoJson = Answer<JsonOf<typeof utxo>>

/** The types of all methods by their names. */
export interface Methods {
${methods.map((method) => `${comment(sentencesOf(method), "  ")}  readonly "${method.name}": ${typesOf(method)}\n`).join("")}}

${services.map(callsOf).join("")}
/** The methods of each service as functions. */
export interface Calls {
${services.map(({ name }) => `  readonly ${name}: ${interfaceOf(name)}\n`).join("")}}
`
}

/** Bundles the list of services and loads it. The bundle is inside the project, so that packages are found. */
async function loadServices() {
  const folder = mkdtempSync(resolve(".serac/services-"))
  try {
    const outfile = join(folder, "services.mjs")
    const loader = { ".br": "binary" }
    const common = {
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20.19",
      packages: "external",
      logLevel: "warning",
    }
    await build({ ...common, loader, entryPoints: ["src/client/services.ts"], outfile })
    return (await import(pathToFileURL(outfile))).serviceList
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const sentencesOf = ({ summary, deprecated }) => [summary, ...(deprecated === undefined ? [] : [`@deprecated ${deprecated}`])]

function typesOf({ name, params, result }) {
  const answer = typeOf(result.jsonSchema, { isAnswer: true, path: name, indent: "    ", form: "text" })
  const json = typeOf(result.jsonSchema, { isAnswer: true, path: name, indent: "    ", form: "json" })
  const given = typeOf(params.inputSchema, { isAnswer: false, path: "", indent: "    " })
  const jsonMember = json === answer ? "" : `    readonly json: ${json}\n`
  return `{\n    readonly params: ${given}\n    readonly answer: ${answer}\n${jsonMember}  }`
}

function callsOf({ name: service, summary, methods }) {
  const functions = methods.map((method) => {
    const types = `Methods["${method.name}"]`
    const hasForms = typesOf(method).includes("    readonly json: ")
    const isOptional = (method.params.inputSchema.required ?? []).length === 0
    const signature = hasForms
      ? `<const E extends string = "hex">(...params: ArgsOf<${types}, E>): Promise<AnswerIn<${types}, E>>`
      : `(params${isOptional ? "?" : ""}: ${types}["params"]): Promise<${types}["answer"]>`
    return `${comment(sentencesOf(method), "  ")}  ${method.name.slice(service.length + 1)}${signature}\n`
  })
  return `${comment([`${summary}.`], "")}export interface ${interfaceOf(service)} {\n${functions.join("")}}\n\n`
}

const interfaceOf = (service) => `${service[0].toUpperCase()}${service.slice(1)}Calls`

/** Returns the type of a value of a schema: as a caller gives it, or as the library answers. */
function typeOf(schema, at) {
  const special = at.isAnswer ? SPECIAL[at.path] : undefined
  const { type, properties, items, additionalProperties, pattern, format, maximum } = schema
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unionOf(special ? choices.map((each) => (each.type === "object" ? special : each)) : choices, at)
  if (special) return special
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ")
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(type))
    return unionOf(
      type.map((each) => ({ type: each })),
      at,
    )
  if (properties) return objectOf(schema, at)
  if (typeof additionalProperties === "object") return `{ readonly [name: string]: ${typeOf(additionalProperties, at)} }`
  if (type === "array") return `readonly ${inBrackets(typeOf(items, at))}[]`
  if (type === "object") return at.isAnswer ? "{ readonly [name: string]: Json }" : "{ readonly [name: string]: unknown }"
  if (type === "boolean" || type === "null") return type
  if (type === "string") return at.isAnswer ? integerText(pattern) : "string"
  if (type === "integer" && at.isAnswer) return format === "uint64" || maximum > Number.MAX_SAFE_INTEGER ? "bigint" : "number"
  if (type === "integer") return maximum > Number.MAX_SAFE_INTEGER ? "number | bigint" : "number"
  return type === "number" ? (at.isAnswer ? "number" : "number | bigint") : "Json"
}

/** 64-bit integers that are written as text are bigints in the library, and smaller ones are numbers. */
function integerText(pattern) {
  if (pattern === "^[0-9]+$" || pattern === "^-?[0-9]+$") return "bigint"
  return pattern === "^[0-9]{1,10}$" ? "number" : "string"
}

const inBrackets = (text) => (/^[\w"]+$|^\{[\s\S]*\}$/.test(text) && !text.includes("} | {") ? text : `(${text})`)

/** A union. An answer that is text or an object, depending on the encoding, has one of the two forms. */
function unionOf(choices, at) {
  const isText = (each) => each.type === "string"
  const isObject = (each) => typeof each === "string" || each.type === "object"
  const isEither = at.isAnswer && choices.some(isText) && choices.some(isObject)
  const chosen = isEither ? choices.filter((each) => (at.form === "json" ? isObject(each) : isText(each))) : choices
  // A member that another of the objects has is absent, so that programs can ask for it.
  const names = new Set(chosen.flatMap((each) => Object.keys(each.properties ?? {})))
  const texts = chosen.map((each) =>
    typeof each === "string" ? each : typeOf(each, { ...at, path: "", ...(each.properties && at.isAnswer ? { names } : {}) }),
  )
  return [...new Set(texts.flatMap((text) => (text.startsWith("{") ? [text] : text.split(" | "))))].join(" | ")
}

function objectOf({ properties, required = [] }, { names, ...at }) {
  const indent = `${at.indent}  `
  const members = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name)
    const type = typeOf(schema, { ...at, indent, path: `${at.path}.${name}` })
    const rest = !isOptional ? "" : at.isAnswer ? " | undefined" : " | null | undefined"
    return `${comment(notesOf(schema), indent)}${indent}readonly ${name}${isOptional ? "?" : ""}: ${type}${rest}\n`
  })
  const absent = [...(names ?? [])]
    .filter((name) => !(name in properties))
    .map((name) => `${indent}readonly ${name}?: undefined\n`)
  return members.length + absent.length === 0
    ? "Readonly<Record<string, never>>"
    : `{\n${members.join("")}${absent.join("")}${at.indent}}`
}

/** The sentence about a member, its form, and its default. */
function notesOf({ title, description, default: value }) {
  const form = title === undefined || /^[A-Z]/.test(title) ? title : `It is ${title}.`
  const sentence =
    description && /^[a-z]/.test(description) ? `${description[0].toUpperCase()}${description.slice(1)}.` : description
  const missing =
    value === undefined || String(description).includes("default") ? undefined : `The default is ${JSON.stringify(value)}.`
  return [sentence, form, missing].filter((each) => each !== undefined)
}

function comment(sentences, indent) {
  if (sentences.length === 0) return ""
  const [first, ...others] = sentences.map((each) => each.replaceAll("*/", "* /"))
  const tags = others.filter((each) => each.startsWith("@"))
  const text = [first, ...others.filter((each) => !each.startsWith("@"))].join(" ")
  if (tags.length === 0) return `${indent}/** ${text} */\n`
  return `${indent}/**\n${[text, ...tags].map((each) => `${indent} * ${each}\n`).join("")}${indent} */\n`
}
