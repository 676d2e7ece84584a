import { type AnyParam, badParam, type ParseContext } from "./param.js"

/**
 * A JSON string with escapes, in AvalancheGo's dialect. AvalancheGo's own types (IDs, numbers, encodings) read the raw text between the
 * quotes, and refuse it.
 */
export class EscapedText {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

/** An object of JSON text: its members in their order, including duplicates. */
export class JsonMembers {
  readonly entries: [string, unknown][]

  constructor(entries: [string, unknown][]) {
    this.entries = entries
  }
}

/** Returns the members of an object in their order. Throws `rpc.bad_param` if the value is not an object. */
export function entriesOf(json: unknown, path: string | undefined): readonly (readonly [string, unknown])[] {
  if (json instanceof JsonMembers) return json.entries
  if (typeof json !== "object" || json === null || Array.isArray(json) || json instanceof EscapedText) {
    throw badParam(path, "an object")
  }
  return Object.entries(json)
}

/**
 * Joins a member with an earlier one of the same name, as Go does. Go reads all of them in order, so it refuses a bad one even if a good
 * one follows, and merges objects.
 */
export function joined(param: AnyParam, before: unknown, value: unknown, as: ParseContext, path: string): unknown {
  if (value === null) return param.nullEmpties ? undefined : before
  if (before === undefined) return value
  if (before instanceof JsonMembers && value instanceof JsonMembers) {
    for (const entry of value.entries) before.entries.push(entry)
    return before
  }
  param.fromJson(before, as, path)
  return value
}
