import { apricotAbortBlock } from "./apricotAbortBlock.js"
import { apricotAtomicBlock } from "./apricotAtomicBlock.js"
import { apricotCommitBlock } from "./apricotCommitBlock.js"
import { apricotProposalBlock } from "./apricotProposalBlock.js"
import { apricotStandardBlock } from "./apricotStandardBlock.js"
import { banffAbortBlock } from "./banffAbortBlock.js"
import { banffCommitBlock } from "./banffCommitBlock.js"
import { banffProposalBlock } from "./banffProposalBlock.js"
import { banffStandardBlock } from "./banffStandardBlock.js"

/** Every kind of block, by type ID. A new kind is one file and one line here. */
export const blockTypes = [
  apricotProposalBlock,
  apricotAbortBlock,
  apricotCommitBlock,
  apricotStandardBlock,
  apricotAtomicBlock,
  banffProposalBlock,
  banffAbortBlock,
  banffCommitBlock,
  banffStandardBlock,
] as const
