import type { DevResultOf } from "../data/rpc.js"

export type Status = DevResultOf<"status">
