import { getCurrentEpoch } from "./getCurrentEpoch.js"
import { getProposedHeight } from "./getProposedHeight.js"

/** What the wrapper around P-Chain blocks says. */
export const proposervmMethods = [getProposedHeight, getCurrentEpoch] as const
