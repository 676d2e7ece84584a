import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { seracOfFile } from "../cli/serac.js"
import { needsMount } from "../mount.js"
import { type RunningNode, startNode } from "./node.js"

const built = seracOfFile("follow")
const { folder } = built

const serve = (dataDir: string) => startNode(built.bin, ["serve", "--public", "--rate-limit", "1000000", "--data-dir", dataDir])
const heightOf = async (node: RunningNode) => (await node.call("platform.getHeight")).result?.height
const mine = async (node: RunningNode, blocks: number) => (await node.call("dev.mine", { blocks, filler: true })).result?.height

/** The events of a server's stream, each as `name height`. */
async function* eventsOf({ url }: RunningNode): AsyncGenerator<string, void> {
  const response = await fetch(`${url}/ext/bc/P/events`)
  let text = ""
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    const parts = text.split("\n\n")
    text = parts.pop() as string
    for (const part of parts) {
      const name = /^event: (\w+)$/m.exec(part)?.[1]
      const data = /^data: (.*)$/m.exec(part)?.[1]
      if (name === "block" || name === "revert") yield `${name} ${JSON.parse(data as string).height}`
    }
  }
}

test("a public server beside a node shows its blocks as soon as they are accepted, streams them, and follows it back", async () => {
  const dataDir = join(folder, "followed")
  const node = await startNode(built.bin, ["--data-dir", dataDir])
  const server = await serve(dataDir)
  expect(await heightOf(server)).toBe(await heightOf(node))
  const events = eventsOf(server)
  const first = events.next()
  // If the test fails before it awaits the event, the end of the server must not be a second failure.
  first.catch(() => {})
  // The stream begins with the next block: it must be there before that.
  while (!(await (await fetch(`${server.url}/ext/metrics`)).text()).includes("serac_event_streams 1"));
  const { result } = await node.call("dev.snapshot")
  expect(await mine(node, 3)).toBe("3")
  expect(await heightOf(server)).toBe("3")
  expect((await server.call("platform.getBlockByHeight", { height: "3", encoding: "hex" })).error).toBeUndefined()
  expect([(await first).value, (await events.next()).value, (await events.next()).value]).toEqual([
    "block 1",
    "block 2",
    "block 3",
  ])
  await node.call("dev.revert", { id: result?.id })
  expect(await heightOf(server)).toBe("0")
  expect((await events.next()).value).toBe("revert 0")
  await mine(node, 1)
  expect([await heightOf(server), (await events.next()).value]).toEqual(["1", "block 1"])
  const metrics = await (await fetch(`${server.url}/ext/metrics`)).text()
  expect(metrics).toContain("serac_chain_height 1")
  expect((await server.health()).status).toBe(200)
  await events.return()
  expect([await server.stop(), await node.stop()]).toEqual([0, 0])
})

test("a server that answers one call and then idles does not make the file grow", async () => {
  const dataDir = join(folder, "growth")
  const node = await startNode(built.bin, ["--data-dir", dataDir])
  await mine(node, 5)
  const server = await serve(dataDir)
  await heightOf(server)
  const { result } = await node.call("dev.snapshot")
  const size = () => statSync(join(dataDir, "chain", "data.mdb")).size
  const cycle = async () => {
    await mine(node, 20)
    await node.call("dev.revert", { id: result?.id })
  }
  for (let i = 0; i < 3; i++) await cycle()
  const before = size()
  for (let i = 0; i < 6; i++) await cycle()
  // With a snapshot that stays, each cycle would add a third of a megabyte.
  expect(size() - before).toBeLessThan(1_000_000)
  expect([await server.stop(), await node.stop()]).toEqual([0, 0])
})

test("a read-only directory is served; where another process writes to it, the server says so and ends", needsMount, async () => {
  const dataDir = join(folder, "written")
  const place = join(folder, "read-only")
  const node = await startNode(built.bin, ["--data-dir", dataDir])
  await mine(node, 2)
  mkdirSync(place)
  execFileSync("mount", ["--bind", dataDir, place])
  onTestFinished(() => void spawnSync("umount", ["--lazy", place]))
  execFileSync("mount", ["-o", "remount,ro,bind", place])
  const server = await serve(place)
  expect(await heightOf(server)).toBe("2")
  await mine(node, 1)
  expect(await server.ended).toBe(1)
  expect(server.log()).toContain("node.unsafe_reader")
  expect(await node.stop()).toBe(0)
  const again = await serve(place)
  expect([await heightOf(again), (await again.health()).status, await again.stop()]).toEqual(["3", 200, 0])
})
