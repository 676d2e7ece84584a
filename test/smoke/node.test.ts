import { join } from "node:path"
import { expect, test } from "vitest"
import { seracOfFile } from "../cli/serac.js"
import { startNode } from "../faults/node.js"

const built = seracOfFile("smoke")

test("bin/serac starts a private chain, makes blocks, stops when it is asked to, and continues where it stopped", async () => {
  const args = ["--data-dir", join(built.folder, "chain")]
  const first = await startNode(built.bin, args)
  expect((await first.call("dev.mine", { blocks: 3, filler: true })).status).toBe(200)
  expect((await first.call("platform.getHeight")).result).toEqual({ height: "3" })
  expect(await first.stop()).toBe(0)
  const second = await startNode(built.bin, args)
  expect((await second.call("platform.getHeight")).result).toEqual({ height: "3" })
  expect(Object.values((await second.health()).checks).filter(({ error }) => error !== undefined)).toEqual([])
  expect(await second.stop()).toBe(0)
})
