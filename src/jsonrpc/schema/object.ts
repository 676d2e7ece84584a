import { inside, type JsonSchema, type JsonWriter, jsonMember } from "../../core/codec/schema.js"
import { foldedName } from "../../core/lib/go/goText.js"
import { rpcError } from "../errors.js"
import { entriesOf, joined } from "./jsonMembers.js"
import {
  type AnyParam,
  inputSchemaOf,
  type Members,
  type ObjectJson,
  type ObjectParam,
  type ObjectValue,
  type Outputs,
  type ParseContext,
  unknownParam,
} from "./param.js"

/** A member of the object: a parameter, or a schema that only writes. */
type Member = AnyParam & { readonly isOptional?: boolean }

/**
 * An object with these members. As a parameter it matches names in any letter case, uses the last of duplicate members, ignores or
 * refuses unknown members, and treats null as missing; a missing member that is required is refused by name in the `contract` dialect and zero in
 * AvalancheGo's. As a result it writes members in this order and omits those that are `undefined`.
 */
export function object<const M extends Members>(members: M): ObjectParam<M>
export function object<const M extends Outputs>(members: M): JsonWriter<ObjectValue<M>, ObjectJson<M>>
export function object(members: Members): ObjectParam<Members> {
  const entries: readonly [string, Member][] = Object.entries(members)
  const byFolded = new Map(entries.map(([name]) => [foldedName(name), name]))
  const nameOf = (key: string) => (Object.hasOwn(members, key) ? key : byFolded.get(foldedName(key)))
  const fromJson = (json: unknown, as: ParseContext, path?: string) => {
    const given = givenMembers(json, as, path, members, nameOf)
    const value: Record<string, unknown> = {}
    for (const [name, member] of entries) value[name] = readMember(member, given.get(name), as, inside(path, name))
    return value
  }
  const written = entries.map(([name, member]) => ({ ...jsonMember(name, member), isOptional: member.isOptional === true }))
  return {
    members,
    knows: (name) => nameOf(name) !== undefined,
    jsonSchema: schemaOf(entries, ({ jsonSchema }) => jsonSchema),
    ...(entries.some(([, { wholeSchema }]) => wholeSchema)
      ? { wholeSchema: schemaOf(entries, ({ jsonSchema, wholeSchema }) => wholeSchema ?? jsonSchema) }
      : {}),
    inputSchema: schemaOf(entries, inputSchemaOf),
    get zero() {
      return fromJson({}, { dialect: "avalanchego" })
    },
    fromJson,
    writeJson: (sink, value, as) => sink.object(written, value, as),
  }
}

/** The parameters of a method without parameters, which accept any object; and an empty result. */
export const nothing = object({})

/** Returns the members of a JSON object by their declared names. Duplicates are joined as Go joins them. */
function givenMembers(
  json: unknown,
  as: ParseContext,
  path: string | undefined,
  members: Members,
  nameOf: (key: string) => string | undefined,
): ReadonlyMap<string, unknown> {
  const given = new Map<string, unknown>()
  for (const [key, value] of entriesOf(json, path)) {
    const name = nameOf(key)
    if (name === undefined) {
      if (as.unknownMembers === "refused") throw unknownParam(inside(path, key), key, Object.keys(members))
      continue
    }
    given.set(name, joined(members[name] as AnyParam, given.get(name), value, as, inside(path, name)))
  }
  return given
}

function readMember(member: Member, json: unknown, as: ParseContext, path: string): unknown {
  const { whenMissing, emptyIsMissing } = member
  const isEmpty = json === "" && emptyIsMissing && whenMissing && as.dialect !== "avalanchego"
  if (json !== undefined && !isEmpty) return member.fromJson(json, as, path)
  if (whenMissing) return whenMissing.value
  if (as.dialect === "avalanchego") return member.zero
  throw rpcError("rpc.missing_param", { param: path })
}

function schemaOf(entries: readonly [string, Member][], ofMember: (member: Member) => JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, member]) => [name, ofMember(member)])),
    required: entries.flatMap(([name, { whenMissing }]) => (whenMissing ? [] : [name])),
  }
}
