import type { Socket } from "node:net"
import type { ToWorker } from "./apiWorkers/messages.js"
import { WorkerNode } from "./apiWorkers/workerNode.js"

// The program of a worker process. The main process stops it, so it ignores signals that a terminal or a service manager sends to all
// processes.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {})
// The main process has ended, and with it its port, its locks and its writes.
process.once("disconnect", () => process.exit(0))

const worker = new WorkerNode({
  send: (message) => process.send?.(message),
  exit: (code) => process.exit(code),
})
process.on("message", (message: ToWorker, socket?: unknown) => worker.receive(message, socket as Socket | undefined))
