import { timestampMs } from "@bufbuild/protobuf/wkt"
import { expect, test, vi } from "vitest"
import { AppSender } from "../proto/appsender_pb.js"
import { clientOf } from "../served.fixture.js"
import { appSenderService } from "./appSender.js"

const self = Buffer.alloc(20, 1)
const other = Buffer.alloc(20, 2)

/** A sender whose VM records its calls, and whose timers run by hand. */
async function sender() {
  const calls: { readonly name: string; readonly input: Record<string, unknown> }[] = []
  const timers: (() => void)[] = []
  const client = await clientOf(
    appSenderService({
      nodeID: self,
      vm: {
        async call(method, input) {
          calls.push({ name: method.name, input: input as Record<string, unknown> })
          return {} as never
        },
      },
      now: () => 1_000_000,
      after(_milliseconds, task) {
        timers.push(task)
        return () => timers.splice(timers.indexOf(task), 1)
      },
      onFault(error) {
        throw error
      },
    }),
  )
  return { client, calls, timers, until: (count: number) => vi.waitFor(() => expect(calls.length).toBe(count)) }
}

test("a request to the node itself reaches its own VM, and its answer comes back once", async () => {
  const { client, calls, timers, until } = await sender()
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [self], requestId: 7, request: Buffer.from("q") })
  await until(1)
  expect(calls[0]).toMatchObject({ name: "AppRequest", input: { requestId: 7 } })
  expect(timestampMs(calls[0]?.input.deadline as never)).toBe(1_010_000)
  await client.call(AppSender.method.sendAppResponse, { nodeId: self, requestId: 7, response: Buffer.from("a") })
  await until(2)
  expect(calls[1]).toMatchObject({ name: "AppResponse", input: { requestId: 7 } })
  expect(String(calls[1]?.input.response)).toBe("a")
  expect(timers).toEqual([])
  await client.call(AppSender.method.sendAppResponse, { nodeId: self, requestId: 7, response: Buffer.from("again") })
  await client.call(AppSender.method.sendAppGossip, { msg: Buffer.from("g") })
  expect(calls.length).toBe(2)
})

test("an error comes back with its code and text", async () => {
  const { client, calls, until } = await sender()
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [self], requestId: 9, request: Buffer.from("q") })
  await client.call(AppSender.method.sendAppError, { nodeId: self, requestId: 9, errorCode: 2, errorMessage: "will not" })
  await until(2)
  expect(calls[1]).toMatchObject({ name: "AppRequestFailed", input: { requestId: 9, errorCode: 2, errorMessage: "will not" } })
})

test("no other node answers", async () => {
  const { client, calls, until } = await sender()
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [other], requestId: 3, request: Buffer.from("q") })
  await until(1)
  expect(calls).toMatchObject([{ name: "AppRequestFailed", input: { errorCode: -1, errorMessage: "timed out" } }])
  expect(Buffer.compare(calls[0]?.input.nodeId as Uint8Array, other)).toBe(0)
})

test("a request that the VM does not answer fails after its time, and a late answer is dropped", async () => {
  const { client, calls, timers, until } = await sender()
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [self], requestId: 5, request: Buffer.from("q") })
  await until(1)
  timers[0]?.()
  await until(2)
  expect(calls[1]).toMatchObject({ name: "AppRequestFailed", input: { requestId: 5, errorCode: -1, errorMessage: "timed out" } })
  await client.call(AppSender.method.sendAppResponse, { nodeId: self, requestId: 5, response: Buffer.from("late") })
  expect(calls.length).toBe(2)
})
