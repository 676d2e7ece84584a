import { sourcePlaces } from "./sourcePlaces.js"

// Every worker runs this first. Stacks name places in the sources, although Node runs the compiled modules (compile.ts).
const byVite = Error.prepareStackTrace as (error: Error, frames: NodeJS.CallSite[]) => string
Error.prepareStackTrace = (error, frames) => sourcePlaces(byVite(error, frames))
