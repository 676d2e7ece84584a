import { type Json, printJson } from "../../src/core/lib/json.js"
import type { AnyMethod } from "../../src/jsonrpc/method.js"
import type { Random } from "../fuzz/random.js"

const ID = "11111111111111111111111111111111LpoYY"

/** Texts that are JSON or almost JSON, with the traps for careless parsers. */
const ODD_TEXTS: readonly string[] = [
  "null",
  "true",
  "-0",
  "1.0",
  "1e3",
  "1e400",
  "-1",
  "18446744073709551615",
  "18446744073709551616",
  "9".repeat(5000),
  `0.${"1".repeat(5000)}`,
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"proposed"',
  '"🦀"',
  `"${ID}"`,
  `"${"1".repeat(3000)}"`,
  `"0x${"00".repeat(3000)}"`,
  '"0x"',
  '"P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"',
  "[]",
  "[null]",
  "{}",
  '{"__proto__":{"x":1},"constructor":5,"toString":null}',
  "[".repeat(300) + "]".repeat(300),
  "[".repeat(9000) + "]".repeat(9000),
  `${'{"a":'.repeat(600)}1${"}".repeat(600)}`,
  `[${new Array(1500).fill('"x"').join(",")}]`,
  "nul",
  "[1,",
  '{"a"',
  '"\\x"',
  "'a'",
  "NaN",
  "",
]

/** A value for a parameter of this schema: mostly valid, sometimes unusual. */
function valueFor(schema: Record<string, Json>, random: Random): string {
  if (random.below(3) === 0) return random.pick(ODD_TEXTS)
  if (schema.default !== undefined && random.below(2) === 0) return printJson(schema.default)
  if (Array.isArray(schema.enum)) return JSON.stringify(random.pick(schema.enum))
  if (schema.type === "array") {
    const items = Array.from({ length: random.below(4) }, () => valueFor((schema.items ?? {}) as Record<string, Json>, random))
    return `[${items.join(",")}]`
  }
  if (schema.type === "object") return objectFor(schema, random)
  if (schema.type === "boolean") return random.pick(["true", "false"])
  if (schema.type === "string") {
    return random.pick([
      `"${ID}"`,
      '"P"',
      '"hex"',
      '"P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"',
      '"0x00"',
      '"NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"',
    ])
  }
  return random.pick(["0", "1", '"5"', "1024"])
}

function objectFor(schema: Record<string, Json>, random: Random): string {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Record<string, Json>>)
  const given = members
    .filter(() => random.below(4) > 0)
    .map(([name, each]) => `${keyFor(name, random)}:${valueFor(each, random)}`)
  return `{${given.join(",")}}`
}

function keyFor(name: string, random: Random): string {
  return JSON.stringify(random.below(10) === 0 ? name.toUpperCase() : name)
}

/** The body of a call of this method, with something wrong at some level. */
export function mutatedBody(method: AnyMethod, random: Random): string {
  const params =
    random.below(8) === 0 ? random.pick(ODD_TEXTS) : objectFor(method.params.inputSchema as Record<string, Json>, random)
  const name = random.below(20) === 0 ? random.pick(ODD_TEXTS) : JSON.stringify(method.name)
  const id = random.below(10) === 0 ? random.pick(ODD_TEXTS) : String(random.below(1000))
  const version = random.below(30) === 0 ? random.pick(ODD_TEXTS) : '"2.0"'
  const wrapped = random.below(10) === 0 ? `[${params}]` : params
  const call = `{"jsonrpc":${version},"method":${name},"params":${wrapped},"id":${id}}`
  return random.below(20) === 0 ? `[${new Array(random.below(120)).fill(call).join(",")}]` : call
}
