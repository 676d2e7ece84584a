/** What a refusal says: our sentence, and the reference's own words where users compare them. */
export interface Refusal {
  readonly says: string
  /** AvalancheGo's text for the same refusal, made from the data. */
  readonly reference?: string | ((data: RefusalData) => string)
}

/** What a reader needs to see the rule broken: got and expected, the ID, the path. */
export type RefusalData = Readonly<Record<string, unknown>>

/** Somebody else's input breaks a rule. Thrown at the rule, turned into an answer at the edge. */
export class Invalid extends Error {
  override readonly name = "Invalid"
  readonly code: string
  readonly data: RefusalData
  readonly #refusal: Refusal

  constructor(code: string, refusal: Refusal, data: RefusalData) {
    super(refusal.says)
    this.code = code
    this.data = data
    this.#refusal = refusal
  }

  /** The refusal in AvalancheGo's own words; our sentence where it has none. */
  get reference(): string {
    const { reference, says } = this.#refusal
    return typeof reference === "function" ? reference(this.data) : (reference ?? says)
  }
}

/** A list of refusals: code → sentence. Called with a code it makes the error to throw. */
export interface Refusals<Code extends string> {
  (code: Code, data?: RefusalData): Invalid
  readonly list: Readonly<Record<Code, Refusal>>
}

/**
 * Declares the refusals of one folder. Codes read `<folder>.<what_is_wrong>`; they are never renamed or reused,
 * since people's scripts know them.
 */
export function refusals<const Code extends string>(list: Record<Code, string | Refusal>): Refusals<Code> {
  const full = {} as Record<Code, Refusal>
  for (const code of Object.keys(list) as Code[]) {
    const entry = list[code] as string | Refusal
    full[code] = typeof entry === "string" ? { says: entry } : entry
  }
  const make = (code: Code, data: RefusalData = {}) => new Invalid(code, full[code], data)
  return Object.assign(make, { list: full })
}
