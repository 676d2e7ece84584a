import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The programs of worker threads, as `scripts/build.mjs` names them. */
export type WorkerName = "checkWorker" | "proofWorker" | "signatureWorker"

/** Finds the program of a worker, relative to a bundle in dist/ and to one of its chunks; `undefined` if unbundled sources run. */
export function workerProgram(name: WorkerName): string | undefined {
  const places = [`./${name}.js`, `../${name}.js`].map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return places.find((path) => existsSync(path))
}
