import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parentPort, Worker } from "node:worker_threads"
import { type Answer, answerTo, type Request, Requests } from "./requests.js"

/** The programs of worker threads, as `scripts/build.mjs` names them. */
export type WorkerName = "checkWorker" | "proofWorker" | "signatureWorker"

/** Finds the program of a worker, relative to a bundle in dist/ and to one of its chunks; `undefined` if unbundled sources run. */
export function workerProgram(name: WorkerName): string | undefined {
  const places = [`./${name}.js`, `../${name}.js`].map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return places.find((path) => existsSync(path))
}

/** A worker thread that answers requests. It keeps the process alive only while it works on one. */
export class Thread<Question, Result, Note = never> {
  readonly #worker: Worker
  readonly #requests = new Requests()

  constructor(program: string) {
    this.#worker = new Worker(program)
    this.#worker.on("message", (answer: Answer) => {
      this.#requests.received(answer)
      if (this.#requests.size === 0) this.#worker.unref()
    })
    this.#worker.on("error", (error: Error) => this.#requests.end(error))
    this.#worker.on("exit", (code) => this.#requests.end(new Error(`the thread ended with exit code ${code}`)))
    this.#worker.unref()
  }

  /** Sends a request. Rejects with what the program throws, or if the thread ends. */
  request(question: Question, onNote?: (note: Note) => void): Promise<Result> {
    const post = (request: Request<Question>) => {
      this.#worker.ref()
      this.#worker.postMessage(request)
    }
    return this.#requests.send(question, post, onNote as (note: unknown) => void)
  }

  /** Ends the thread. The requests that wait are rejected. */
  end(): void {
    this.#requests.end(new Error("the thread was ended"))
    void this.#worker.terminate()
  }
}

/** Answers the requests to this thread. The program of a thread calls it once. */
export function answerRequests<Question, Result, Note = never>(
  answer: (question: Question, report: (note: Note) => void) => Result | Promise<Result>,
): void {
  parentPort?.on("message", async ({ id, question }: Request<Question>) => {
    const report = (note: Note) => parentPort?.postMessage({ kind: "note", id, note } satisfies Answer)
    parentPort?.postMessage(await answerTo(id, () => answer(question, report)))
  })
}
