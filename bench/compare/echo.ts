import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"

/** A plain server on `node:http` that only parses a JSON body and sends one back. */
const PROGRAM = `
  const { createServer } = require("node:http")
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8")
    request.on("data", (chunk) => { body += chunk })
    request.on("end", () => {
      const answer = JSON.stringify({ jsonrpc: "2.0", result: {}, id: JSON.parse(body).id })
      response.writeHead(200, { "content-type": "application/json", "content-length": answer.length })
      response.end(answer)
    })
  })
  server.listen(0, "127.0.0.1", () => console.log(server.address().port))
`

/** Starts the echo in a process of its own. */
export async function startEcho(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const child = spawn(process.execPath, ["-e", PROGRAM], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(child.stdout, "data")
  return { url: `http://127.0.0.1:${Number(String(line))}`, process: child }
}
