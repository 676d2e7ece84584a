import { onTestFinished } from "vitest"
import { GrpcClient } from "./grpc/grpcClient.js"
import { GrpcServer, type ServedService } from "./grpc/grpcServer.js"

/** Serves services at a port until the test has finished, and returns a client of them. Faults fail the test. */
export async function clientOf(...services: readonly ServedService[]): Promise<GrpcClient> {
  const server = new GrpcServer(services, (error) => {
    throw error
  })
  const client = new GrpcClient(await server.listen())
  onTestFinished(() => {
    client.close()
    server.close()
  })
  return client
}
