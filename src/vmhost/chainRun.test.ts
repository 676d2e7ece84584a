import { expect, test } from "vitest"
import { toHex } from "../core/lib/bytes.js"
import type { NodeID } from "../core/types/id.js"
import { ChainRun } from "./chainRun.js"
import { GrpcError, grpcStatus } from "./grpc/grpcError.js"

const [first, second] = ["11".repeat(20), "22".repeat(20)] as NodeID[]

test("a VM is told in order which validators come and go, and what one call misses another one does not", async () => {
  const told: string[] = []
  let answer: (error?: GrpcError) => void = () => {}
  const vm = {
    call({ name }: { name: string }, { nodeId }: { nodeId: Uint8Array }) {
      told.push(`${name} ${toHex(nodeId).slice(0, 2)}`)
      return new Promise<void>((resolve, reject) => {
        answer = (error) => (error ? reject(error) : resolve())
      })
    },
  }
  const never = new Promise<string>(() => {})
  const run = new ChainRun({ vm, plugin: { ended: never }, engineFailed: never, after: () => () => {} } as never)
  const set = (...nodeIDs: readonly (NodeID | undefined)[]) => run.setOnline(new Set(nodeIDs as NodeID[]))
  const answered = async (error?: GrpcError) => {
    await Promise.resolve().then(() => answer(error))
    await new Promise(setImmediate)
  }
  const both = set(first, second)
  // The second validator goes before the VM has heard that it is there.
  const one = set(first)
  await new Promise(setImmediate)
  expect(told).toEqual(["Connected 11"])
  await answered()
  expect(told).toEqual(["Connected 11", "Connected 22"])
  await answered()
  expect(told).toEqual(["Connected 11", "Connected 22", "Disconnected 22"])
  await answered()
  await Promise.all([both, one])
  const failing = set()
  await new Promise(setImmediate)
  await answered(new GrpcError(grpcStatus.unavailable, "gone"))
  await expect(failing).rejects.toThrow("gone")
  const again = set(second)
  await new Promise(setImmediate)
  await answered()
  await again
  expect(told.slice(3)).toEqual(["Disconnected 11", "Connected 22"])
})
