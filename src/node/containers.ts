import { heightOfOuter, outerBytesAt, outerIDAt } from "../core/consensus/proposer/wrapperStore.js"
import type { ContainerPort } from "../services/context.js"

/** Accepted blocks by height and by the ID of their wrapper, as other nodes know them. */
export const containers: ContainerPort = {
  at(view, height) {
    const [id, bytes] = [outerIDAt(view, height), outerBytesAt(view, height)]
    return id === undefined || bytes === undefined ? undefined : { id, bytes }
  },
  heightOf: heightOfOuter,
}
