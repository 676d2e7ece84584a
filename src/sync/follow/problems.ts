import type { Invalid } from "../../core/lib/invalid.js"

const LONGEST_PAUSE_MS = 5_000
/** The longest pause while every node gives something that cannot be part of the copy, milliseconds. */
const LONGEST_REFUSED_PAUSE_MS = 300_000

/** Problems for which the node is to blame whose blocks are executed. Others are asked in its place. */
export const OF_SOURCE: ReadonlySet<string> = new Set([
  "sync.bad_block",
  "sync.refused",
  "sync.bad_override",
  "sync.other_identity",
])

/** Problems of a node that has another chain. A copy does not choose between two chains. */
export const OF_OTHER_CHAIN: ReadonlySet<string> = new Set(["sync.other_chain", "sync.other_network", "sync.other_upgrades"])

/** Problems that only an operator can solve, unless another node gives something else. */
const FOR_OPERATOR: ReadonlySet<string> = new Set([...OF_SOURCE, ...OF_OTHER_CHAIN, "sync.other_supply", "sync.reverted"])

/** Problems that another attempt with the same node does not solve. */
export const LASTING: ReadonlySet<string> = new Set([...FOR_OPERATOR, "sync.fault"])

/** Returns whether a copy with this problem continues only if its nodes change or an operator acts. */
export const needsOperator = ({ code }: Invalid): boolean => FOR_OPERATOR.has(code)

/** Returns the longest pause before the next attempt after a problem, milliseconds. */
export const longestPause = (problem: Invalid | undefined): number =>
  LASTING.has(problem?.code ?? "") ? LONGEST_REFUSED_PAUSE_MS : LONGEST_PAUSE_MS
