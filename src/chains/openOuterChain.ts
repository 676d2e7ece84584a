import { Chain, type ChainOptions } from "../core/chain/chain.js"
import type { StatePort } from "../core/chain/statePort.js"
import { checkProposer } from "../core/consensus/proposer/checkProposer.js"
import { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { project } from "../core/readmodel/fold.js"
import type { Rules } from "../core/rules/context.js"

/** Opens the chain of a state with its wrappers, as other nodes know it, with all checks of normal operation and the read model. */
export function openOuterChain(rules: Rules, state: StatePort, isImpersonated?: ChainOptions["isImpersonated"]): OuterChain {
  const chain = new Chain({ rules, state, project, ...(isImpersonated ? { isImpersonated } : {}) })
  return new OuterChain({ chain, checkProposer: (child, parent) => checkProposer(child, parent, chain.state, rules.upgrades) })
}
