import { isActive, type Upgrades } from "../../networks/upgrades.js"
import { validatorSetAt } from "../../rules/validatorSet.js"
import type { View } from "../../state/view.js"
import { nodeIDText, PRIMARY_NETWORK_ID } from "../../types/id.js"
import { consensusError } from "../errors.js"
import type { OuterHeader } from "./outerBlock.js"
import { MAX_VERIFY_SECONDS, slotOf, Windower } from "./windower.js"
import type { OuterParent } from "./wrapperRules.js"

/** The windower for the child of a block: the validators are those of the height that the parent's wrapper names. */
export function windowerFor(parent: OuterParent, state: View): Windower {
  const set = validatorSetAt(state, PRIMARY_NETWORK_ID, parent.pChainHeight)
  const validators = [...set].map(([nodeID, { weight }]) => ({ nodeID, weight }))
  return new Windower(validators, parent.block.height + 1n)
}

/** Checks that a block is signed by the node that may propose it at its time. Options and first wrappers have no proposer. */
export function checkProposer(child: OuterHeader, parent: OuterParent, windowerOf: () => Windower, upgrades: Upgrades): void {
  const { wrapper } = child
  if (!wrapper || wrapper.kind === "ProposerVMOption" || !parent.block.wrapper) return
  const windower = windowerOf()
  const isSigned = wrapper.certificate.length > 0
  const { proposer, timestamp } = wrapper
  if (isActive(upgrades, "durango", parent.timestamp)) {
    const expected = windower.ownerOf(slotOf(parent.timestamp, timestamp))
    if (expected === undefined && isSigned) throw consensusError("consensus.unexpectedly_signed")
    if (expected !== undefined && !isSigned) throw consensusError("consensus.unsigned")
    if (expected === undefined || expected === proposer) return
    throw consensusError("consensus.wrong_proposer", { got: nodeIDText(proposer), expected: nodeIDText(expected) })
  }
  const elapsed = timestamp - parent.timestamp
  if (elapsed >= MAX_VERIFY_SECONDS) {
    if (isSigned) throw consensusError("consensus.unexpectedly_signed")
    return
  }
  if (!isSigned) throw consensusError("consensus.unsigned")
  const delay = windower.delayOf(proposer)
  if (elapsed < delay) throw consensusError("consensus.wrong_proposer", { got: nodeIDText(proposer), elapsed, delay })
}
