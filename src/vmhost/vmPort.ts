import type { GrpcClient } from "./grpc/grpcClient.js"

/** Calls the methods of `vm.VM`. */
export type VMPort = Pick<GrpcClient, "call">
