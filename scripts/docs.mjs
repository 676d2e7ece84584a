// Writes the reference, the pages that are generated from the program and are not in git.
//   node scripts/docs.mjs            into docs/reference/
//   node scripts/docs.mjs FOLDER     into another folder
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { makeReference } from "./reference.mjs"

const folder = process.argv[2] ?? fileURLToPath(new URL("../docs/reference", import.meta.url))
const files = await makeReference()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
