import { health, liveness, readiness } from "./methods.js"

/** The methods of the health service, which deployment tools poll. */
export const healthMethods = [health, readiness, liveness] as const
