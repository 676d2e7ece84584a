import { Socket } from "node:net"
import { expect, test } from "vitest"
import { silentLog } from "../../core/lib/log.js"
import type { ChargedUnits, ToWorker, WorkerSetup } from "./messages.js"
import { type WorkerEvents, WorkerPool } from "./workerPool.js"

/** A worker process that records its messages. */
class NotedProcess {
  readonly sent: ToWorker[] = []
  readonly sockets: Socket[] = []
  constructor(readonly events: WorkerEvents) {}
  send(message: ToWorker, socket?: Socket): void {
    this.sent.push(message)
    if (socket) this.sockets.push(socket)
  }
  kill(): void {
    this.events.exited("SIGKILL")
  }
}

function poolOf(count: number) {
  const processes: NotedProcess[] = []
  const charged: ChargedUnits[] = []
  const later: (() => void)[] = []
  const adopted: Socket[] = []
  const pool = new WorkerPool({
    count,
    log: silentLog,
    setup: () => ({ dir: "chain" }) as WorkerSetup,
    spawn(events) {
      const made = new NotedProcess(events)
      processes.push(made)
      return made
    },
    after(_milliseconds, callback) {
      later.push(callback)
      return () => later.splice(later.indexOf(callback), 1)
    },
    call: async ({ method }) => ({ outcome: { member: "result", json: `"${method}"`, isExecuted: true }, milliseconds: 2 }),
    page: async ({ page }) => Promise.reject(new Error(`no ${page}`)),
    adopt: (socket) => adopted.push(socket),
    charged: (units) => charged.push(units),
  })
  pool.start()
  const ready = () => {
    for (const { events } of processes) events.received({ kind: "ready" })
  }
  return { pool, processes, charged, later, adopted, ready }
}

const call = { service: "dev", method: "dev.mine", params: "{}", serverUrl: undefined, foreignOrigin: undefined }
/** Four connections that `expect` distinguishes. */
const fourSockets = (): readonly Socket[] => [1, 2, 3, 4].map((number) => Object.assign(new Socket(), { number }))
const turn = () => new Promise((resolve) => setImmediate(resolve))

test("connections are passed to the ready workers in turn, and to none before it is ready", () => {
  const { pool, processes, ready } = poolOf(2)
  const sockets = fourSockets()
  expect(pool.give(sockets[0] as Socket)).toBe(false)
  ready()
  expect(sockets.map((socket) => pool.give(socket))).toEqual([true, true, true, true])
  // The next is sent when the one before it has arrived.
  expect(processes.map((each) => each.sockets.length)).toEqual([1, 1])
  for (const { events } of processes) events.received({ kind: "taken" })
  expect(processes.map((each) => each.sockets.length)).toEqual([2, 2])
})

test("connections that a dead worker was not sent yet are passed to the others, or to the main process if there are none", () => {
  const { pool, processes, adopted, ready } = poolOf(2)
  ready()
  const sockets = fourSockets()
  for (const socket of sockets) pool.give(socket)
  processes[0]?.kill()
  processes[1]?.events.received({ kind: "taken" })
  processes[1]?.events.received({ kind: "taken" })
  expect(processes[1]?.sockets).toEqual([sockets[1], sockets[3], sockets[2]])
  pool.give(sockets[0] as Socket)
  pool.give(sockets[1] as Socket)
  processes[1]?.kill()
  expect(adopted).toEqual([sockets[0], sockets[1]])
})

test("only the worker that asked gets the answer, and a failure has its reason", async () => {
  const { processes, ready } = poolOf(2)
  ready()
  processes[1]?.events.received({ kind: "call", id: 7, question: call })
  processes[1]?.events.received({ kind: "page", id: 8, question: { page: "health", query: "" } })
  await turn()
  expect(processes[1]?.sent.slice(1)).toEqual([
    { kind: "answer", id: 7, value: { outcome: { member: "result", json: '"dev.mine"', isExecuted: true }, milliseconds: 2 } },
    { kind: "failure", id: 8, reason: expect.stringContaining("no health") },
  ])
  expect(processes[0]?.sent.slice(1)).toEqual([])
})

test("units that one worker charged count in the main process and in all other workers", () => {
  const { processes, charged, ready } = poolOf(3)
  ready()
  const units: ChargedUnits = [["10.0.0.1", 12.5]]
  processes[0]?.events.received({ kind: "units", units })
  expect(charged).toEqual([units])
  expect(processes.map(({ sent }) => sent.slice(1))).toEqual([[], [{ kind: "units", units }], [{ kind: "units", units }]])
})

test("a worker that dies soon after its start is replaced a second later, and its metrics are omitted", async () => {
  const { pool, processes, later, ready } = poolOf(2)
  ready()
  const samples = pool.samples()
  processes[0]?.kill()
  processes[1]?.events.received({ kind: "answer", id: 0, value: [{ name: "a", help: "", type: "counter", lines: ["a 1"] }] })
  expect(await samples).toEqual([[], [{ name: "a", help: "", type: "counter", lines: ["a 1"] }]])
  expect([processes.length, pool.ready, later.length]).toEqual([2, 1, 1])
  later[0]?.()
  expect([processes.length, processes[2]?.sent[0]?.kind]).toEqual([3, "start"])
})

test("stopping waits for every worker, and replaces none", async () => {
  const { pool, processes, ready } = poolOf(2)
  ready()
  let isStopped = false
  const stopped = pool.stop().then(() => {
    isStopped = true
  })
  for (const { sent, events } of processes) {
    expect(sent.at(-1)).toEqual({ kind: "stop" })
    await turn()
    expect(isStopped).toBe(false)
    events.exited("exit code 0")
  }
  await stopped
  expect(processes.length).toBe(2)
})
