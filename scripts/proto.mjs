// Generates TypeScript from the .proto files under src/. The compiler (96 MB) is fetched when this runs and is no
// dependency: what it writes is committed.
//   npm run proto
import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
// 2.13.0 is the last generator that runs on Node 20.
const tools = ["@bufbuild/buf@1.74.0", "@bufbuild/protoc-gen-es@2.13.0"]
const folders = ["src/core/p2p/proto", "src/vmhost/proto"]

for (const folder of folders) {
  const template = join(mkdtempSync(join(tmpdir(), "serac-proto-")), "buf.gen.json")
  const plugin = { local: "protoc-gen-es", out: folder, opt: ["target=ts", "import_extension=js"] }
  writeFileSync(template, JSON.stringify({ version: "v2", plugins: [plugin] }))
  const packages = tools.flatMap((tool) => ["-p", tool])
  execFileSync("npx", ["--yes", ...packages, "buf", "generate", folder, "--template", template], { cwd: root, stdio: "inherit" })
}
execFileSync("npx", ["biome", "check", "--write", ...folders], { cwd: root, stdio: "inherit" })
