import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { startDevnet } from "../../devnet/devnet.js"

const folder = mkdtempSync(join(tmpdir(), "serac-backup-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a backup says that it leaves out the keys of the node, and where they are", async () => {
  const dataDir = join(folder, "made")
  await (await startDevnet({ port: false, dataDir, startTime: 1_900_000_000n, freezeTime: true })).stop()
  const backup = (name: string, ...flags: readonly string[]) =>
    run(["backup", join(folder, name), "--data-dir", dataDir, ...flags])
  expect(await backup("without")).toEqual({ code: 0, stdout: "copied up to height 1\n", stderr: "" })
  const staking = join(dataDir, "staking")
  mkdirSync(staking)
  writeFileSync(join(staking, "staker.key"), "secret")
  const stdout = `copied up to height 1\nnot copied: ${staking} (the node's keys)\n`
  expect(await backup("with")).toEqual({ code: 0, stdout, stderr: "" })
  expect(readdirSync(join(folder, "with"))).toEqual(["chain"])
  expect(JSON.parse((await backup("json", "--json")).stdout)).toMatchObject({ height: "1", notCopied: [staking] })
})
