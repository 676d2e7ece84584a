import { join } from "node:path"
import { expect, test } from "vitest"
import { seracOfFile } from "../cli/serac.js"
import { isSoak } from "../fuzz/random.js"
import { run } from "../terminal.js"
import { startNode } from "./node.js"

const built = seracOfFile("crowd")
const { folder } = built

const VALIDATORS = isSoak ? 1_000 : 40
const READERS = 200

test(`${READERS} clients that ask for all validators at once while blocks are made get complete answers, and so do all other clients`, async () => {
  const dataDir = join(folder, "chain")
  const node = await startNode(built.bin, ["--data-dir", dataDir, "--log-level", "error"])
  const added = await node.call("dev.addValidators", { count: VALIDATORS, delegators: 2 })
  expect(added.error).toBeUndefined()
  const { height } = (await node.call("dev.status")).result as { height: string }
  let isAsking = true
  const made = (async () => {
    let blocks = 0n
    while (isAsking) {
      expect((await node.call("dev.mine", { blocks: 1, filler: true })).result?.blocks).toBe(1)
      blocks++
      expect((await node.health()).status).toBe(200)
    }
    return blocks
  })()
  const answers = await Promise.all(Array.from({ length: READERS }, () => node.call("platform.getCurrentValidators")))
  isAsking = false
  const counts = answers.map(({ result, error }) => error ?? (result?.validators as unknown[] | undefined)?.length)
  expect(counts).toEqual(Array(READERS).fill(VALIDATORS + 5))
  const blocks = await made
  expect(BigInt((await node.call("platform.getHeight")).result?.height as string)).toBe(BigInt(height) + blocks)
  expect(await node.stop()).toBe(0)
  const { code, stdout } = await run(["state", "--data-dir", dataDir, "--check", "--json"])
  expect([code, BigInt(JSON.parse(stdout).height)]).toEqual([0, BigInt(height) + blocks])
}, 600_000)
