import { Chain, type ChainOptions } from "../core/chain/chain.js"
import type { StatePort } from "../core/chain/statePort.js"
import { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { project } from "../core/readmodel/fold.js"
import type { Rules } from "../core/rules/context.js"

/** Opens the chain of a state with its wrappers, as other nodes know it, with all checks of normal operation and the read model. */
export function openOuterChain(rules: Rules, state: StatePort, isImpersonated?: ChainOptions["isImpersonated"]): OuterChain {
  return new OuterChain(new Chain({ rules, state, project, ...(isImpersonated ? { isImpersonated } : {}) }))
}
