import type { Bench } from "./harness.js"
import { wire } from "./wire.js"

/** Every bench. A new list of them is one file and one line here. */
export const benches: readonly Bench[] = [...wire]
