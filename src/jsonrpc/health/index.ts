import { health, liveness, readiness } from "./methods.js"

/** Health service, which deployment tools poll. */
export const healthMethods = [health, readiness, liveness] as const
