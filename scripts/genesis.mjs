// Makes the genesis of Mainnet and Fuji that is part of the package, out of their published files, with `serac genesis`.
//   node scripts/genesis.mjs <folder with genesis_mainnet.json (or .json.gz) and genesis_fuji.json>
import { execFileSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"

const folder = process.argv[2]
if (folder === undefined) throw new Error("usage: node scripts/genesis.mjs <folder of genesis files>")

for (const network of ["mainnet", "fuji"]) {
  const names = [`genesis_${network}.json`, `genesis_${network}.json.gz`].map((name) => join(folder, name))
  const file = names.find((name) => existsSync(name))
  if (file === undefined) throw new Error(`none of ${names.join(", ")} exists`)
  // The command refuses a file whose genesis does not have the published ID.
  const command = ["bin/serac", "genesis", "--network-id", network, "--genesis-file", file, "--bytes", "-"]
  const bytes = execFileSync(process.execPath, command, { maxBuffer: 2 ** 26 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`src/datadir/genesis/${network}.genesis.br`, brotliCompressSync(bytes, { params }))
}
