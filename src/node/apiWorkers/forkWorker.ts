import { fork } from "node:child_process"
import type { FromWorker } from "./messages.js"
import type { WorkerEvents, WorkerProcess } from "./workerPool.js"

/** Starts the program of a worker in a process of its own. It ends when this process ends, because their channel closes. */
export function forkWorker(program: string, { received, exited }: WorkerEvents): WorkerProcess {
  const child = fork(program, [], { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "ipc"] })
  child.on("message", (message) => received(message as FromWorker))
  child.once("error", (error) => exited(error.message))
  child.once("exit", (code, signal) => exited(signal ?? `exit code ${code}`))
  return {
    send(message, socket) {
      // If a worker dies meanwhile, its exit reports it. A connection that was being sent to it is lost.
      if (child.connected) child.send(message, socket, { keepOpen: false }, (error) => error && socket?.destroy())
      else socket?.destroy()
    },
    kill: () => void child.kill("SIGKILL"),
  }
}
