import { create } from "@bufbuild/protobuf"
import { ChitsSchema } from "../../src/core/p2p/proto/p2p_pb.js"
import type { Random } from "../../src/core/p2p/random.js"
import { randomIndex } from "../../src/core/p2p/random.js"
import type { Lie } from "./simulatedNodes.js"

/** A behaviour that gives a false answer to a third of all requests, and no answer to a tenth. */
export function liar(random: Random): Lie {
  return (_message, honest) => {
    const chance = random.fraction()
    if (!honest || chance < 0.1) return undefined
    if (chance > 0.43) return honest
    const anyID = random.bytes(32)
    switch (honest.case) {
      case "acceptedFrontier":
        return { case: honest.case, value: { ...honest.value, containerId: anyID } }
      case "accepted":
        return { case: honest.case, value: { ...honest.value, containerIds: [anyID, random.bytes(5)] } }
      case "ancestors": {
        const containers = [...((honest.value.containers ?? []) as Uint8Array[])]
        const changed = containers[randomIndex(random, containers.length)]
        // A changed bit in one block, so that the blocks below it do not follow; or all of them in the wrong order.
        if (chance < 0.25) return { case: honest.case, value: { ...honest.value, containers: containers.reverse() } }
        const bent = changed?.slice() ?? new Uint8Array(3)
        bent[randomIndex(random, bent.length)]! ^= 1
        return {
          case: honest.case,
          value: { ...honest.value, containers: containers.map((each) => (each === changed ? bent : each)) },
        }
      }
      case "put":
        return { case: honest.case, value: { ...honest.value, container: random.bytes(100) } }
      case "chits":
        return {
          case: honest.case,
          value: create(ChitsSchema, {
            ...honest.value,
            preferredId: anyID,
            acceptedId: anyID,
            acceptedHeight: 9_999n,
          } as object),
        }
      default:
        return honest
    }
  }
}
