import { health, liveness, readiness } from "./methods.js"

/** What deployment tools poll. */
export const healthMethods = [health, readiness, liveness] as const
