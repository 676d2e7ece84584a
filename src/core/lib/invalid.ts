import { withUnit } from "./dataUnits.js"
import type { Json } from "./json.js"
import { jsonOf } from "./json.js"

/** The texts of a refusal. */
export interface Refusal {
  readonly sentence: string
  /** AvalancheGo's message for the same refusal, or a function that makes it from the data; by default `reference` in the data. */
  readonly avalanchegoMessage?: string | ((data: RefusalData) => string)
}

/** A property of this node that a refusal depends on besides the input: its clock, or the last block that it has accepted. */
export type NodeDependency = "clock" | "height"

/** The data of a refusal: the value that was given, the one that was expected, an ID, a path. */
export type RefusalData = Readonly<Record<string, unknown>>

/**
 * Thrown if an input breaks a rule, and turned into an answer at the edge. Its `message` is the sentence followed by the data: `the staking
 * period is too short (duration: 1 minute, minimum: 1 day)`, so that a failed test shows the reason.
 */
export class Invalid extends Error {
  override readonly name = "Invalid"
  readonly code: string
  readonly data: RefusalData
  // Private, so that `console.log` shows the code and the data only; the message says the rest.
  readonly #refusal: Refusal
  readonly #steps: string
  readonly #dependsOn: NodeDependency | undefined

  constructor(code: string, refusal: Refusal, data: RefusalData, steps = "", dependsOn?: NodeDependency) {
    super(withData(code, refusal.sentence, data))
    this.code = code
    this.data = data
    this.#refusal = refusal
    this.#steps = steps
    this.#dependsOn = dependsOn
  }

  /** The sentence without data. */
  get sentence(): string {
    return this.#refusal.sentence
  }

  /** The steps that AvalancheGo puts before its message, outermost first: `flow check failed: `. */
  get steps(): string {
    return this.#steps
  }

  /** The property of this node because of which the input was refused. With another clock, or after another block, it may be valid. */
  get dependsOn(): NodeDependency | undefined {
    return this.#dependsOn
  }

  /** Returns the same refusal with a step before the others. */
  withStep(step: string): Invalid {
    return new Invalid(this.code, this.#refusal, this.data, step + this.steps, this.dependsOn)
  }

  /** Returns the same refusal with more data. */
  withData(more: RefusalData): Invalid {
    return new Invalid(this.code, this.#refusal, { ...this.data, ...more }, this.steps, this.dependsOn)
  }

  /** Returns the same refusal as one that depends on this node, as the refusal that it reports may do. */
  dependingOn(dependency: NodeDependency | undefined): Invalid {
    return new Invalid(this.code, this.#refusal, this.data, this.steps, dependency)
  }

  /** What test runners and logs print: without the parts from which the message is made. */
  toJSON(): { readonly [name: string]: unknown } {
    const { name, code, message, data, stack } = this
    return { name, code, message, data, stack }
  }

  /** AvalancheGo's message for this refusal; the sentence if AvalancheGo has none. */
  get avalanchegoMessage(): string {
    const { avalanchegoMessage, sentence } = this.#refusal
    if (typeof avalanchegoMessage === "function") return avalanchegoMessage(this.data)
    return String(avalanchegoMessage ?? this.data.reference ?? sentence)
  }
}

/** Returns the result of an action, or the refusal that it throws. Other errors are thrown. */
export function valueOrInvalid<T>(action: () => T): T | Invalid {
  try {
    return action()
  } catch (error) {
    if (error instanceof Invalid) return error
    throw error
  }
}

/** Returns the result of an action; `undefined` if it throws a refusal. Other errors are thrown. */
export function valueOrUndefined<T>(action: () => T): T | undefined {
  const value = valueOrInvalid(action)
  return value instanceof Invalid ? undefined : value
}

const MAX_VALUE_LENGTH = 200

/** Members of `data` with AvalancheGo's text, or a part of it. They repeat the sentence, so no answer shows them. */
const FOR_REFERENCE: readonly string[] = ["reference", "reading"]

/** Returns the data of a refusal as JSON. Members without a value are omitted. */
export function shownData(data: RefusalData): { readonly [name: string]: Json } {
  const shown: Record<string, Json> = {}
  for (const [name, value] of Object.entries(data)) {
    if (!FOR_REFERENCE.includes(name) && value !== undefined && value !== "") shown[name] = cut(jsonOf(value))
  }
  return shown
}

/**
 * The maximum length of a text that a refusal repeats, in characters. Callers send texts of a MiB, and JSON may need six bytes for a
 * character.
 */
const MAX_TEXT_LENGTH = 1024

function cut(value: Json): Json {
  if (typeof value === "string") return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each)]))
}

/** Returns the sentence of a refusal with its data: `the staking period is too short (duration: 1 minute, minimum: 1 day)`. */
export function withData(code: string, sentence: string, data: RefusalData): string {
  const shown = Object.entries(shownData(data))
  const parts = shown.map(([name, value]) => `${name}: ${withUnit(code, name, data) ?? shownValue(value)}`)
  return parts.length === 0 ? sentence : `${sentence} (${parts.join(", ")})`
}

function shownValue(value: Json): string {
  if (typeof value === "bigint") return value.toString()
  const text =
    typeof value === "string" ? value : JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each))
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

/** Returns the result of an action. If it throws a refusal, the error that `refuse` makes of it is thrown instead. */
export function valueOrThrow<T>(action: () => T, refuse: (refusal: Invalid) => Error): T {
  const value = valueOrInvalid(action)
  if (value instanceof Invalid) throw refuse(value)
  return value
}

/** Runs a function, and adds a step of AvalancheGo to the refusal that it throws, if any. */
export function withStep<T>(step: string, action: () => T): T {
  return valueOrThrow(action, (refusal) => refusal.withStep(step))
}

/** A list of refusals: code → sentence. Called with a code it makes the error. */
export interface Refusals<Code extends string> {
  (code: Code, data?: RefusalData): Invalid
  readonly list: Readonly<Record<Code, Refusal>>
}

/**
 * Declares the refusals of one folder. Codes have the form `<folder>.<what_is_wrong>`. They are never renamed or reused, because users'
 * scripts contain them.
 */
export function refusals<const Code extends string>(list: Record<Code, string | Refusal>): Refusals<Code> {
  const full = {} as Record<Code, Refusal>
  for (const code of Object.keys(list) as Code[]) {
    const entry = list[code] as string | Refusal
    full[code] = typeof entry === "string" ? { sentence: entry } : entry
  }
  const make = (code: Code, data: RefusalData = {}) => new Invalid(code, full[code], data)
  return Object.assign(make, { list: full })
}
