import { Invalid } from "../core/lib/invalid.js"

/** A request to another thread or process. The answer repeats its number. */
export interface Request<Question> {
  readonly kind: "request"
  readonly id: number
  readonly question: Question
}

/** A message about a request: a note while it is worked on, and then its result, a refusal, or a fault. */
export type Answer =
  | { readonly kind: "note"; readonly id: number; readonly note: unknown }
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly refusal: RefusalMessage }
  | { readonly kind: "fault"; readonly id: number; readonly fault: unknown }

/** An `Invalid` between threads and processes, which copy the members of an error but not its class. */
type RefusalMessage = Pick<Invalid, "code" | "sentence" | "avalanchegoMessage" | "data" | "steps" | "dependsOn">

/** Answers a request with the result of an action, or with the error that it throws. */
export async function answerTo(id: number, action: () => unknown): Promise<Answer> {
  try {
    return { kind: "result", id, result: await action() }
  } catch (error) {
    if (!(error instanceof Invalid)) return { kind: "fault", id, fault: error }
    const { code, sentence, avalanchegoMessage, data, steps, dependsOn } = error
    return { kind: "refusal", id, refusal: { code, sentence, avalanchegoMessage, data, steps, dependsOn } }
  }
}

interface PendingRequest {
  resolve(result: unknown): void
  reject(error: unknown): void
  onNote(note: unknown): void
}

/** The requests to another thread or process that wait for their answers. */
export class Requests {
  readonly #pending = new Map<number, PendingRequest>()
  #next = 0
  #ended: Error | undefined

  get size(): number {
    return this.#pending.size
  }

  /** Makes a request and passes it to `post`. Rejects with the `Invalid` or the fault of the other side. */
  send<Question, Result>(
    question: Question,
    post: (request: Request<Question>) => void,
    onNote: (note: unknown) => void = () => {},
  ): Promise<Result> {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = this.#next++
    return new Promise<Result>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (result: unknown) => void, reject, onNote })
      post({ kind: "request", id, question })
    })
  }

  received(answer: Answer): void {
    const pending = this.#pending.get(answer.id)
    if (answer.kind !== "note") this.#pending.delete(answer.id)
    if (answer.kind === "note") pending?.onNote(answer.note)
    else if (answer.kind === "result") pending?.resolve(answer.result)
    else if (answer.kind === "fault") pending?.reject(answer.fault)
    else {
      const { code, data, steps, dependsOn } = answer.refusal
      pending?.reject(new Invalid(code, answer.refusal, data, steps, dependsOn))
    }
  }

  /** Rejects the requests that wait and all later ones, because the other side has ended. */
  end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#pending.values()) reject(this.#ended)
    this.#pending.clear()
  }
}
