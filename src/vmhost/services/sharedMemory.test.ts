import { expect, test } from "vitest"
import { SharedMemory } from "../proto/sharedmemory_pb.js"
import { clientOf } from "../served.fixture.js"
import { sharedMemoryService } from "./sharedMemory.js"

test("a chain outside the primary network has no shared memory", async () => {
  const client = await clientOf(sharedMemoryService(undefined, () => {}))
  const { get, indexed, apply } = SharedMemory.method
  await expect(client.call(get, { keys: [new Uint8Array(32)] })).rejects.toThrow("Serac has no shared memory")
  await expect(client.call(indexed, {})).rejects.toThrow("Serac has no shared memory")
  await expect(client.call(apply, {})).rejects.toThrow("Serac has no shared memory")
})
