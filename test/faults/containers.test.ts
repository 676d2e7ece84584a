import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { seracOfFile } from "../cli/serac.js"
import { needs } from "../needs.js"
import { type RunningNode, startNode } from "./node.js"

const built = seracOfFile("containers")
const { folder } = built

/** Runs a command as process 1 of a PID namespace of its own, as containers do. */
const CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] as const
const canIsolate = spawnSync(CONTAINER[0], [...CONTAINER.slice(1), "true"]).status === 0

/** Asks process 1 of a container to stop, as `docker stop` does. */
function stopContainer({ process: { pid }, ended }: RunningNode): Promise<number | string> {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")
  process.kill(Number(first), "SIGTERM")
  return ended
}

describe("two containers that share a data directory", needs(canIsolate, "the right to make PID namespaces (unshare)"), () => {
  const start = (...args: string[]) => startNode(built.bin, args, CONTAINER)
  const heightOf = async (node: RunningNode) => (await node.call("platform.getHeight")).result?.height

  test("a second node is refused; a server that is process 1 follows a node that is process 1, and both stop at one signal", async () => {
    const dataDir = join(folder, "followed")
    const node = await start("--data-dir", dataDir)
    await expect(start("--data-dir", dataDir)).rejects.toThrow("store.locked")
    await node.call("dev.mine", { blocks: 2, filler: true })
    const server = await start("serve", "--public", "--data-dir", dataDir)
    expect(await heightOf(server)).toBe("2")
    await node.call("dev.mine", { blocks: 1, filler: true })
    expect(await heightOf(server)).toBe("3")
    expect([await stopContainer(server), await stopContainer(node)]).toEqual([0, 0])
  })

  test("a node that is process 1 starts beside a server that is process 1", async () => {
    const dataDir = join(folder, "served")
    expect(await stopContainer(await start("--data-dir", dataDir))).toBe(0)
    const server = await start("serve", "--public", "--data-dir", dataDir)
    const node = await start("--data-dir", dataDir)
    await node.call("dev.mine", { blocks: 1, filler: true })
    expect(await heightOf(server)).toBe("1")
    expect([await stopContainer(node), await stopContainer(server)]).toEqual([0, 0])
  })
})
