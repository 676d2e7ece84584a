import { version as manifestVersion } from "../../package.json"

/** The version of this package. */
export const version: string = manifestVersion
