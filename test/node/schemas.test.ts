import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openStore } from "../../src/datadir/openStore.js"
import { chainDir } from "../../src/datadir/places.js"
import { startDevnet } from "../../src/devnet/devnet.js"
import { OLDEST_SCHEMA, SCHEMA } from "../../src/store/meta.js"
import { run } from "../terminal.js"

const folder = mkdtempSync(join(tmpdir(), "serac-schemas-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every command that opens a data directory. */
const commandsOn = (dataDir: string) => [
  ["--data-dir", dataDir, "--http-port", "0"],
  ["serve", "--data-dir", dataDir, "--http-port", "0"],
  ["serve", "--public", "--data-dir", dataDir, "--http-port", "0"],
  ["state", "--data-dir", dataDir],
  ["backup", join(folder, "copy"), "--data-dir", dataDir],
  ["export", "blocks", "--data-dir", dataDir],
  ["repair", "--data-dir", dataDir],
]

test.each([
  ["newer", SCHEMA + 1, /use that version, or export the blocks with it and replay them into a new directory, or sync again/],
  ["older", SCHEMA - 1, /run `serac upgrade` with its --data-dir/],
  ["too_old", OLDEST_SCHEMA - 1, /export the blocks with that version .* and replay them into a new directory .*, or sync again/],
])("a store of a %s schema is refused by every command, with both numbers and what to do", async (age, schema, advice) => {
  const dataDir = join(folder, age)
  await (await startDevnet({ port: false, dataDir })).stop()
  const store = openStore(chainDir(dataDir))
  store.putMeta({ schema })
  await store.close()
  for (const words of commandsOn(dataDir)) {
    const { code, stdout, stderr } = await run(words)
    expect([code, stdout], words.join(" ")).toEqual([1, ""])
    expect(stderr).toMatch(new RegExp(`^serac: store\\.${age}: [^\\n]*schema: ${schema}, known: ${SCHEMA}\\)\\n$`))
    expect(stderr).toMatch(advice)
  }
})
