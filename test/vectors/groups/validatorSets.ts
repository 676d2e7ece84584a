import { RecentlyAccepted } from "../../../src/chain/recentlyAccepted.js"
import type { Group } from "../group.js"

export const validatorSets: Group = {
  minimumHeight({ input, expected }, verdict) {
    const recent = new RecentlyAccepted()
    for (const { height, at } of input.accepted) recent.add(BigInt(height), Number(at) * 1000)
    verdict.equal("height", recent.minimumHeight(BigInt(input.lastAcceptedHeight), Number(input.now) * 1000), expected.height)
  },
}
