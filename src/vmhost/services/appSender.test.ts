import { create, fromBinary, toBinary } from "@bufbuild/protobuf"
import { timestampMs } from "@bufbuild/protobuf/wkt"
import { expect, test, vi } from "vitest"
import { encode } from "../../core/codec/decode.js"
import { SignatureRequestSchema, SignatureResponseSchema } from "../../core/p2p/proto/app_pb.js"
import type { ID } from "../../core/types/id.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { AppSender } from "../proto/appsender_pb.js"
import { clientOf } from "../served.fixture.js"
import { AppMessages, appSenderService } from "./appSender.js"

const self = Buffer.alloc(20, 1)
const other = Buffer.alloc(20, 2)
/** A validator whose key the node holds. */
const third = Buffer.alloc(20, 3)

const chainID = "cc".repeat(32) as ID

/** A Warp message of the VM's chain, or of another one. */
const messageOf = (text: string, networkID = 12345, sourceChainID = chainID) =>
  encode(unsignedMessage, { networkID, sourceChainID, payload: Buffer.from(text) })

/** A request for a signature over a message. */
const signatureRequest = (message: Uint8Array) =>
  Buffer.concat([Buffer.from([2]), toBinary(SignatureRequestSchema, create(SignatureRequestSchema, { message }))])

/** A sender whose VM records its calls, and whose timers run by hand. */
async function sender() {
  const calls: { readonly name: string; readonly input: Record<string, unknown> }[] = []
  const timers: (() => void)[] = []
  const messages = new AppMessages({
    nodeID: self,
    chainID,
    networkID: 12345,
    vm: {
      async call(method, input) {
        calls.push({ name: method.name, input: input as Record<string, unknown> })
        return {} as never
      },
    },
    signerOf: (nodeID) =>
      Buffer.compare(nodeID, third) === 0 ? (message) => Buffer.concat([Buffer.from("by third: "), message]) : undefined,
    now: () => 1_000_000,
    after(_milliseconds, task) {
      timers.push(task)
      return () => timers.splice(timers.indexOf(task), 1)
    },
    onFault(error) {
      throw error
    },
  })
  const client = await clientOf(appSenderService(messages))
  return { client, messages, calls, timers, until: (count: number) => vi.waitFor(() => expect(calls.length).toBe(count)) }
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

test("a validator whose key is here signs what the VM signs, and what the VM refuses is refused", async () => {
  const { client, calls, until } = await sender()
  const request = signatureRequest(messageOf("hello"))
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [third], requestId: 8, request })
  await until(1)
  const asked = calls[0]?.input as { nodeId: Uint8Array; requestId: number; request: Uint8Array }
  expect(calls[0]?.name).toBe("AppRequest")
  expect(Buffer.compare(asked.request, request)).toBe(0)
  expect(asked.requestId % 2).toBe(1)
  expect([self, other, third].some((each) => Buffer.compare(each, asked.nodeId) === 0)).toBe(false)
  const { nodeId, requestId } = asked
  await client.call(AppSender.method.sendAppResponse, { nodeId, requestId, response: Buffer.from("own signature") })
  await until(2)
  expect(calls[1]).toMatchObject({ name: "AppResponse", input: { requestId: 8 } })
  expect(Buffer.compare(calls[1]?.input.nodeId as Uint8Array, third)).toBe(0)
  const { signature } = fromBinary(SignatureResponseSchema, calls[1]?.input.response as Uint8Array)
  expect(Buffer.from(signature)).toEqual(Buffer.concat([Buffer.from("by third: "), messageOf("hello")]))

  await client.call(AppSender.method.sendAppRequest, {
    nodeIds: [third],
    requestId: 10,
    request: signatureRequest(messageOf("unsent")),
  })
  await until(3)
  const second = calls[2]?.input as { nodeId: Uint8Array; requestId: number }
  const error = { errorCode: 1, errorMessage: "unknown message" }
  await client.call(AppSender.method.sendAppError, { nodeId: second.nodeId, requestId: second.requestId, ...error })
  await until(4)
  expect(calls[3]).toMatchObject({ name: "AppRequestFailed", input: { requestId: 10, ...error } })
})

test("other requests to such a validator are not answered", async () => {
  const { client, calls, until } = await sender()
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [third], requestId: 2, request: Buffer.from([0, 1]) })
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [third], requestId: 4, request: Buffer.from([2, 0xff]) })
  await until(2)
  expect(calls.map(({ name, input }) => [name, input.errorMessage])).toEqual([
    ["AppRequestFailed", "timed out"],
    ["AppRequestFailed", "timed out"],
  ])
})

test.each([
  ["another chain", messageOf("m", 12345, "dd".repeat(32) as ID)],
  ["another network", messageOf("m", 1)],
  ["bytes that are no message", Buffer.from("m")],
])("such a validator signs no message of %s, whatever the VM says", async (_what, message) => {
  const { client, calls, until } = await sender()
  const request = signatureRequest(message)
  await client.call(AppSender.method.sendAppRequest, { nodeIds: [third], requestId: 12, request })
  await until(1)
  expect(calls).toMatchObject([{ name: "AppRequestFailed", input: { requestId: 12, errorMessage: "timed out" } }])
})

test("the host asks the VM whether it signs a message, under an odd number", async () => {
  const { client, messages, calls, until } = await sender()
  const signed = messages.requireSigned(Buffer.from("m"), Buffer.from("why"))
  await until(1)
  const { nodeId, requestId, request } = calls[0]!.input as { nodeId: Uint8Array; requestId: number; request: Uint8Array }
  expect([request[0], requestId % 2]).toEqual([2, 1])
  const asked = fromBinary(SignatureRequestSchema, request.subarray(1))
  expect([asked.message, asked.justification].map(String)).toEqual(["m", "why"])
  await client.call(AppSender.method.sendAppResponse, { nodeId, requestId, response: Buffer.from("signature") })
  await signed
  const refused = messages.requireSigned(Buffer.from("m"), Buffer.alloc(0)).catch((error) => error)
  await until(2)
  const second = calls[1]!.input as { nodeId: Uint8Array; requestId: number }
  await client.call(AppSender.method.sendAppError, { ...second, errorCode: 2, errorMessage: "unknown message" })
  expect(await refused).toMatchObject({ code: "vm.will_not_sign", data: { errorCode: 2, reason: "unknown message" } })
})
