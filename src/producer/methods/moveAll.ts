import type { MoveStop } from "../chainHosting.js"
import { type TimeOptions, travelTo } from "../dev/travelTo.js"
import type { DevContext } from "./context.js"

/** Moves the clock of the P-Chain and of all chains that the node hosts. `l1Blocks` is true if EVM chains then make a block. Throws as `travelTo`. */
export function moveAll({ chain, l1s }: Pick<DevContext, "chain" | "l1s">, options: TimeOptions, l1Blocks: boolean) {
  const move = (stop?: MoveStop) => chain.turn((turn) => travelTo(turn, { ...options, stop }))
  return l1s ? l1s.moveClock(move, l1Blocks) : move()
}
