import { getCurrentEpoch } from "./getCurrentEpoch.js"
import { getProposedHeight } from "./getProposedHeight.js"

/** Methods of the ProposerVM, which wraps the blocks of the P-Chain. */
export const proposervmMethods = [getProposedHeight, getCurrentEpoch] as const
