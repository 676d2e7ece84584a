import { printRfc3339 } from "../../../core/lib/go/rfc3339.js"
import { blockTime } from "../../../core/readmodel/blockTimes.js"
import { heightAtTime } from "../../../core/readmodel/explorer/moments.js"
import { tables } from "../../../core/state/tables.js"
import type { ID } from "../../../core/types/id.js"
import { described } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { id, unixTime } from "../../kinds.js"
import { platformError } from "../errors.js"

export const getBlockByTime = method({
  name: "platform.getBlockByTime",
  summary: "Returns the last block that was accepted up to a time of the chain.",
  isExtension: true,
  params: object({ time: described(unixTime, "A time in RFC 3339 or Unix seconds.") }),
  result: object({ blockID: id, height: u64, timestamp: described(time, "The time of the chain after the block.") }),
  cost: 2,
  examples: [
    {
      params: { time: "2024-07-20T00:00:00Z" },
      result: { blockID: "TsqpuU4ikK9yK9pohv8VrGEeHZghfGSJuFs7CL3aywm2qQCfd", height: "8", timestamp: "2024-07-15T04:00:08Z" },
    },
  ],

  async handler({ time: asked }, { past: pastWith, height: tip }, { pace }) {
    const past = pastWith(pace)
    const height = await heightAtTime(past, asked, tip)
    if (height === undefined) throw platformError("platform.before_genesis", { time: printRfc3339(asked) })
    return await past.read((view) => ({
      blockID: view.get(tables.blockIDs, height) as ID,
      height,
      timestamp: blockTime(view, height),
    }))
  },
})
