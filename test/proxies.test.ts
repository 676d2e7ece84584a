import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { type ClientOptions, WebSocket } from "ws"
import { localApi, serve } from "./fixtures/api.js"
import { tlsIdentity } from "./fixtures/tlsIdentity.js"
import { needs } from "./needs.js"
import { root } from "./sources.js"

/** A proxy whose shipped file is tried: the program and its arguments, and the file with the addresses of the test. */
interface Proxy {
  readonly name: string
  start(options: { readonly folder: string; readonly port: number; readonly upstream: number }): ChildProcess
}

const HOST = "pchain.example.org"

const nginx: Proxy = {
  name: "nginx",
  start({ folder, port, upstream }) {
    const { key, cert } = tlsIdentity("ec").pem
    writeFileSync(join(folder, "fullchain.pem"), cert)
    writeFileSync(join(folder, "privkey.pem"), key)
    const site = readFileSync(join(root, "deploy/nginx.conf"), "utf8")
      .replace("127.0.0.1:9650", `127.0.0.1:${upstream}`)
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replaceAll(`/etc/letsencrypt/live/${HOST}`, folder)
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((part) => `${part}_temp_path ${folder}/${part};`)
    const http = `access_log off; ${paths.join(" ")}\n${site}`
    writeFileSync(join(folder, "nginx.conf"), `daemon off; pid ${folder}/pid; events {}\nhttp {\n${http}\n}\n`)
    return spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")])
  },
}

const caddy: Proxy = {
  name: "caddy",
  start({ folder, port, upstream }) {
    const site = readFileSync(join(root, "deploy/Caddyfile"), "utf8")
      .replace("127.0.0.1:9650", `127.0.0.1:${upstream}`)
      .replace(`${HOST} {`, `https://${HOST}:${port} {\n\ttls internal\n\tbind 127.0.0.1`)
    const global = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"
    writeFileSync(join(folder, "Caddyfile"), global + site)
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    return spawn("caddy", ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")], { env })
  },
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, "close")
  return port
}

/** Sends a request to the proxy. Resolves with the status and the body. */
function ask(port: number, path: string, body?: string): Promise<readonly [number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const options = { port, path, method: body === undefined ? "GET" : "POST", headers: { "content-type": "application/json" } }
    const sent = request({
      ...options,
      host: "127.0.0.1",
      servername: HOST,
      setHost: false,
      rejectUnauthorized: false,
      agent: false,
    })
    sent.setHeader("host", HOST)
    sent.on("error", reject)
    sent.on("response", async (response) => {
      let text = ""
      for await (const chunk of response) text += chunk
      resolve([response.statusCode, text])
    })
    sent.end(body)
  })
}

/** Waits until the proxy takes connections. It fails if the proxy has ended. */
async function ready(port: number, proxy: ChildProcess): Promise<void> {
  let output = ""
  proxy.stderr?.on("data", (data) => {
    output += data
  })
  for (;;) {
    if (proxy.exitCode !== null) throw new Error(`the proxy has ended: ${output}`)
    const isOpen = await ask(port, "/ext/bc/P").then(
      () => true,
      () => false,
    )
    if (isOpen) return
    await new Promise(setImmediate)
  }
}

describe.each([nginx, caddy])("the shipped file of $name", ({ name, start }) => {
  const isInstalled = spawnSync(name, [name === "nginx" ? "-v" : "version"]).error === undefined

  test("passes calls, events and WebSockets on, and no metrics", needs(isInstalled, name), async () => {
    await using server = await serve(localApi({ isPublic: true }).api, { trustedProxies: ["127.0.0.1"], allowedHosts: [HOST] })
    const folder = mkdtempSync(join(tmpdir(), "serac-proxy-"))
    const port = await freePort()
    const proxy = start({ folder, port, upstream: server.port })
    onTestFinished(async () => {
      // After SIGKILL the workers of nginx would go on.
      if (proxy.exitCode === null && proxy.kill("SIGTERM")) await once(proxy, "exit")
      rmSync(folder, { recursive: true, force: true })
    })
    await ready(port, proxy)
    const height = '{"jsonrpc":"2.0","method":"platform.getHeight","params":{},"id":1}'
    expect(await ask(port, "/ext/bc/P", height)).toEqual([200, expect.stringContaining('"height":"0"')])
    expect((await ask(port, "/ext/metrics"))[0]).toBe(404)
    const options: ClientOptions & { servername: string } = {
      headers: { host: HOST },
      servername: HOST,
      rejectUnauthorized: false,
    }
    const socket = new WebSocket(`wss://127.0.0.1:${port}/ext/bc/P/events?from=0`, options)
    const [message] = (await once(socket, "message")) as [Buffer]
    expect(JSON.parse(message.toString())).toMatchObject({ event: "block", data: { height: "0" } })
    socket.terminate()
    // Calls after a WebSocket use connections that are still open.
    expect((await ask(port, "/ext/bc/P", height))[0]).toBe(200)
  })
})
