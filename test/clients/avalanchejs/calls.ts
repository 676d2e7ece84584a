import { infoCalls } from "./infoCalls.js"
import { platformCalls } from "./platformCalls.js"
import type { World } from "./world.js"

/** A method of the library that asks the node something. */
export interface LibraryCall {
  readonly api: "PVMApi" | "InfoApi"
  readonly method: string
  readonly title: string
  run(world: World): Promise<void>
}

/** Every method of both clients, called on the chain that the transactions have made. */
export const calls: readonly LibraryCall[] = [...platformCalls, ...infoCalls]
