import { Invalid } from "../lib/invalid.js"
import { type Json, type ParseOptions, parseFirstJson } from "../lib/json.js"
import { type Asked, badParam, type Members, type ObjectParam, type ObjectValue } from "./schema.js"

const options: ParseOptions = {
  // Integers in plain digits are bigints, so that they can be told from 1.0 and 1e3.
  number: (text) => (/^\d+$/.test(text) ? BigInt(text) : Number(text)),
  // Of doubled members the last counts, in its own place: a name may be doubled in another letter case.
  object(entries) {
    const members: Record<string, Json> = {}
    for (const [key, value] of entries) {
      if (key === "__proto__") continue
      if (Object.hasOwn(members, key)) delete members[key]
      members[key] = value
    }
    return members
  },
}

/**
 * The parameters of a call from their JSON text: missing, an object, or a list whose first item is that object and whose others are
 * ignored. Throws `rpc.bad_param` or `rpc.missing_param`.
 */
export function readParams<M extends Members>(text: string | undefined, param: ObjectParam<M>, as: Asked): ObjectValue<M> {
  if (text === undefined) return param.fromJson({}, as)
  const json = parsed(text)
  const given = (Array.isArray(json) ? json[0] : json) ?? {}
  return param.fromJson(given, as)
}

function parsed(text: string): Json {
  try {
    return parseFirstJson(text, options).value
  } catch (error) {
    if (error instanceof Invalid) throw badParam(undefined, "parameters that are not nested so deeply", error.message)
    throw error
  }
}
