import { getContainerByID } from "./getContainerByID.js"
import { getContainerByIndex } from "./getContainerByIndex.js"
import { getContainerRange } from "./getContainerRange.js"
import { getIndex } from "./getIndex.js"
import { getLastAccepted } from "./getLastAccepted.js"
import { isAccepted } from "./isAccepted.js"

/** Methods of the index of accepted blocks, as AvalancheGo has them. */
export const indexMethods = [
  getLastAccepted,
  getContainerByIndex,
  getContainerByID,
  getContainerRange,
  getIndex,
  isAccepted,
] as const
