import { tables } from "../../../src/core/state/tables.js"
import { alice, NOW } from "../../fixtures/smallChain.js"
import { idOfByte } from "../../fixtures/txs.js"
import type { Variants } from "./variant.js"

export const rewardValidatorTx: Variants<"RewardValidatorTx"> = [
  { name: "nobody's reward", code: "tx.reward_of_nobody", exactly: () => ({ txID: "00".repeat(32) as never }) },
  { name: "the reward of another than the first to leave", code: "tx.wrong_staker", exactly: () => ({ txID: idOfByte(0x32) }) },
  { name: "a credential", code: "rules.unexpected_credential", signers: () => [[alice]] },
  {
    name: "a reward before its time",
    code: "tx.staker_too_early",
    given: (state) => {
      const [, due] = state.first(tables.currentStakers)!
      state.delete(tables.currentStakers, due)
      state.put(tables.currentStakers, { ...due, nextTime: NOW + 1n }, { ...due, endTime: NOW + 1n, nextTime: NOW + 1n })
    },
  },
]

export const advanceTimeTx: Variants<"AdvanceTimeTx"> = [
  { name: "a time before the chain's", code: "rules.time_backwards", exactly: () => ({ time: NOW - 1n }) },
  { name: "a time too far ahead", code: "rules.time_beyond_sync_bound", exactly: () => ({ time: NOW + 11n }) },
  { name: "a time past a reward", code: "rules.time_past_change", exactly: () => ({ time: NOW + 1n }) },
  { name: "a credential", code: "rules.unexpected_credential", signers: () => [[alice]] },
  { name: "its end with Banff", code: "block.apricot_after_banff", last: "banff" },
]
