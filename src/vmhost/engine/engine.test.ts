import { create } from "@bufbuild/protobuf"
import { expect, test, vi } from "vitest"
import { silentLog } from "../../core/lib/log.js"
import { Turnstile } from "../../core/lib/turnstile.js"
import { privateChainUpgrades, upTo } from "../../core/networks/upgrades.js"
import { ZERO_EPOCH } from "../../core/rules/epoch.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { BuildBlockResponseSchema, Message, WaitForEventResponseSchema } from "../proto/vm_pb.js"
import { BlockContexts } from "./blockContext.js"
import { type ChainBlockMode, Engine } from "./engine.js"

/** A P-Chain whose heights a test sets, and a clock. */
const pChain = {
  heights: { last: 10n, minimum: 10n },
  height: () => pChain.heights.last,
  minimumHeight: () => pChain.heights.minimum,
}

/** A VM with a pool of transactions, one to a block. It records what it is asked. */
class PoolVM {
  pool = 0
  height = 0n
  calls: string[] = []
  failures: Record<string, GrpcError> = {}
  /** The method in which the VM hangs. */
  hangsIn = ""
  isWaiting = false
  /** Makes the next event instead of the pool. */
  event: (() => Promise<Message>) | undefined
  #wake: () => void = () => {}

  add(count: number): void {
    this.pool += count
    this.#wake()
  }

  async call(method: { readonly name: string }, input: object, { signal }: { signal?: AbortSignal } = {}) {
    const failure = this.failures[method.name]
    if (method.name !== "WaitForEvent") {
      const { pChainHeight } = input as { pChainHeight?: bigint }
      this.calls.push(method.name + (pChainHeight === undefined ? "" : ` ${pChainHeight}`))
    }
    if (failure) throw failure
    if (method.name === this.hangsIn) {
      await new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(new GrpcError(grpcStatus.cancelled, "cancelled")))
      })
    }
    if (method.name === "WaitForEvent" && this.event) {
      return create(WaitForEventResponseSchema, { message: await this.event() })
    }
    if (method.name === "WaitForEvent") return this.#wait(signal)
    if (method.name === "BuildBlock") return this.#build()
    if (method.name === "BlockAccept") this.pool--
    return {}
  }

  async #wait(signal: AbortSignal | undefined) {
    while (this.pool === 0) {
      this.isWaiting = true
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve
        signal?.addEventListener("abort", () => reject(new GrpcError(grpcStatus.cancelled, "cancelled")))
      })
    }
    return create(WaitForEventResponseSchema, { message: Message.BUILD_BLOCK })
  }

  #build() {
    if (this.pool === 0) throw new GrpcError(grpcStatus.unknown, "empty block")
    return create(BuildBlockResponseSchema, { id: Buffer.from("id"), height: ++this.height, verifyWithContext: true })
  }
}

function engineOf(vm: PoolVM, mode: { now: ChainBlockMode }, still = { now: false }, log = silentLog) {
  const accepted: bigint[] = []
  const failures: unknown[] = []
  const timers: (() => void)[] = []
  const contexts = new BlockContexts(
    { upgrades: privateChainUpgrades, pChain, hasLag: false, now: () => 1_800_000_000n },
    undefined,
  )
  const lock = new Turnstile(1, Number.POSITIVE_INFINITY)
  const engine = new Engine({
    vm: vm as never,
    contexts,
    log,
    alone: (task) => lock.run(task),
    blockMode: () => mode.now,
    isStill: () => still.now,
    after(_milliseconds, task) {
      timers.push(task)
      return () => timers.splice(timers.indexOf(task), 1)
    },
    onAccepted: ({ height }) => accepted.push(height),
    onFailure: (error) => failures.push(error),
  })
  return { engine, accepted, failures, timers }
}

test("a block is built, verified, preferred and accepted, and the next one follows while there is something for it", async () => {
  const vm = new PoolVM()
  const { engine, accepted } = engineOf(vm, { now: { mode: "auto" } })
  engine.start()
  vm.add(2)
  await vi.waitFor(() => expect(accepted).toEqual([1n, 2n]))
  // The first block after genesis has no context.
  expect(vm.calls).toEqual([
    ...["BuildBlock", "BlockVerify", "SetPreference", "BlockAccept"],
    ...["BuildBlock 10", "BlockVerify 10", "SetPreference", "BlockAccept"],
  ])
  await engine.stop()
  vm.add(1)
  expect(vm.calls.length).toBe(8)
})

test("a VM that refuses its block again and again says why while the clock stands still, until it makes one or the clock is set", async () => {
  const vm = new PoolVM()
  const still = { now: true }
  const warned: unknown[] = []
  const log = { ...silentLog, warn: (event: string, data?: object) => warned.push([event, data]) }
  const { engine, accepted, timers } = engineOf(vm, { now: { mode: "auto" } }, still, log)
  vm.failures = { BuildBlock: new GrpcError(grpcStatus.unknown, "it costs too much") }
  engine.start()
  vm.add(1)
  const refuses = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await vi.waitFor(() => expect(timers.length).toBeGreaterThan(0))
      for (const ring of timers.splice(0)) ring()
    }
    await vi.waitFor(() => expect(timers.length).toBeGreaterThan(0))
  }
  await refuses(3)
  expect(engine.stillReason).toBeUndefined()
  await refuses(3)
  expect([engine.stillReason, warned]).toEqual([
    "it costs too much",
    [["the VM makes no block of what waits while the clock stands still", { reason: "it costs too much" }]],
  ])
  still.now = false
  expect(engine.stillReason).toBeUndefined()
  still.now = true
  engine.lookAgain()
  expect(engine.stillReason).toBeUndefined()
  await refuses(5)
  expect(engine.stillReason).toBe("it costs too much")
  vm.failures = {}
  for (const ring of timers.splice(0)) ring()
  await vi.waitFor(() => expect(accepted).toEqual([1n]))
  expect(engine.stillReason).toBeUndefined()
  await engine.stop()
})

test.each(["BuildBlock", "BlockVerify", "SetPreference", "BlockAccept"])(
  "a VM that hangs in %s fails after a minute",
  async (name) => {
    const vm = new PoolVM()
    vm.hangsIn = name
    const { engine, failures, timers } = engineOf(vm, { now: { mode: "auto" } })
    engine.start()
    vm.add(1)
    await vi.waitFor(() => expect(vm.calls.at(-1)).toBe(name))
    expect(timers.length).toBe(1)
    timers[0]?.()
    await vi.waitFor(() => {
      expect(failures.map(String)).toEqual(["GrpcError: its VM has not answered for 60 seconds"])
    })
    await engine.stop()
  },
)

test("in block mode manual blocks are made on request only", async () => {
  const vm = new PoolVM()
  const mode: { now: ChainBlockMode } = { now: { mode: "manual" } }
  const { engine, accepted } = engineOf(vm, mode)
  engine.start()
  vm.add(3)
  expect(await engine.mine(2)).toEqual({ blocks: 2, reason: undefined })
  expect(accepted).toEqual([1n, 2n])
  mode.now = { mode: "auto" }
  engine.lookAgain()
  await vi.waitFor(() => expect(accepted).toEqual([1n, 2n, 3n]))
  await engine.stop()
  expect(await engine.mine(1)).toEqual({ blocks: 0, reason: undefined })
})

test("a block on request waits for a moment until the VM has something for it (C13)", async () => {
  const vm = new PoolVM()
  const { engine, timers } = engineOf(vm, { now: { mode: "manual" } })
  engine.start()
  const mined = engine.mine(1)
  await vi.waitFor(() => expect(vm.isWaiting).toBe(true))
  vm.add(2)
  expect(await mined).toEqual({ blocks: 1, reason: undefined })
  // Further blocks do not wait.
  expect(await engine.mine(3)).toEqual({ blocks: 1, reason: "empty block" })
  vm.isWaiting = false
  const nothing = engine.mine(1)
  await vi.waitFor(() => expect(vm.isWaiting).toBe(true))
  timers[0]?.()
  expect(await nothing).toEqual({ blocks: 0, reason: "empty block" })
  await engine.stop()
})

test.each(["BuildBlock", "BlockVerify", "SetPreference", "BlockAccept"])(
  "a VM that hangs in %s of a block on request fails after a minute",
  async (name) => {
    const vm = new PoolVM()
    vm.hangsIn = name
    const { engine, failures, timers } = engineOf(vm, { now: { mode: "manual" } })
    engine.start()
    vm.add(1)
    const mined = expect(engine.mine(1)).rejects.toMatchObject({ code: "vm.stopped" })
    await vi.waitFor(() => expect(vm.calls.at(-1)).toBe(name))
    timers[0]?.()
    await mined
    expect(failures.map(String)).toEqual(["GrpcError: its VM has not answered for 60 seconds"])
    await engine.stop()
  },
)

test("a VM that reports other events at once is asked again after a pause", async () => {
  const vm = new PoolVM()
  const events: (() => void)[] = []
  vm.event = () => new Promise((resolve) => events.push(() => resolve(Message.STATE_SYNC_FINISHED)))
  const { engine, timers } = engineOf(vm, { now: { mode: "auto" } })
  engine.start()
  await vi.waitFor(() => expect(events.length).toBe(1))
  events[0]?.()
  await vi.waitFor(() => expect(timers.length).toBe(1))
  expect(events.length).toBe(1)
  timers[0]?.()
  await vi.waitFor(() => expect(events.length).toBe(2))
  expect(vm.calls).toEqual([])
  await engine.stop()
})

test("in block mode interval a block waits for its time", async () => {
  const vm = new PoolVM()
  const { engine, accepted, timers } = engineOf(vm, { now: { mode: "interval", seconds: 5 } })
  engine.start()
  vm.add(1)
  await vi.waitFor(() => expect(timers.length).toBe(1))
  expect(accepted).toEqual([])
  timers[0]?.()
  await vi.waitFor(() => expect(accepted).toEqual([1n]))
  await engine.stop()
})

test("a block that the VM does not build, or refuses itself, is tried again after a pause", async () => {
  const vm = new PoolVM()
  const { engine, accepted, timers, failures } = engineOf(vm, { now: { mode: "auto" } })
  vm.failures = { BuildBlock: new GrpcError(grpcStatus.unknown, "empty block") }
  engine.start()
  vm.add(1)
  await vi.waitFor(() => expect(timers.length).toBe(1))
  vm.failures = { BlockVerify: new GrpcError(grpcStatus.unknown, "invalid header") }
  timers[0]?.()
  await vi.waitFor(() => expect(timers.length).toBe(2))
  vm.failures = {}
  timers[1]?.()
  await vi.waitFor(() => expect(accepted).toEqual([2n]))
  expect(failures).toEqual([])
  await engine.stop()
})

test("the loss of the plugin ends the engine", async () => {
  const vm = new PoolVM()
  const { engine, failures } = engineOf(vm, { now: { mode: "auto" } })
  const lost = new GrpcError(grpcStatus.unavailable, "connection lost")
  vm.failures = { BlockAccept: lost }
  engine.start()
  vm.add(1)
  await vi.waitFor(() => expect(failures).toEqual([lost]))
  await engine.stop()
})

test("without a lag every block names the last height, except the first, and the epoch says so", () => {
  const contexts = new BlockContexts(
    { upgrades: privateChainUpgrades, pChain, hasLag: false, now: () => 1_800_000_000n },
    undefined,
  )
  pChain.heights = { last: 10n, minimum: 10n }
  const first = contexts.next()
  expect(first).toEqual({
    pChainHeight: undefined,
    position: { timestamp: 1_800_000_000n, pChainHeight: 10n, epoch: ZERO_EPOCH },
  })
  contexts.accepted(first.position)
  pChain.heights = { last: 12n, minimum: 12n }
  expect(contexts.next().pChainHeight).toBe(12n)
  expect(contexts.proposedHeight()).toBe(12n)
  expect(contexts.currentEpoch()).toEqual({ number: 1n, startTime: 1_800_000_000n, pChainHeight: 12n })
})

test("with a lag the heights follow the epochs of ProposerVM", () => {
  let now = 2_000_000_000n
  const options = { upgrades: upTo("granite"), pChain, hasLag: true, now: () => now }
  const contexts = new BlockContexts(options, undefined)
  const heights = (last: bigint, minimum: bigint) => {
    pChain.heights = { last, minimum }
  }
  heights(20n, 15n)
  const first = contexts.next()
  expect(first.pChainHeight).toBeUndefined()
  expect(first.position).toEqual({ timestamp: now, pChainHeight: 15n, epoch: ZERO_EPOCH })
  contexts.accepted(first.position)
  // The child of the first block starts the first epoch, with the first block's height and time.
  now += 10n
  heights(30n, 25n)
  const second = contexts.next()
  expect(second).toEqual({
    pChainHeight: 15n,
    position: { timestamp: now, pChainHeight: 25n, epoch: { number: 1n, pChainHeight: 15n, startTime: now - 10n } },
  })
  contexts.accepted(second.position)
  // The block that crosses the end of 30 seconds still belongs to the epoch; its child starts the next one with its height.
  now += 60n
  heights(40n, 35n)
  const third = contexts.next()
  expect(third.pChainHeight).toBe(15n)
  contexts.accepted(third.position)
  heights(40n, 30n)
  expect(contexts.currentEpoch()).toEqual({ number: 2n, pChainHeight: 35n, startTime: now })
  expect(contexts.next().pChainHeight).toBe(35n)
  // A height never decreases.
  expect(contexts.proposedHeight()).toBe(35n)
})
