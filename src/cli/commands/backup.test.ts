import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { startDevnet } from "../../devnet/devnet.js"

const folder = mkdtempSync(join(tmpdir(), "serac-backup-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("a backup has the keys of the node if it is told so, and otherwise says where they are", async () => {
  const dataDir = join(folder, "made")
  await (await startDevnet({ port: false, dataDir, startTime: 1_900_000_000n, freezeTime: true })).stop()
  const backup = (name: string, ...flags: readonly string[]) =>
    run(["backup", join(folder, name), "--data-dir", dataDir, ...flags])
  expect(await backup("without")).toEqual({ code: 0, stdout: "copied up to height 1\n", stderr: "" })
  const nowhere = await run(["backup", join(folder, "x"), "--data-dir", join(folder, "nowhere"), "--with-keys"])
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("store.missing") })
  expect(await backup("no-keys", "--with-keys")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("node.keys_not_copied"),
  })
  const staking = join(dataDir, "staking")
  mkdirSync(staking)
  writeFileSync(join(staking, "staker.key"), "secret")
  const stdout = `copied up to height 1\nnot copied: ${staking} (the node's keys)\n`
  expect(await backup("with")).toEqual({ code: 0, stdout, stderr: "" })
  expect(readdirSync(join(folder, "with"))).toEqual(["chain"])
  expect(await backup("keys", "--with-keys")).toEqual({ code: 0, stdout: "copied up to height 1\n", stderr: "" })
  const copied = join(folder, "keys", "staking", "staker.key")
  expect([readFileSync(copied, "utf8"), statSync(copied).mode & 0o777]).toEqual(["secret", 0o600])
  mkdirSync(join(staking, "more"))
  expect(await backup("failed", "--with-keys")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("node.keys_not_copied"),
  })
  expect(readdirSync(join(folder, "failed"))).toEqual([])
  rmSync(join(staking, "more"), { recursive: true })
  expect(JSON.parse((await backup("json", "--json")).stdout)).toMatchObject({ height: "1", notCopied: [staking] })
})
