import { inside, type JsonSchema } from "../../core/codec/schema.js"
import { foldedName, wellFormed } from "../../core/lib/goText.js"
import { Invalid } from "../../core/lib/invalid.js"
import { rpcError } from "../errors.js"
import { EscapedText, entriesOf, joined } from "./jsonMembers.js"
import {
  type AnyParam,
  type Asked,
  badParam,
  type Members,
  type ObjectParam,
  type ObjectValue,
  type Optional,
  type Param,
} from "./param.js"

/** A parameter written as one JSON text and read by `parse`, whose refusal becomes the reason. */
export function textParam<T>(
  jsonSchema: JsonSchema,
  zero: T,
  expected: string,
  parse: (text: string) => T,
  spell: (value: T) => string,
) {
  const param: Param<T, string> = {
    jsonSchema,
    zero,
    toJson: spell,
    fromJson(json, _as, path) {
      if (typeof json !== "string") throw badParam(path, expected)
      try {
        return parse(json)
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        throw badParam(path, expected, error.sentence)
      }
    },
  }
  return param
}

/** Any text; addresses too, since what is wrong with one is the method's to say. */
export const string: Param<string, string> = {
  jsonSchema: { type: "string" },
  zero: "",
  toJson: (value) => value,
  fromJson(json, _as, path) {
    const text = json instanceof EscapedText ? json.value : json
    if (typeof text !== "string") throw badParam(path, "a text")
    return wellFormed(text)
  },
}

export const bool: Param<boolean, boolean> = {
  jsonSchema: { type: "boolean" },
  zero: false,
  toJson: (value) => value,
  fromJson(json, _as, path) {
    if (typeof json !== "boolean") throw badParam(path, "true or false")
    return json
  },
}

/** One of a few texts, in this very spelling. */
export function oneOf<const T extends string>(...names: readonly T[]): Param<T, T> {
  return {
    jsonSchema: { type: "string", enum: names },
    zero: names[0] as T,
    toJson: (value) => value,
    fromJson(json, _as, path) {
      if (!names.includes(json as T)) throw badParam(path, `one of ${names.join(", ")}`)
      return json as T
    },
  }
}

/** The first of these that takes it. */
export function either<A, IA, B, IB>(a: Param<A, IA>, b: Param<B, IB>, expected: string): Param<A | B, IA | IB> {
  const first = a as Param<A | B, IA>
  return {
    jsonSchema: { anyOf: [a.jsonSchema, b.jsonSchema] },
    zero: a.zero,
    toJson: (value, as) => first.toJson(value, as),
    fromJson(json, as, path) {
      for (const each of [a, b]) {
        try {
          return each.fromJson(json, as, path)
        } catch (error) {
          if (!(error instanceof Invalid)) throw error
        }
      }
      throw badParam(path, expected)
    },
  }
}

/** The most items of a list: each takes some microseconds to read, and a body holds twenty thousand of them. */
const MAX_ITEMS = 4096

/** A list; a bare value is refused, and so are more than 4,096 items. */
export function list<T, I>(item: Param<T, I>): Param<readonly T[], readonly I[]> {
  return {
    jsonSchema: { type: "array", items: item.jsonSchema, maxItems: MAX_ITEMS },
    zero: [],
    nullEmpties: true,
    toJson: (value, as) => value.map((each) => item.toJson(each, as)),
    fromJson(json, as, path) {
      if (!Array.isArray(json)) throw badParam(path, "a list")
      if (json.length > MAX_ITEMS) throw badParam(path, `a list of at most ${MAX_ITEMS} items`)
      return json.map((each, i) => {
        if (each === null && as.dialect === "avalanchego") return item.zero
        return item.fromJson(each, as, inside(path, i))
      })
    },
  }
}

/** `undefined` where it is left out or null. */
export function optional<T, I>(param: Param<T, I>): Optional<T | undefined, I> {
  return { ...(param as Param<T | undefined, I>), whenMissing: { value: undefined } }
}

/** This value where it is left out or null. */
export function withDefault<T, I>(param: Param<T, I>, value: T): Optional<T, I> {
  return { ...param, jsonSchema: { ...param.jsonSchema, default: param.toJson(value, {}) }, whenMissing: { value } }
}

/** The same parameter with a sentence about it. */
export function described<P extends AnyParam>(param: P, description: string): P {
  return { ...param, jsonSchema: { ...param.jsonSchema, description } }
}

/**
 * An object of these members. Names match in any letter case, of doubled ones the last counts, unknown ones are ignored, null is
 * missing. A member that may not be left out is refused by name in the `contract` dialect and zero in AvalancheGo's.
 */
export function object<M extends Members>(members: M): ObjectParam<M> {
  const names = Object.keys(members)
  const byFolded = new Map(names.map((name) => [foldedName(name), name]))
  const nameOf = (key: string) => (Object.hasOwn(members, key) ? key : byFolded.get(foldedName(key)))
  const missing = (name: string, as: Asked, path: string | undefined) => {
    const param = members[name] as AnyParam
    if (param.whenMissing) return param.whenMissing.value
    if (as.dialect === "avalanchego") return param.zero
    throw rpcError("rpc.missing_param", { param: inside(path, name) })
  }
  const fromJson = (json: unknown, as: Asked, path?: string) => {
    const given = new Map<string, unknown>()
    for (const [key, value] of entriesOf(json, path)) {
      const name = nameOf(key)
      if (name === undefined) continue
      given.set(name, joined(members[name] as AnyParam, given.get(name), value, as, inside(path, name)))
    }
    const out: Record<string, unknown> = {}
    for (const name of names) {
      const param = members[name] as AnyParam
      const value = given.get(name)
      const isMissing =
        value === undefined || (value === "" && param.emptyIsMissing && param.whenMissing && as.dialect !== "avalanchego")
      out[name] = isMissing ? missing(name, as, path) : param.fromJson(value, as, inside(path, name))
    }
    return out as ObjectValue<M>
  }
  return {
    members,
    knows: (name) => nameOf(name) !== undefined,
    jsonSchema: {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, (members[name] as AnyParam).jsonSchema])),
      required: names.filter((name) => !(members[name] as AnyParam).whenMissing),
    },
    get zero() {
      return fromJson({}, { dialect: "avalanchego" })
    },
    fromJson,
    toJson: (value, as) =>
      Object.fromEntries(names.map((name) => [name, (members[name] as AnyParam).toJson(value[name as keyof M], as)])),
  }
}

/** The parameters of a method that has none; whatever object is given is ignored. */
export const nothing = object({})
