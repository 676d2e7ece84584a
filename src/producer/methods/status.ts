import { chainTimeOf } from "../../core/rules/context.js"
import { bool, described, list, optional, string } from "../../jsonrpc/schema/kinds.js"
import { i64Text, number, u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { time } from "../../jsonrpc/schema/outputs.js"
import { id } from "../../services/kinds.js"
import { hostedL1 } from "../chainHosting.js"
import type { PrivateChain } from "../privateChain.js"
import { devMethod } from "./context.js"
import { blockMode } from "./results.js"

export const status = devMethod({
  name: "dev.status",
  summary: "Returns the status of the private chain: its clock, its height, its mempool and its overrides.",
  params: nothing,
  result: object({
    clock: described(time, "The time of the clock."),
    offset: described(i64Text, "The number of seconds by which the clock is ahead of the machine's clock."),
    frozen: bool,
    chainTime: described(time, "The time of the last block. It can be earlier than the clock."),
    height: u64,
    blockMode,
    snapshots: list(
      object({ id: number, height: u64, name: string, time: described(time, "The time of the clock at the snapshot.") }),
    ),
    overrides: described(
      number,
      "The number of changes that no transaction made: created UTXOs, credits, impersonations, uptimes and BLS keys.",
    ),
    mempool: described(number, "The number of transactions in the mempool."),
    halted: described(
      optional(string),
      "The reason why the chain cannot make its next block. It is absent while the chain can. The chain tries again at times, and can be reverted and reset.",
    ),
    fork: described(
      optional(
        object({
          from: described(string, "The directory of the forked chain, or the URL that it was copied from."),
          height: described(u64, "The height of the last real block."),
          blockID: id,
        }),
      ),
      "The chain that this one is a fork of. It is absent on other chains.",
    ),
    cChain: described(optional(hostedL1), "The C-Chain. It is absent on a node that does not host it."),
  }),
  examples: [
    {
      params: {},
      result: {
        clock: "2030-03-17T17:46:40Z",
        offset: "0",
        frozen: true,
        chainTime: "2029-09-17T04:00:00Z",
        height: "0",
        blockMode: { mode: "auto" },
        snapshots: [],
        overrides: 0,
        mempool: 0,
      },
    },
  ],

  handler: (_params, { chain, l1s }) => ({ ...statusOf(chain), cChain: l1s?.cChain }),
})

/** Returns the status of a private chain, with times in Unix seconds. */
export function statusOf({
  status: { view, lastAccepted, overrides, pool },
  clock,
  blockMode,
  snapshots,
  options,
  halted,
}: PrivateChain) {
  return {
    clock: clock.now(),
    offset: clock.offset,
    frozen: clock.isFrozen,
    chainTime: chainTimeOf(view),
    height: lastAccepted.height,
    blockMode,
    snapshots: snapshots.all.map(({ id, height, name, now: time }) => ({ id, height, name, time })),
    overrides: overrides.count,
    mempool: pool.size,
    halted,
    fork: options.fork,
  }
}
